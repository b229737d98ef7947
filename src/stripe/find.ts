// What became of a charge: by the id of its intent, never by a search, unless a restored database has lost it.

import type { FindAnswer, KeyRequest } from '../acquirer/index.ts';
import { hasIntent, look, seek } from './intents.ts';
import { Allowance } from './line.ts';
import type { StripeTools } from './model.ts';

/** `notFound` is exact: nothing was confirmed, or the confirmation has not arrived. */
export async function findCharge(tools: StripeTools, { key, deadlineMilliseconds }: KeyRequest): Promise<FindAnswer> {
  const time = new Allowance(deadlineMilliseconds);
  const sought = await seek(tools, key, time);
  if (sought.kind === 'unknown') return sought;
  const { row } = sought;
  if (hasIntent(row)) {
    const known = await look(tools, row, time);
    return known.kind === 'idle' ? { kind: 'notFound' } : known;
  }
  if (row?.declineReason) return { kind: 'declined', reason: row.declineReason };
  return row?.canceledAt ? { kind: 'canceled' } : { kind: 'notFound' };
}
