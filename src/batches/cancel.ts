// A batch that is not to be paid. Until somebody has its file, one person is enough. Afterwards the bank may have it: two
// people must say that it does not, and a statement must agree.

import type { Sql } from '../database/index.ts';
import { notAnOperator } from '../identity/index.ts';
import { refuse } from '../kernel/index.ts';
import { bankDayFrom, cancelApproved, cancelSent } from '../payouts/index.ts';
import type { Tools } from '../tools.ts';
import { batchAltered, batchAtBank, batchInOtherState, samePerson, statementNeeded } from './failures.ts';
import type { Batch, PayoutFile, Signer } from './model.ts';
import { areAllSent, isOperator, listAmounts, listPayoutIds, lockBatch, updateBatch } from './store/batches.ts';
import { findFileOf, findLastHandover } from './store/files.ts';

type CancelTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>;

/** A file that the bank is said never to have had. */
export interface Lost {
  readonly payerNumber: string;
  readonly messageId: string;
  readonly madeOn: Temporal.PlainDate;
  /** The statements must tell so far. */
  readonly until: Temporal.PlainDate;
  readonly totalMinor: bigint;
  readonly payouts: readonly { readonly id: string; readonly amountMinor: bigint }[];
}

/**
 * Whether the statements of the account that pays, up to a day later than that on which the bank should have paid, do not
 * have the file or any of its payouts. Filled by whoever reads statements; without it nobody knows.
 */
export type FindAbsence = (sql: Sql, lost: Lost) => Promise<boolean>;

/** Payouts of a draft wait for another batch; those of a signed one are canceled, and their accounts have the money again. */
export function cancelBatch(
  tools: CancelTools,
  batchId: string,
  by: { readonly id: string | null; readonly email: string },
): Promise<Batch> {
  return tools.db.atomic(async (sql) => {
    const batch = (await lockBatch(sql, batchId)) ?? refuse('not_found');
    if (batch.state === 'handed_over') refuse(batchAtBank);
    if (batch.state === 'settled' || batch.state === 'canceled') refuse(batchInOtherState);
    if (batch.state !== 'draft') {
      const ids = await listPayoutIds(sql, batchId);
      const ended = await cancelApproved(tools, sql, ids, { code: 'canceled_by_operator', parameters: {} });
      if (ended.length !== ids.length) refuse(batchAltered);
    }
    const canceledAt = tools.clock.now();
    const canceled: Batch = { ...batch, state: 'canceled', canceledById: by.id, canceledBy: by.email, canceledAt };
    await updateBatch(sql, canceled);
    return canceled;
  });
}

/** By whom the bank never got a batch, and what a statement says. */
export interface Missing {
  readonly batchId: string;
  /** Has just confirmed it (`confirmOperator`). */
  readonly by: Signer;
}

/**
 * The bank never got the file. The first person only says so; the second one cancels the batch, if all of its payouts are
 * still sent and a later statement has none of them.
 */
export function cancelMissed(
  tools: CancelTools,
  { batchId, by }: Missing,
  findAbsence: FindAbsence | undefined,
): Promise<Batch> {
  return tools.db.atomic(async (sql) => {
    if (!(await isOperator(sql, by))) refuse(notAnOperator);
    const batch = (await lockBatch(sql, batchId)) ?? refuse('not_found');
    if (batch.state !== 'handed_over') refuse(batchInOtherState);
    const at = tools.clock.now();
    if (batch.missedAt === null) {
      const said: Batch = { ...batch, missedById: by.id, missedBy: by.email, missedAt: at };
      await updateBatch(sql, said);
      return said;
    }
    if (batch.missedById === by.id || batch.missedBy === by.email) refuse(samePerson);
    const file = (await findFileOf(sql, batchId)) ?? refuse(batchAltered);
    const payouts = await listAmounts(sql, batchId);
    const handedAt = (await findLastHandover(sql, file.id)) ?? refuse(batchAltered);
    if (!(await findAbsence?.(sql, lostOf(batch, file, handedAt, payouts)))) refuse(statementNeeded);
    if (!(await areAllSent(sql, batchId))) refuse(batchInOtherState);
    const canceled: Batch = { ...batch, state: 'canceled', canceledById: by.id, canceledBy: by.email, canceledAt: at };
    // A statement may have one of them by now.
    if (
      (
        await cancelSent(
          tools,
          sql,
          payouts.map(({ id }) => id),
        )
      ).length !== payouts.length
    )
      refuse(batchInOtherState);
    await updateBatch(sql, canceled);
    return canceled;
  });
}

/** Days are those of banks here. */
const zone = 'Europe/Warsaw';

const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate();
const bankDayAfter = (day: Temporal.PlainDate, currency: Batch['currency']) =>
  bankDayFrom(day.add({ days: 1 }), currency);

/**
 * Whoever had the file last, a copy too, may have sent it that evening: the bank pays it on the next bank day at the latest,
 * and only a bank day after that shows that it did not.
 */
function lostOf(
  { totalMinor, currency }: Batch,
  { payerNumber, messageId, executeOn, createdAt }: PayoutFile,
  handedAt: Temporal.Instant,
  payouts: Lost['payouts'],
): Lost {
  const sentBy = bankDayAfter(dayOf(handedAt), currency);
  const paidBy = Temporal.PlainDate.compare(executeOn, sentBy) > 0 ? executeOn : sentBy;
  return {
    payerNumber,
    messageId,
    madeOn: dayOf(createdAt),
    until: bankDayAfter(paidBy, currency),
    totalMinor,
    payouts,
  };
}
