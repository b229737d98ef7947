// How a refund over several sellers is divided among them. Pure.

import type { SellerTerms } from '../accounts/index.ts';
import type { AccountId } from '../kernel/index.ts';
import type { Share } from '../ledger/index.ts';
import type { ChosenPart, RefundPart } from './model.ts';

export function sumOf(
  parts: readonly Pick<RefundPart, 'amountMinor' | 'feeMinor'>[],
  key: 'amountMinor' | 'feeMinor',
): bigint {
  return parts.reduce((sum, part) => sum + part[key], 0n);
}

/** What is gone of a part: what was refunded and what the bank paid late, and never more than the part. */
export function goneOf(
  { amountMinor }: { readonly amountMinor: bigint },
  total: { readonly refundedMinor: bigint; readonly paidLateMinor: bigint } | undefined,
): bigint {
  const gone = total ? total.refundedMinor + total.paidLateMinor : 0n;
  return gone < amountMinor ? gone : amountMinor;
}

/** The fee of each part: a seller pays its fee once for the refund, with its first part. */
export function feesOf(chosen: readonly Pick<ChosenPart, 'part'>[], terms: readonly SellerTerms[]): bigint[] {
  const fees = new Map(terms.map(({ id, refundFeeMinor }) => [id, refundFeeMinor]));
  return chosen.map(({ part: { merchantId } }) => {
    const fee = fees.get(merchantId) ?? 0n;
    fees.delete(merchantId);
    return fee;
  });
}

type PartAmounts = Pick<RefundPart, 'merchantId' | 'amountMinor' | 'feeMinor' | 'commissionMinor'>;

/** The shares of a refund by seller. */
export function sharesOf(parts: readonly PartAmounts[]): Share[] {
  const shares = new Map<AccountId, Share>();
  for (const { merchantId, amountMinor, feeMinor, commissionMinor } of parts) {
    const before = shares.get(merchantId);
    shares.set(merchantId, {
      merchantId,
      amountMinor: amountMinor + (before?.amountMinor ?? 0n),
      feeMinor: feeMinor + (before?.feeMinor ?? 0n),
      commissionMinor: commissionMinor + (before?.commissionMinor ?? 0n),
    });
  }
  return [...shares.values()];
}

/** What each balance gives: sellers amount and fee less the commission, which the partner returns. */
export function debitsOf(parts: readonly PartAmounts[], partnerId: AccountId): Map<AccountId, bigint> {
  const shares = sharesOf(parts);
  const debits = new Map(
    shares.map(({ merchantId, amountMinor, feeMinor, commissionMinor }) => [
      merchantId,
      amountMinor + feeMinor - commissionMinor,
    ]),
  );
  const commission = shares.reduce((sum, { commissionMinor }) => sum + commissionMinor, 0n);
  if (commission > 0n) debits.set(partnerId, commission);
  return debits;
}
