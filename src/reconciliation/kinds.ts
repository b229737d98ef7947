// What moves money at the acquirer. Pure.

import type { Asked, Item, ItemKind, Keyed, OwnKind, TotalKind } from './model.ts';

export const ownKinds = ['fee', 'payout_returned'] as const satisfies readonly OwnKind[];
const cameBack: readonly Item['kind'][] = ['refund_returned', 'payout_returned'];

export function isOwnKind(kind: Item['kind']): kind is OwnKind {
  return ownKinds.some((own) => own === kind);
}

export function isAsked(kind: Item['kind']): kind is Asked {
  return kind === 'capture' || kind === 'refund' || kind === 'refund_returned';
}

/** Whether everything that is booked for its key is known from the journals. */
export function isKeyed(kind: Item['kind']): kind is Keyed {
  return isAsked(kind) || isOwnKind(kind);
}

/** A capture and what came back make the acquirer owe us more; a refund, a payout or a fee less. */
export function signOf(kind: Item['kind']): 1n | -1n {
  return kind === 'capture' || cameBack.includes(kind) ? 1n : -1n;
}

/** The kinds that are summed up together, and whether they count against each other. */
const totalKinds: Partial<Record<ItemKind, TotalKind>> = {
  refund_returned: 'refund',
  payout_returned: 'payout',
};

export function totalKindOf(kind: ItemKind): TotalKind {
  return totalKinds[kind] ?? (kind as TotalKind);
}
