// What moves money at the acquirer. Pure.

import type { Asked, Item, Keyed, OwnKind } from './model.ts';

const ownKinds: readonly Item['kind'][] = ['fee'] satisfies OwnKind[];

export function isOwnKind(kind: Item['kind']): kind is OwnKind {
  return ownKinds.includes(kind);
}

export function isAsked(kind: Item['kind']): kind is Asked {
  return kind === 'capture' || kind === 'refund';
}

/** Whether everything that is booked for its key is known from the journals. */
export function isKeyed(kind: Item['kind']): kind is Keyed {
  return isAsked(kind) || isOwnKind(kind);
}

/** A capture makes the acquirer owe us more; a refund, a payout or a fee less. */
export function signOf(kind: Item['kind']): 1n | -1n {
  return kind === 'capture' ? 1n : -1n;
}
