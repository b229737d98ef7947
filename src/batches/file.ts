// The payment file of a batch. What it is made of is written first: its number, its day, its profile. The bytes follow from
// that and from what was signed, so whoever goes on after a crash makes the same ones.

import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { paymentFileSentences } from '../../contract/codes/english/payment-files.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { type Payment, type PaymentBatch, PaymentFileFault, writePaymentFile } from '../bankfiles/index.ts';
import type { Sql } from '../database/index.ts';
import { refuse } from '../kernel/index.ts';
import { bankDayFrom } from '../payouts/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { findBankAccount, findProfile, lockBankAccount, profileFor } from '../treasury/index.ts';
import { payoutsOf } from './approve.ts';
import { batchAltered, batchInOtherState, fileNotPossible, payingAccountMissing } from './failures.ts';
import type { Batch, PayoutFile } from './model.ts';
import { paymentOf } from './payment.ts';
import { addToDigest, isSignedBatch, signFile, startDigest } from './signed.ts';
import { findBatch, lockBatch, updateBatch } from './store/batches.ts';
import { findFileOf, findNextNumber, insertFile, updateBytes, updateProfile, type Written } from './store/files.ts';

export type FileTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>;

const digitsOfAccount = 10;
const digitsOfNumber = 6;

/** Which of our accounts, and which file of it: 23 characters, so that a statement has all of it. */
function messageIdOf(payerNumber: string, number: number): string {
  return `GROSZ-${payerNumber.slice(-digitsOfAccount)}-${String(number).padStart(digitsOfNumber, '0')}`;
}

/**
 * The file of an approved batch, made now if nobody has. Without a profile: that which was signed. Another one may be
 * chosen until the bytes are written.
 */
export async function makeFile(tools: FileTools, batchId: string, profile?: string): Promise<PayoutFile> {
  const { file, batch } = await tools.db.atomic((sql) => openFile(tools, sql, batchId, profile));
  return file.sha256 === null ? keepBytes(tools, batch, file) : file;
}

interface Opened {
  readonly batch: Batch;
  readonly file: PayoutFile;
}

async function openFile(tools: FileTools, sql: Sql, batchId: string, asked: string | undefined): Promise<Opened> {
  const found = (await findBatch(sql, batchId)) ?? refuse('not_found');
  // Before the batch, as whoever drafts one does.
  await lockBankAccount(sql, found.bankAccountId);
  const batch = (await lockBatch(sql, batchId)) ?? refuse('not_found');
  if (batch.state === 'draft' || batch.state === 'canceled') return refuse(batchInOtherState);
  const known = await findFileOf(sql, batchId);
  if (known?.sha256) {
    return asked === undefined || asked === known.profile
      ? { batch, file: known }
      : refuse(batchInOtherState, 'profile');
  }
  const account = (await findBankAccount(sql, batch.bankAccountId)) ?? refuse(payingAccountMissing);
  const { name, zone } = await profileFor(sql, asked ?? known?.profile ?? batch.profile, batch.currency);
  if (known) {
    if (known.profile !== name) await updateProfile(sql, known.id, name);
    return { batch, file: { ...known, profile: name } };
  }
  const createdAt = tools.clock.now();
  const number = await findNextNumber(sql, account.number);
  const file: PayoutFile = {
    id: tools.ids.ulid(createdAt),
    batchId,
    payerNumber: account.number,
    payerHolder: batch.payerHolder,
    number,
    messageId: messageIdOf(account.number, number),
    profile: name,
    executeOn: bankDayFrom(createdAt.toZonedDateTimeISO(zone).toPlainDate(), batch.currency),
    createdAt,
    size: null,
    sha256: null,
    mac: null,
  };
  await insertFile(sql, file);
  return { batch, file };
}

/** Writes the bytes; if another node has written them meanwhile, they are the same. */
async function keepBytes(tools: FileTools, batch: Batch, file: PayoutFile): Promise<PayoutFile> {
  const written = await writeFile(tools, batch, file);
  return tools.db.atomic(async (sql) => {
    const now = (await lockBatch(sql, batch.id)) ?? refuse('not_found');
    const there = (await findFileOf(sql, batch.id)) ?? refuse('not_found');
    if (there.sha256) {
      if (Buffer.compare(there.sha256, written.sha256) !== 0) {
        throw new Error(`File ${file.id} was made a second time, with other bytes.`);
      }
      return there;
    }
    if (now.state !== 'approved' || there.profile !== file.profile) return refuse(batchInOtherState);
    await updateBytes(sql, file.id, written);
    await updateBatch(sql, { ...now, state: 'made', madeAt: tools.clock.now() });
    const { size, sha256, mac } = written;
    return { ...there, size, sha256, mac };
  });
}

/** Refuses unless the payouts are those that were signed, to the last byte. */
async function writeFile(tools: FileTools, batch: Batch, file: PayoutFile): Promise<Written> {
  const profile = (await findProfile(tools.db.sql, file.profile)) ?? refuse(fileNotPossible);
  if (!isSignedBatch(tools.vault, batch)) refuse(batchAltered);
  const digest = startDigest();
  const sha256 = createHash('sha256');
  const packed = createGzip();
  const kept: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    packed.on('data', (chunk: Buffer) => kept.push(chunk));
    packed.on('end', resolve);
    packed.on('error', reject);
  });
  let size = 0n;
  try {
    for await (const piece of writePaymentFile(profile, headOf(batch, file), paymentsOf(tools, batch.id, digest))) {
      sha256.update(piece);
      size += BigInt(piece.length);
      packed.write(piece);
    }
  } catch (error) {
    packed.destroy();
    throw error instanceof PaymentFileFault ? notPossible(error) : error;
  }
  packed.end();
  await ended;
  if (batch.digest === null || Buffer.compare(digest.digest(), batch.digest) !== 0) refuse(batchAltered);
  const done = { size, sha256: sha256.digest() };
  return { ...done, bytes: Buffer.concat(kept), mac: signFile(tools.vault, { ...file, ...done }) };
}

function headOf({ payouts, totalMinor, currency }: Batch, file: PayoutFile): PaymentBatch {
  const { messageId, createdAt, executeOn, payerHolder: payerName, payerNumber: payerIban } = file;
  const day = executeOn.toString();
  return {
    messageId,
    createdAt,
    executeOn: day,
    currency,
    payments: payouts,
    sumMinor: totalMinor,
    payerName,
    payerIban,
  };
}

async function* paymentsOf(
  { db, vault }: FileTools,
  batchId: string,
  digest: ReturnType<typeof startDigest>,
): AsyncGenerator<Payment> {
  for await (const page of payoutsOf(db.sql, batchId)) {
    yield* await mapInTurns(page, (payout): Payment => {
      addToDigest(digest, payout);
      return paymentOf(vault, payout);
    });
  }
}

function notPossible({ problem, payment }: PaymentFileFault): never {
  const place = payment === undefined ? '' : `Payment ${payment}: `;
  return refuse(fileNotPossible, '', `${place}${sentenceOf(paymentFileSentences, problem)}`);
}
