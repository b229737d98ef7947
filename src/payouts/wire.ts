import { decimalFromMinor } from '../kernel/index.ts';
import type { Balance } from './balance.ts';

export function serializeBalance({ availableMinor, dueMinor, notYet, inTransitMinor, owedMinor }: Balance) {
  return {
    amount: decimalFromMinor(availableMinor),
    due: decimalFromMinor(dueMinor),
    notYetDue: notYet.map(({ day, minor }) => ({ date: day.toString(), amount: decimalFromMinor(minor) })),
    inTransit: decimalFromMinor(inTransitMinor),
    owed: decimalFromMinor(owedMinor),
    currency: 'PLN',
  };
}
