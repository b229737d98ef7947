import type { WorkName } from '../../contract/codes/works.ts';
import type { Verifying } from '../database/index.ts';
import { type Confirmation, confirmOperator, type Identity } from '../identity/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { givePayer } from '../treasury/index.ts';
import { approveBatch } from './approve.ts';
import { cancelBatch, cancelMissed, type FindAbsence } from './cancel.ts';
import { draftBatch } from './draft.ts';
import { makeFile } from './file.ts';
import { handOver, type Receiver } from './hand-over.ts';
import type { Signer } from './model.ts';
import { placeFiles } from './place-files.ts';
import { type Amounts, settleEnded } from './store/batches.ts';
import { verifyBatches } from './verify.ts';

const settledAtOnce = 100;

export type Batches = ReturnType<typeof openBatches>;

/** Without `findAbsence` nothing that was handed over can be canceled. */
export function openBatches(tools: Tools, identity: Pick<Identity, 'tools'>, findAbsence?: FindAbsence) {
  const confirm = (confirming: Confirmation): Promise<Signer> => confirmOperator(identity.tools, confirming);
  return {
    name: 'batches',
    works: [
      { name: 'settle_batches', run: () => settleEnded(tools.db.sql, tools.clock.now(), settledAtOnce) },
    ] satisfies Work<WorkName>[],
    verify: (verifying: Verifying) => verifyBatches(tools, verifying),
    confirm,
    draft: (by: Signer, payingAccountId?: string) => draftBatch(tools, { by, payingAccountId }),
    /** `seen`: what the person who signs saw. */
    approve: async (batchId: string, seen: Amounts, confirming: Confirmation) =>
      approveBatch(tools, { batchId, seen, by: await confirm(confirming) }),
    makeFile: (batchId: string, profile?: string) => makeFile(tools, batchId, profile),
    handOver: (batchId: string, receiver: Receiver) => handOver(tools, batchId, receiver),
    placeFiles: (folder: string, person: string) => placeFiles(tools, { folder, person }),
    cancel: (batchId: string, by: { readonly id: string | null; readonly email: string }) =>
      cancelBatch(tools, batchId, by),
    cancelMissed: async (batchId: string, confirming: Confirmation) =>
      cancelMissed(tools, { batchId, by: await confirm(confirming) }, findAbsence),
    givePayingAccount: (given: Parameters<typeof givePayer>[1]) => givePayer(tools, given),
  };
}
