import { exportLedger as exportEndpoint, getBalance, listLedger } from '../../../contract/panel/money.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import { findBalances, ledgerAccounts } from '../../ledger/index.ts';
import type { Tools } from '../../tools.ts';
import type { Downloads } from '../downloads.ts';
import { formatPlace } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { exportLedger } from './export.ts';
import { askedOf } from './query.ts';
import { movesOf } from './read.ts';
import { serializeMove } from './wire.ts';

export const ledgerRoutes = (tools: Tools, downloads: Downloads): Route<Person>[] => [
  on(getBalance, async ({ caller, requestId }) => {
    const { id } = accountOf(caller);
    const { available, payoutTransit, owed } = ledgerAccounts;
    const balances = await findBalances(tools.db.sql, [available(id), payoutTransit(id), owed(id)]);
    const shown = (name: string) => decimalFromMinor(balances.get(name) ?? 0n);
    return {
      ...done(requestId),
      at: tools.clock.now().toString(),
      balance: shown(available(id)),
      payoutTransit: shown(payoutTransit(id)),
      owed: shown(owed(id)),
      currency: 'PLN',
    };
  }),
  on(listLedger, async ({ caller, query, requestId }) => {
    const asked = askedOf(query, accountOf(caller));
    const { rows, next } = await readList(tools.db.sql, movesOf(query.kind), asked);
    return { ...done(requestId), moves: rows.map(serializeMove), nextBefore: next && formatPlace(next) };
  }),
  on(exportEndpoint, async ({ caller, query }) =>
    downloads.guard(caller, await exportLedger(tools, accountOf(caller), caller.user.language, query)),
  ),
];
