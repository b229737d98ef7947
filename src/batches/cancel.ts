// A batch that is not to be paid. Until somebody has its file, one person is enough. Afterwards the bank may have it: two
// people must say that it does not, and a statement must agree.

import type { Sql } from '../database/index.ts';
import { notAnOperator } from '../identity/index.ts';
import { refuse } from '../kernel/index.ts';
import { cancelApproved, cancelSent } from '../payouts/index.ts';
import type { Tools } from '../tools.ts';
import { batchAltered, batchAtBank, batchInOtherState, samePerson, statementNeeded } from './failures.ts';
import type { Batch, PayoutFile, Signer } from './model.ts';
import { areAllSent, isOperator, listPayoutIds, lockBatch, updateBatch } from './store/batches.ts';
import { findFileOf } from './store/files.ts';

type CancelTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>;

/**
 * Whether a statement of the account that pays, later than the day on which the bank should have paid, does not have the
 * file or any of its payouts. Filled by whoever reads statements; without it nobody knows.
 */
export type FindAbsence = (sql: Sql, file: PayoutFile) => Promise<boolean>;

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
    if (!(await findAbsence?.(sql, file))) refuse(statementNeeded);
    if (!(await areAllSent(sql, batchId))) refuse(batchInOtherState);
    const canceled: Batch = { ...batch, state: 'canceled', canceledById: by.id, canceledBy: by.email, canceledAt: at };
    await cancelSent(tools, sql, await listPayoutIds(sql, batchId));
    await updateBatch(sql, canceled);
    return canceled;
  });
}
