// Disputes of which the acquirer has kept a different amount than accounts bear, long after this should have been
// settled: an operator decides whether the acquirer is to correct its statement, or whether the statement stands.

import { confirmAmount, type Decision } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { Unavailable } from '../kernel/index.ts';
import { disputeLossJournal, post } from '../ledger/index.ts';
import { asKept, patience } from './rules.ts';
import { applyStep, type DisputeTools, lockAround } from './step.ts';
import { findCharge, findWaiting, lockDispute, updateDisputes, updatePostponed } from './store/disputes.ts';
import { insertLoss } from './store/unclaimed.ts';
import { parkUnsettled, unparkSettled } from './store/unsettled.ts';

const parkedAtOnce = 500;
const triesAtMost = 5;

/** Parks those that are late, and takes those that were settled in the meantime off the list; returns how many. */
export async function parkLateDisputes({ clock, db, log }: DisputeTools): Promise<number> {
  const settled = await unparkSettled(db.sql);
  const parked = await parkUnsettled(db.sql, clock.now(), parkedAtOnce);
  if (parked > 0) log.error({ disputes: parked }, 'dispute_unsettled');
  return settled + parked;
}

/** The acquirer's statement stands, or the acquirer is to correct it. */
export async function decideUnsettled(tools: DisputeTools, id: string, decision: Decision): Promise<void> {
  if (decision === 'not-captured') return updatePostponed(tools.db.sql, id, tools.clock.now().add(patience));
  for (let tries = 1; !(await tools.db.atomic((sql) => decideIn(tools, sql, id, decision))); tries += 1) {
    if (tries === triesAtMost) throw new Unavailable('service_unavailable');
  }
}

/** False if a refund came in between: to be tried again. */
async function decideIn(tools: DisputeTools, sql: Sql, id: string, decision: Decision): Promise<boolean> {
  const waiting = await findWaiting(sql, id);
  const charge = waiting && (await findCharge(sql, waiting.dispute.chargeId));
  if (!waiting || !charge) return true;
  const { acquirer, key, chargeId: chargeKey } = waiting.dispute;
  const locked = await lockAround(sql, { acquirer, key, chargeKey }, charge);
  if (!locked) return false;
  const dispute = await lockDispute(sql, acquirer, key);
  if (dispute?.parkedWhy !== 'dispute_unsettled') return true;
  const { facts, lostMinor, offMinor } = asKept(dispute, waiting.keptMinor);
  confirmAmount(decision, offMinor < 0n ? -offMinor : offMinor, true);
  const next = { ...dispute, lostMinor, parkedAt: null, parkedWhy: null, parkAt: null };
  if (facts) await applyStep(tools, sql, locked, next, { kind: 'step', step: 'changed', facts });
  else await updateDisputes(sql, next);
  const amountMinor = lostMinor - dispute.lostMinor;
  if (amountMinor === 0n) return true;
  const loss = {
    id: tools.ids.ulid(),
    unclaimedId: null,
    disputeId: dispute.id,
    amountMinor,
    coveredMinor: 0n,
    at: tools.clock.now(),
  };
  await insertLoss(sql, loss);
  await post(sql, tools.ids, [disputeLossJournal(loss.id, dispute.currency, amountMinor)], loss.at);
  return true;
}
