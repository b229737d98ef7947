// Batches: payouts that go to the bank together, in one file that two people signed.
// Owns: payout_batch, payout_batch_item, payout_file, payout_handover.
// Guarantees: a payout is in one batch; no batch goes to the bank without the signature of an operator who has not made it;
// the file is what was signed, its bytes never change, and files of an account are numbered without gaps; only the first
// who gets it may send it, everybody else is told that it is a copy.
// Never: sends anything to a bank by itself, or tries again what the bank may have.
export { type Approval, approveBatch } from './approve.ts';
export { cancelBatch, cancelMissed } from './cancel.ts';
export { draftBatch } from './draft.ts';
export { batchesFailures } from './failures.ts';
export { makeFile } from './file.ts';
export { fileNameOf, type Handed, handOver } from './hand-over.ts';
export type { Batch, BatchState, Handover, PayoutFile, Signer } from './model.ts';
export { type Batches, openBatches } from './open.ts';
export { type Placed, placeFiles } from './place-files.ts';
export {
  type Amounts,
  findBatch,
  findWaiting,
  listBatches,
  listShown,
  type ShownPayout,
} from './store/batches.ts';
export { findFileOf, listFilesOf, listHandovers } from './store/files.ts';
