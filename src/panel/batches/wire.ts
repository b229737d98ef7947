// What is shown of batches of payouts.

import type { Amounts, Batch, PayoutFile, ShownPayout } from '../../batches/index.ts';
import { fileNameOf } from '../../batches/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { BankAccount, Payer } from '../../treasury/index.ts';

const signature = (by: string | null, at: Temporal.Instant | null) =>
  by === null || at === null ? null : { by, at: at.toString() };

function serializeFile(file: PayoutFile) {
  const { profile, number, messageId, executeOn, size, sha256 } = file;
  return {
    name: fileNameOf(file, false),
    profile,
    number,
    messageId,
    executeOn: executeOn.toString(),
    size: size === null ? null : Number(size),
    sha256: sha256 === null ? null : Buffer.from(sha256).toString('hex'),
  };
}

export function serializeBatch(batch: Batch, payer: BankAccount | undefined, file: PayoutFile | undefined) {
  const { id, state, payouts, totalMinor, currency, createdBy, createdAt, handedOverAt } = batch;
  return {
    id,
    state,
    payouts,
    total: decimalFromMinor(totalMinor),
    currency,
    payer: (file?.payerNumber ?? payer?.number ?? '').slice(-4),
    first: { by: createdBy, at: createdAt.toString() },
    second: signature(batch.approvedBy, batch.approvedAt),
    missed: signature(batch.missedBy, batch.missedAt),
    canceled: signature(batch.canceledBy, batch.canceledAt),
    handedOverAt: handedOverAt?.toString() ?? null,
    file: file ? serializeFile(file) : null,
  };
}

export function serializeWaiting({ payouts, totalMinor }: Amounts) {
  return { payouts, total: decimalFromMinor(totalMinor), currency: 'PLN' };
}

export const serializeAccount = ({ id, number, holder, profile }: Payer) => ({ id, number, holder, profile });

export function serializePayout({ amountMinor, ...payout }: ShownPayout) {
  return { ...payout, amount: decimalFromMinor(amountMinor) };
}
