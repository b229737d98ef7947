import { getSafeguarding } from '../../../contract/panel/safeguarding.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import { balanceOf, type Safeguarding } from '../../ledger/index.ts';

export const safeguardingRoutes = (read: () => Promise<Safeguarding>): Route<Person>[] => [
  on(getSafeguarding, async ({ requestId }) => {
    const figure = await read();
    const { heldMinor, owedMinor, shortfallMinor, ownMinor, movableMinor } = balanceOf(figure);
    return {
      ...done(requestId),
      safeguarding: {
        bank: decimalFromMinor(figure.bankMinor),
        acquirers: decimalFromMinor(figure.acquirersMinor),
        held: decimalFromMinor(heldMinor),
        accounts: decimalFromMinor(figure.accountsMinor),
        payers: decimalFromMinor(figure.payersMinor),
        unknown: decimalFromMinor(figure.unknownMinor),
        owed: decimalFromMinor(owedMinor),
        shortfall: decimalFromMinor(shortfallMinor),
        own: decimalFromMinor(ownMinor),
        movable: decimalFromMinor(movableMinor),
        currency: 'PLN',
      },
    };
  }),
];
