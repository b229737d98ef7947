// The second signature.

import type { Sql } from '../database/index.ts';
import { notAnOperator } from '../identity/index.ts';
import { refuse } from '../kernel/index.ts';
import { areBooked, haveOurSettings, markApproved, type Payout, payeeAltered } from '../payouts/index.ts';
import { inTurns } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { batchChanged, batchInOtherState, samePerson } from './failures.ts';
import type { Batch, Signer } from './model.ts';
import { addToDigest, signBatch, startDigest } from './signed.ts';
import {
  type Amounts,
  countLeft,
  dropEnded,
  isOperator,
  listPayoutIds,
  lockBatch,
  lockTermsOf,
  updateBatch,
} from './store/batches.ts';
import { listPayoutsOf } from './store/files.ts';

type ApproveTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'log' | 'vault'>;

export interface Approval {
  readonly batchId: string;
  /** Has just confirmed it (`confirmOperator`). */
  readonly by: Signer;
  /** What this person saw. */
  readonly seen: Amounts;
}

const pageRows = 5_000;

/** Payouts of a batch, in order, a page at a time. */
export async function* payoutsOf(sql: Sql, batchId: string): AsyncGenerator<readonly Payout[]> {
  for (let after = ''; ; ) {
    const page = await listPayoutsOf(sql, batchId, after, pageRows);
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    after = page.at(-1)?.id ?? after;
  }
}

function* adding(digest: ReturnType<typeof startDigest>, page: readonly Payout[]): Generator<undefined, void> {
  for (const payout of page) {
    addToDigest(digest, payout);
    yield;
  }
}

async function digestOf(sql: Sql, batchId: string): Promise<Buffer> {
  const digest = startDigest();
  for await (const page of payoutsOf(sql, batchId)) await inTurns(adding(digest, page));
  return digest.digest();
}

/**
 * Signs a draft that another operator has made, with exactly the payouts that this one saw. What has ended since it was made
 * is dropped first, and then it is to be looked at again.
 */
export async function approveBatch(tools: ApproveTools, approval: Approval): Promise<Batch> {
  const batch = await tools.db.atomic((sql) => approveIn(tools, sql, approval));
  return batch ?? refuse(batchChanged);
}

/** Undefined: it has other payouts than were seen. */
async function approveIn(tools: ApproveTools, sql: Sql, { batchId, by, seen }: Approval): Promise<Batch | undefined> {
  if (!(await isOperator(sql, by))) refuse(notAnOperator);
  const draft = (await lockBatch(sql, batchId)) ?? refuse('not_found');
  if (draft.createdById === by.id || draft.createdBy === by.email) refuse(samePerson);
  if (draft.state !== 'draft') refuse(batchInOtherState);
  await lockTermsOf(sql, batchId);
  const left = await countLeft(sql, batchId);
  if (left.payouts === 0) {
    const canceledAt = tools.clock.now();
    await updateBatch(sql, { ...draft, state: 'canceled', canceledById: by.id, canceledBy: by.email, canceledAt });
    return undefined;
  }
  await dropEnded(sql, batchId);
  if (left.payouts !== seen.payouts || left.totalMinor !== seen.totalMinor) {
    await updateBatch(sql, { ...draft, ...left });
    return undefined;
  }
  const ids = await listPayoutIds(sql, batchId);
  if (!(await haveOurSettings(tools, sql, ids))) refuse(payeeAltered);
  const approved = await markApproved(tools, sql, ids);
  // Whoever canceled one of them was faster: before the others were dropped, or after.
  if (approved.length !== seen.payouts) refuse(batchChanged);
  if (!(await areBooked(sql, ids))) refuse(payeeAltered);
  const digest = await digestOf(sql, batchId);
  const approvedAt = tools.clock.now();
  const signed = { ...draft, ...left, approvedById: by.id, approvedBy: by.email, approvedAt, digest };
  const batch: Batch = { ...signed, state: 'approved', mac: signBatch(tools.vault, signed) };
  await updateBatch(sql, batch);
  return batch;
}
