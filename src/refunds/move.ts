// Sends refunds: claimed in batches, sent to the bank by key outside any database transaction, settled in batches.

import { askDue, type Finding, judgeAmount, otherAmountWhy, parkIfOld, readFinding } from '../banking/index.ts';
import { money } from '../kernel/index.ts';
import { insertEvents } from '../notifications/index.ts';
import type { Waiting } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { Refund, Result } from './model.ts';
import { stepEvent } from './notify.ts';
import { patience } from './rules.ts';
import { claimDueRefunds, type DueRefund, refundsDue } from './store/moves.ts';
import type { RefundTools } from './tools.ts';

const deadlineMilliseconds = 10_000;

/** Sends due refunds and looks up unknown ones; returns how many. */
export function moveRefunds(tools: RefundTools): Promise<number> {
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claim(tools, now, leaseUntil, atMost),
    (due, now) =>
      Promise.all(
        due.map(async (row) => tools.settle({ refundId: row.refund.id, result: await ask(tools, row, now) })),
      ),
  );
}

/** Claiming and marking as sent are one step: a refund that may have been sent is marked so, whatever happens next. */
function claim(
  tools: RefundTools,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  atMost: number,
): Promise<DueRefund[]> {
  return tools.db.atomic(async (sql) => {
    const due = await claimDueRefunds(sql, now, leaseUntil, atMost);
    const begun = due.filter(({ refund }) => refund.status === 'New');
    const events = begun.map(({ refund, zone }) =>
      stepEvent(tools, { ...refund, status: 'Pending', steps: refund.steps + 1 }, refund.title, zone, now),
    );
    await insertEvents(sql, tools.vault, events);
    return due;
  });
}

/**
 * Sends it the first time. After that the bank is asked by key; a refund that it does not know is sent again under the
 * same key, which the bank pays once.
 */
async function ask(tools: RefundTools, row: DueRefund, now: Temporal.Instant): Promise<Result> {
  const { refund } = row;
  const { sentAt } = refund;
  if (sentAt === null) return send(tools, refund);
  const answer = await tools.acquirer.findRefund({ key: refund.id, deadlineMilliseconds });
  const found = readFinding(answer, { askedAt: sentAt, timesNotFound: 0 }, patience, now);
  return parkIfOld(await follow(tools, row, found), sentAt, now);
}

async function follow(tools: RefundTools, { refund, otherAmounts }: DueRefund, found: Finding): Promise<Result> {
  switch (found.kind) {
    case 'approved': {
      const verdict = judgeAmount(refund.amount.minor, found, otherAmounts);
      if (verdict === 'believe') return { kind: 'approved' };
      return verdict === 'park' ? { kind: 'park', why: otherAmountWhy } : { kind: 'again', otherAmount: true };
    }
    case 'declined':
    case 'canceled':
      return { kind: 'declined' };
    case 'overdue':
      return { kind: 'park', why: 'The bank has not confirmed it for 30 days.' };
    case 'absent':
      return send(tools, refund);
    case 'waiting':
    case 'again':
      return { kind: found.kind };
  }
}

async function send(tools: Pick<Tools, 'acquirer'>, refund: Refund): Promise<Result> {
  const { kind } = await tools.acquirer.refund({
    key: refund.id,
    chargeKey: refund.chargeKey,
    amount: money(refund.amount.minor, refund.amount.currency),
    deadlineMilliseconds,
  });
  return kind === 'notReached' || kind === 'unknown' ? { kind: 'again' } : { kind };
}

export function nextRefundStep(tools: Pick<Tools, 'db'>): Promise<Temporal.Instant | null> {
  return refundsDue.next(tools.db.sql);
}

export function dueRefunds(tools: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return refundsDue.waiting(tools.db.sql, tools.clock.now());
}
