// The steps of payouts before the bank moves money, in sets: rows and journals, in the caller's database transaction. Whoever
// repeats a step changes nothing: only payouts in the right state move, and the caller is told which.

import type { Sql } from '../database/index.ts';
import { type Journal, payoutReturnedJournal, post } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import type { Payout, PayoutReason, PayoutState } from './model.ts';
import { type Moving, updateStates } from './store/payouts.ts';
import { type MailTools, mailStates, tellStates } from './tell.ts';

export type StepTools = Pick<Tools, 'clock' | 'ids' | 'vault'>;

type JournalOf = (payout: Parameters<typeof payoutReturnedJournal>[0], accountId: Payout['accountId']) => Journal;

interface Stepped {
  readonly from: readonly PayoutState[];
  readonly to: Exclude<PayoutState, 'paid' | 'returned'>;
  readonly journal?: JournalOf;
}

const steps = {
  approve: { from: ['created'], to: 'approved' },
  send: { from: ['approved'], to: 'sent' },
  fail: { from: ['sent'], to: 'failed', journal: payoutReturnedJournal },
  cancelCreated: { from: ['created'], to: 'canceled', journal: payoutReturnedJournal },
  cancelApproved: { from: ['approved'], to: 'canceled', journal: payoutReturnedJournal },
  cancelSent: { from: ['sent'], to: 'canceled', journal: payoutReturnedJournal },
} as const satisfies Record<string, Stepped>;

async function step(
  tools: StepTools,
  sql: Sql,
  moving: readonly Moving[],
  { from, to, journal }: Stepped,
): Promise<Payout[]> {
  if (moving.length === 0) return [];
  const at = tools.clock.now();
  const moved = await updateStates(sql, moving, { from, to, at });
  if (journal) {
    const journals = moved.map((payout) => journal({ ...payout, source: payout.id }, payout.accountId));
    await post(sql, tools.ids, journals, at);
  }
  await tellStates(tools, sql, moved, at);
  return moved;
}

const because = (ids: readonly string[], reason: PayoutReason | null = null): Moving[] =>
  ids.map((id) => ({ id, reason }));

/** Why a payout ended, each with its own words. */
export interface Ended {
  readonly id: string;
  readonly reason: PayoutReason;
}

/** Created ones are in a batch that a second person approved. The database refuses all of them if a bank account was replaced. */
export const markApproved = (tools: StepTools, sql: Sql, ids: readonly string[]) =>
  step(tools, sql, because(ids), steps.approve);

/** Approved ones are at the bank, as far as we know. */
export const markSent = (tools: StepTools, sql: Sql, ids: readonly string[]) =>
  step(tools, sql, because(ids), steps.send);

/** Our bank refused sent ones and booked nothing: the balance has amount and fee again. */
export async function settleFailed(
  tools: StepTools & MailTools,
  sql: Sql,
  ended: readonly Ended[],
): Promise<readonly Payout[]> {
  const failed = await step(tools, sql, ended, steps.fail);
  await mailStates(tools, sql, failed, tools.clock.now());
  return failed;
}

/** Nothing of them has left: those that are in no approved batch. */
export const cancelCreated = (tools: StepTools, sql: Sql, ids: readonly string[], reason: PayoutReason) =>
  step(tools, sql, because(ids, reason), steps.cancelCreated);

/** Of an approved batch that was not handed over. */
export const cancelApproved = (tools: StepTools, sql: Sql, ids: readonly string[], reason: PayoutReason) =>
  step(tools, sql, because(ids, reason), steps.cancelApproved);

/** Sent ones that the bank never got: only by two people, after a statement that does not have them. */
export const cancelSent = (tools: StepTools, sql: Sql, ids: readonly string[]) =>
  step(tools, sql, because(ids, { code: 'not_at_bank', parameters: {} }), steps.cancelSent);
