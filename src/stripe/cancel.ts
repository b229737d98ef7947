// The promise that a charge will never capture: stored first, then made true at the provider.

import type { CancelAnswer, KeyRequest } from '../acquirer/index.ts';
import { cancelIntent, hasIntent, type Known, look, type SentRow, seek } from './intents.ts';
import { Allowance } from './line.ts';
import { type StripeTools, unknown } from './model.ts';
import { upsertCanceled } from './store.ts';

export async function cancel(tools: StripeTools, { key, deadlineMilliseconds }: KeyRequest): Promise<CancelAnswer> {
  const time = new Allowance(deadlineMilliseconds);
  const sought = await seek(tools, key, time);
  if (sought.kind === 'unknown') return sought;
  const row = await upsertCanceled(tools.db.sql, key, tools.account, tools.clock.now());
  // Nothing was created: from here on nothing is.
  if (!hasIntent(row)) return { kind: 'canceled' };
  return cancelSent(tools, row, time);
}

/**
 * Also of an intent that was not confirmed: should a late confirmation arrive, it fails. It is looked at first: another
 * payer's must not be canceled.
 */
async function cancelSent(tools: StripeTools, row: SentRow, time: Allowance): Promise<CancelAnswer> {
  const before = await look(tools, row, time);
  if (before.kind !== 'waiting' && before.kind !== 'idle') return endOf(before);
  const canceled = await cancelIntent(tools, row, time);
  if (canceled.kind === 'done') return { kind: 'canceled' };
  // It cannot be canceled: because it was paid or canceled meanwhile, or is being decided.
  return canceled.kind === 'refused' ? endOf(await look(tools, row, time)) : unknown;
}

function endOf({ kind }: Known): CancelAnswer {
  if (kind === 'approved') return { kind: 'tooLate' };
  return kind === 'canceled' || kind === 'declined' ? { kind: 'canceled' } : unknown;
}
