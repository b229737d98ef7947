// Sends money back: claimed in batches, sent to the bank by key outside any database transaction, settled in batches.

import type { RefundDeclineReason } from '../../../contract/codes/refund-declines.ts';
import { isAboutRows, type Sql } from '../../database/index.ts';
import { money } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { askDue } from '../look-up.ts';
import { type Finding, judgeAmount, parkIfOld, readFinding } from '../rules.ts';
import type { Outgoing, OutgoingResult, OutgoingSettlement } from './model.ts';
import { patience } from './rules.ts';
import type { PurposeOf } from './settle.ts';
import { claimDueOutgoing, type DueOutgoing, listMisbooked, listWaitingForDisputes, parkOutgoing } from './store.ts';

const deadlineMilliseconds = 10_000;

type SendTools = Pick<Tools, 'acquirers' | 'clock' | 'db' | 'log'>;

/** Sends what is due and looks up what is unknown; returns how many. */
export async function sendOutgoing(
  tools: SendTools,
  purposeOf: PurposeOf,
  settle: (settlement: OutgoingSettlement) => Promise<unknown>,
): Promise<number> {
  await resume(tools, purposeOf, settle);
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claim(tools, purposeOf, now, leaseUntil, atMost),
    (due, now) =>
      Promise.all(
        due.map(async (row) => {
          const result = await ask(tools, purposeOf, row, now);
          const settlement = { key: row.outgoing.id, result, lookedAt: tools.clock.momentOf(row.dueAt) };
          await settleOrPark(tools, settle, settlement);
        }),
      ),
  );
}

/** What was not sent because of a dispute is looked up again once the dispute takes nothing back any more. */
async function resume(
  tools: SendTools,
  purposeOf: PurposeOf,
  settle: (settlement: OutgoingSettlement) => Promise<unknown>,
): Promise<void> {
  const { sql } = tools.db;
  for (const [purpose, rows] of Map.groupBy(await listWaitingForDisputes(sql), (row) => row.purpose)) {
    const disputed = new Set(await purposeOf(purpose).listDisputed(sql, rows));
    const free = rows.filter(({ id }) => !disputed.has(id));
    await Promise.all(free.map(({ id: key }) => settleOrPark(tools, settle, { key, result: { kind: 'again' } })));
  }
}

/** One whose result cannot be written waits for an operator, and does not come again for ever. */
async function settleOrPark(
  { clock, db, log }: SendTools,
  settle: (settlement: OutgoingSettlement) => Promise<unknown>,
  settlement: OutgoingSettlement,
): Promise<void> {
  try {
    await settle(settlement);
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    log.error({ err: error, outgoingRefundId: settlement.key }, 'an outgoing refund could not be settled');
    await parkOutgoing(db.sql, [settlement.key], 'not_written', clock.now());
  }
}

/**
 * Claiming and marking as sent are one step: what may have been sent is marked so, whatever happens next. What the books do
 * not have with this amount is an operator's, also if the bank was asked before.
 */
function claim(
  tools: SendTools,
  purposeOf: PurposeOf,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  atMost: number,
): Promise<DueOutgoing[]> {
  return tools.db.atomic(async (sql) => {
    const claimed = await claimDueOutgoing(sql, now, leaseUntil, atMost);
    const changed = await parkMisbooked(tools, sql, claimed, now);
    const due = claimed.filter(({ outgoing }) => !changed.has(outgoing.id));
    const begun = due.flatMap(({ outgoing, first }) => (first ? [outgoing] : []));
    for (const [purpose, rows] of Map.groupBy(begun, (row) => row.purpose)) {
      await purposeOf(purpose).begin?.(sql, rows, now);
    }
    return due;
  });
}

async function parkMisbooked(
  { log }: SendTools,
  sql: Sql,
  claimed: readonly DueOutgoing[],
  now: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  if (claimed.length === 0) return new Set();
  const ids = await listMisbooked(
    sql,
    claimed.map(({ outgoing }) => outgoing.id),
  );
  if (ids.length > 0) {
    log.error({ outgoingRefundIds: ids }, 'outgoing refunds have another amount than the books');
    await parkOutgoing(sql, ids, 'return_changed', now);
  }
  return new Set(ids);
}

/**
 * Sends it the first time. After that the bank is asked by key; what it does not know is sent again under the same key,
 * which the bank pays once.
 */
async function ask(
  tools: SendTools,
  purposeOf: PurposeOf,
  { outgoing, first, sentAt }: DueOutgoing,
  now: Temporal.Instant,
): Promise<OutgoingResult> {
  const objection = await purposeOf(outgoing.purpose).objection?.(outgoing);
  if (objection) return objection;
  // A refund that was not sent before is held by the dispute itself.
  if (first && outgoing.purpose === 'refund') return send(tools, outgoing);
  const sendUndisputed = () => sendUnlessDisputed(tools, purposeOf, outgoing);
  if (first) return sendUndisputed();
  const answer = await tools.acquirers.named(outgoing.acquirer).findRefund({ key: outgoing.id, deadlineMilliseconds });
  const found = readFinding(answer, { askedAt: sentAt, timesNotFound: 0 }, patience, now);
  return parkIfOld(await follow(outgoing, found, sendUndisputed), sentAt, now);
}

async function follow(
  outgoing: Outgoing,
  found: Finding,
  sendAgain: () => Promise<OutgoingResult>,
): Promise<OutgoingResult> {
  switch (found.kind) {
    case 'approved': {
      const verdict = judgeAmount(outgoing.amountMinor, found, outgoing.otherAmounts);
      if (verdict === 'believe') return { kind: 'approved' };
      return verdict === 'park' ? { kind: 'park', why: 'other_amount' } : { kind: 'again', otherAmount: true };
    }
    case 'declined':
      return declinedFor(found.why);
    case 'canceled':
      return declinedFor();
    case 'overdue':
      return { kind: 'park', why: 'not_confirmed' };
    case 'absent':
      return sendAgain();
    case 'waiting':
    case 'again':
      return { kind: found.kind };
  }
}

/** What the payer gets by a dispute is not sent as well: an operator is told. Also if it was sent before and did not arrive. */
async function sendUnlessDisputed(tools: SendTools, purposeOf: PurposeOf, outgoing: Outgoing): Promise<OutgoingResult> {
  const { id, chargeKey, purpose } = outgoing;
  if ((await purposeOf(purpose).listDisputed(tools.db.sql, [outgoing])).length === 0) return send(tools, outgoing);
  tools.log.error({ outgoingRefundId: id, chargeKey }, 'return_disputed');
  return { kind: 'park', why: 'return_disputed' };
}

async function send({ acquirers }: SendTools, outgoing: Outgoing): Promise<OutgoingResult> {
  const { id: key, chargeKey } = outgoing;
  const amount = money(outgoing.amountMinor, outgoing.currency);
  const answer = await acquirers.named(outgoing.acquirer).refund({ key, chargeKey, amount, deadlineMilliseconds });
  switch (answer.kind) {
    case 'notReached':
    case 'unknown':
      return { kind: 'again' };
    case 'declined':
      return declinedFor(answer.why);
    case 'approved':
    case 'waiting':
      return answer;
  }
}

function declinedFor(why?: RefundDeclineReason): OutgoingResult {
  return why === undefined ? { kind: 'declined' } : { kind: 'declined', why };
}
