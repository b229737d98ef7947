// A batch from the payouts that wait for one.

import { notAnOperator } from '../identity/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { batchEmpty, payingAccountMissing } from './failures.ts';
import type { Batch, Signer } from './model.ts';
import { profileFor } from './paying-account.ts';
import { insertDraft, isOperator, listPayingAccounts, lockPayingAccount } from './store/batches.ts';

/** Of this account, or of the only one there is. */
export interface Drafting {
  readonly payingAccountId?: string | undefined;
  readonly by: Signer;
}

/** A draft with all payouts that are in no batch, as many as one file has at most. Nothing moves. */
export function draftBatch(
  { clock, db, ids }: Pick<Tools, 'clock' | 'db' | 'ids'>,
  { payingAccountId, by }: Drafting,
): Promise<Batch> {
  return db.atomic(async (sql) => {
    if (!(await isOperator(sql, by))) refuse(notAnOperator);
    const accounts = await listPayingAccounts(sql);
    const [only, ...others] = accounts.filter(({ id }) => payingAccountId === undefined || id === payingAccountId);
    if (!only || others.length > 0) return refuse(payingAccountMissing, 'payingAccountId');
    await lockPayingAccount(sql, only.id);
    const { currency, paymentsAtMost } = await profileFor(sql, only.profile, 'PLN');
    const createdAt = clock.now();
    const draft = {
      id: ids.ulid(createdAt),
      payingAccountId: only.id,
      currency: currency as 'PLN',
      createdById: by.id,
      createdBy: by.email,
      createdAt,
    };
    return (await insertDraft(sql, draft, paymentsAtMost)) ?? refuse(batchEmpty);
  });
}
