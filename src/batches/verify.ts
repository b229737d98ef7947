// Checks batches and their files, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, type Sql, type Verifying, verifyPages } from '../database/index.ts';
import { Refusal } from '../kernel/index.ts';
import { openNumberOf, type Payout } from '../payouts/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { payoutsOf } from './approve.ts';
import { contentOf } from './hand-over.ts';
import type { Batch, PayoutFile } from './model.ts';
import { isPayment, readPayment } from './read-payments.ts';
import { addToDigest, isSignedBatch, startDigest } from './signed.ts';
import { findFileOf } from './store/files.ts';
import { listBatchesIn, listBatchesSince, listNumberGaps, listWrongBatches } from './store/verify.ts';

type VerifyTools = Pick<Tools, 'vault'>;

/** Each batch or file that is not what two people signed, and each number of a file that is missing. */
export async function verifyBatches(tools: VerifyTools, verifying: Verifying): Promise<Finding[]> {
  const { sql } = verifying;
  const batches = { table: 'payout_batch', key: 'id', changed: listBatchesSince };
  return [
    ...(await verifyPages(verifying, batches, async (page) => [
      ...(await listWrongBatches(sql, page)),
      ...(await wrongSignatures(tools, sql, await listBatchesIn(sql, page))),
    ])),
    ...(await listNumberGaps(sql)),
  ];
}

async function wrongSignatures(tools: VerifyTools, sql: Sql, batches: readonly Batch[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const batch of batches) {
    if (batch.approvedAt === null || found.length >= findingsAtMost) continue;
    const { id } = batch;
    if (!isSignedBatch(tools.vault, batch)) found.push({ code: 'batch_not_signed', parameters: { id } });
    else if (!(await hasSigned(sql, batch))) found.push({ code: 'batch_altered', parameters: { id } });
    const file = await findFileOf(sql, id);
    if (file?.sha256) found.push(...(await wrongFile(tools, sql, file)));
  }
  return found;
}

async function hasSigned(sql: Sql, { id, digest }: Batch): Promise<boolean> {
  const found = startDigest();
  for await (const page of payoutsOf(sql, id)) await mapInTurns(page, (payout) => addToDigest(found, payout));
  return digest !== null && Buffer.compare(found.digest(), digest) === 0;
}

/** Each payout once, with amount and number, in order, and nothing else. */
async function wrongFile(tools: VerifyTools, sql: Sql, file: PayoutFile): Promise<Finding[]> {
  const { id, batchId } = file;
  let content: Awaited<ReturnType<typeof contentOf>>;
  try {
    content = await contentOf(tools.vault, sql, file);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ code: 'payout_file_changed', parameters: { id } }];
  }
  const lines = paymentLines(content());
  for await (const page of payoutsOf(sql, batchId)) {
    for (const payout of page) {
      const { value } = await lines.next();
      if (value === undefined || !pays(tools, value, payout)) {
        return [{ code: 'payout_file_differs', parameters: { id, payout: payout.id } }];
      }
    }
  }
  const { done } = await lines.next();
  return done ? [] : [{ code: 'payout_file_differs', parameters: { id, payout: null } }];
}

function pays({ vault }: VerifyTools, line: string, payout: Payout): boolean {
  const read = readPayment(line);
  if (!read || read.reference !== payout.id || read.amountMinor !== payout.amountMinor) return false;
  try {
    return read.number === openNumberOf(vault, payout).reveal();
  } catch {
    return false;
  }
}

/** All that is compared is in ASCII, in every encoding that files have. */
async function* paymentLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const piece of content) {
    const lines = (rest + Buffer.from(piece).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (isPayment(line)) yield line;
  }
  if (isPayment(rest)) yield rest;
  return undefined;
}
