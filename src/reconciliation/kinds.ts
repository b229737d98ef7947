// What moves money at the acquirer. Pure.

import type { Asked, Item, ItemKind, Keyed, OwnKind, TotalKind } from './model.ts';

export const ownKinds = [
  'fee',
  'payout_returned',
  'dispute',
  'dispute_won',
  'other_taken',
  'other_given',
] as const satisfies readonly OwnKind[];
const given: readonly Item['kind'][] = ['capture', 'refund_returned', 'payout_returned', 'dispute_won', 'other_given'];

export function isOwnKind(kind: Item['kind']): kind is OwnKind {
  return ownKinds.some((own) => own === kind);
}

export function isAsked(kind: Item['kind']): kind is Asked {
  return kind === 'capture' || kind === 'refund' || kind === 'refund_returned';
}

/** What nobody here knows: it is booked, and an operator says what it was. */
export function isSuspense(kind: Item['kind']): kind is 'other_taken' | 'other_given' {
  return kind === 'other_taken' || kind === 'other_given';
}

/** What disputes took and gave back; their room knows of which charge. */
export const disputeKinds = ['dispute', 'dispute_won'] as const satisfies readonly OwnKind[];

export function isOfDispute(kind: Item['kind']): kind is (typeof disputeKinds)[number] {
  return disputeKinds.some((own) => own === kind);
}

/** Whether everything that is booked for its key is known from the journals. */
export function isKeyed(kind: Item['kind']): kind is Keyed {
  return isAsked(kind) || isOwnKind(kind);
}

/** A capture and what came back make the acquirer owe us more; a refund, a payout or a fee less. */
export function signOf(kind: Item['kind']): 1n | -1n {
  return given.includes(kind) ? 1n : -1n;
}

/** Of the acquirer's own lines, those that make it owe us less. */
export const takenKinds = ownKinds.filter((kind) => signOf(kind) === -1n);

/** Kinds that are summed up together with another one. */
const totalKinds: Partial<Record<ItemKind, TotalKind>> = {
  refund_returned: 'refund',
  payout_returned: 'payout',
  dispute_won: 'dispute',
  other_taken: 'other',
  other_given: 'other',
};

export function totalKindOf(kind: ItemKind): TotalKind {
  return totalKinds[kind] ?? (kind as TotalKind);
}

/** Those that make the sum of their kind smaller. */
export function isCountedAgainst(kind: ItemKind): boolean {
  return ['refund_returned', 'payout_returned', 'dispute_won', 'other_taken'].includes(kind);
}
