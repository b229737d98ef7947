// What a request is about. Pure.

import { isUlid } from '../kernel/index.ts';
import { withoutCards } from './mask-cards.ts';

/**
 * The last id of its path, which is the nearest: of a refund of a transaction, the refund. Null if there is none, or if
 * it may hold the number of a card.
 */
export function subjectOf(params: unknown): string | null {
  const values = typeof params === 'object' && params !== null ? Object.values(params) : [];
  const id = values.findLast((value): value is string => typeof value === 'string' && isUlid(value.toUpperCase()));
  return id === undefined || withoutCards(id, '') !== id ? null : id.toUpperCase();
}
