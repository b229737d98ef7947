// What the second person signs: every payout with its amount, holder and number, in one hash, and the batch with it, by the
// vault. Who writes another amount or another signature into the database gets no file.

import { createHash, type Hash } from 'node:crypto';
import { canonicalJson, canonicalRow } from '../kernel/index.ts';
import type { Payout } from '../payouts/index.ts';
import type { Vault } from '../runtime/index.ts';
import type { Batch, PayoutFile } from './model.ts';

const batchPurpose = 'batch of payouts';
const filePurpose = 'file of payouts';

export const startDigest = (): Hash => createHash('sha256');

/** Sealed numbers belong to their payout, so that of another one is not accepted in its place. */
export function addToDigest(digest: Hash, payout: Payout): void {
  const { id, accountId, amountMinor, currency, holder, numberSealed } = payout;
  digest.update(`${canonicalJson([id, accountId, String(amountMinor), currency, holder, numberSealed])}\n`);
}

type SignedPart = Pick<
  Batch,
  | 'id'
  | 'bankAccountId'
  | 'payerHolder'
  | 'profile'
  | 'currency'
  | 'payouts'
  | 'totalMinor'
  | 'createdById'
  | 'createdBy'
  | 'approvedById'
  | 'approvedBy'
  | 'approvedAt'
> & { readonly digest: Uint8Array };

function batchText(batch: SignedPart): string {
  const { id, bankAccountId, payerHolder, profile, currency, payouts, totalMinor, createdById, createdBy, digest } =
    batch;
  const { approvedById, approvedBy, approvedAt } = batch;
  const payer = { bankAccountId, payerHolder, profile };
  const content = { id, ...payer, currency, payouts, totalMinor, digest: Buffer.from(digest).toString('hex') };
  return canonicalRow({ ...content, createdById, createdBy, approvedById, approvedBy, approvedAt });
}

export const signBatch = (vault: Vault, batch: SignedPart): string => vault.mac(batchText(batch), batchPurpose);

/** Whether the signature of the batch is its own. */
export function isSignedBatch(vault: Vault, batch: Batch): boolean {
  const { mac, digest } = batch;
  return mac !== null && digest !== null && isMac(vault, mac, batchText({ ...batch, digest }), batchPurpose);
}

type FilePart = Pick<
  PayoutFile,
  'id' | 'batchId' | 'payerNumber' | 'payerHolder' | 'number' | 'messageId' | 'profile'
> & {
  readonly executeOn: Temporal.PlainDate;
  readonly sha256: Uint8Array;
  readonly size: bigint;
};

function fileText(file: FilePart): string {
  const { id, batchId, payerNumber, payerHolder, number, messageId, profile, executeOn, sha256, size } = file;
  const hash = Buffer.from(sha256).toString('hex');
  const about = { id, batchId, payerNumber, payerHolder, number, messageId, profile };
  return canonicalRow({ ...about, executeOn: executeOn.toString(), hash, size });
}

export const signFile = (vault: Vault, file: FilePart): string => vault.mac(fileText(file), filePurpose);

export function isSignedFile(vault: Vault, file: PayoutFile): boolean {
  const { mac, sha256, size } = file;
  if (mac === null || sha256 === null || size === null) return false;
  return isMac(vault, mac, fileText({ ...file, sha256, size }), filePurpose);
}

/** One of an unknown key is not right either. */
function isMac(vault: Vault, mac: string, text: string, purpose: string): boolean {
  try {
    return vault.isMacOf(mac, text, purpose);
  } catch {
    return false;
  }
}
