// Journals as data: what is debited and what is credited. Pure; each sums to zero by construction, and the schema
// checks it again.

import type { AccountId, Currency } from '../kernel/index.ts';
import { ledgerAccounts as account } from './accounts.ts';

/** Debits are positive, credits negative. */
export interface Entry {
  readonly account: string;
  readonly amountMinor: bigint;
}

export interface Journal {
  readonly source: string;
  readonly kind: string;
  readonly currency: Currency;
  readonly entries: readonly Entry[];
}

const credit = (name: string, minor: bigint): Entry => ({ account: name, amountMinor: -minor });
const debit = (name: string, minor: bigint): Entry => ({ account: name, amountMinor: minor });

/** Zero entries are left out. */
function journal(source: string, kind: string, currency: Currency, entries: readonly Entry[]): Journal {
  const sum = entries.reduce((total, entry) => total + entry.amountMinor, 0n);
  if (sum !== 0n) throw new Error(`Journal ${source} ${kind} is off by ${sum}.`);
  return { source, kind, currency, entries: entries.filter((entry) => entry.amountMinor !== 0n) };
}

export interface Fee {
  readonly basisPoints: number;
  readonly fixedMinor: bigint;
  readonly minimumMinor?: bigint;
  /** Null: none. */
  readonly maximumMinor?: bigint | null;
}

/** A percentage, rounded half up, plus a fixed part, within minimum and maximum; never more than the payment. */
export function paymentFee(amountMinor: bigint, fee: Fee): bigint {
  const share = (amountMinor * BigInt(fee.basisPoints) + 5_000n) / 10_000n;
  const whole = share + fee.fixedMinor;
  const { minimumMinor = 0n, maximumMinor = null } = fee;
  const raised = whole < minimumMinor ? minimumMinor : whole;
  const bounded = maximumMinor !== null && raised > maximumMinor ? maximumMinor : raised;
  return bounded > amountMinor ? amountMinor : bounded;
}

export interface Capture {
  /** The attempt that captured the money. */
  readonly source: string;
  readonly acquirer: string;
  readonly currency: Currency;
  readonly amountMinor: bigint;
}

/** Payment 100.00, fee 1.50: receivable 100.00 -> merchant 98.50 + processing fee 1.50. */
export function paymentJournal(capture: Capture, merchantId: AccountId, feeMinor: bigint): Journal {
  return journal(capture.source, 'payment', capture.currency, [
    debit(account.receivable(capture.acquirer), capture.amountMinor),
    credit(account.available(merchantId), capture.amountMinor - feeMinor),
    credit(account.processingFee, feeMinor),
  ]);
}

/** The part of a payment that belongs to one seller. */
export interface Share {
  readonly merchantId: AccountId;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly commissionMinor: bigint;
}

function sumOf(shares: readonly Share[], part: 'amountMinor' | 'feeMinor' | 'commissionMinor'): bigint {
  return shares.reduce((total, share) => total + share[part], 0n);
}

/**
 * Payment 123.45 for sellers A (100.00, fee 1.50, commission 5.00) and B (23.45): receivable 123.45 -> A 93.50,
 * B 23.45, processing fee 1.50, partner 5.00.
 */
export function splitPaymentJournal(capture: Capture, partnerId: AccountId, shares: readonly Share[]): Journal {
  return journal(capture.source, 'payment', capture.currency, [
    debit(account.receivable(capture.acquirer), capture.amountMinor),
    ...shares.map(({ merchantId, amountMinor, feeMinor, commissionMinor }) =>
      credit(account.available(merchantId), amountMinor - feeMinor - commissionMinor),
    ),
    credit(account.processingFee, sumOf(shares, 'feeMinor')),
    credit(account.available(partnerId), sumOf(shares, 'commissionMinor')),
  ]);
}

/** Captured, but no transaction takes it (paid twice, or after a cancel): it belongs to the payer. */
export function surplusJournals(capture: Capture): Journal[] {
  return [
    journal(capture.source, 'surplus', capture.currency, [
      debit(account.receivable(capture.acquirer), capture.amountMinor),
      credit(account.payerUnallocated, capture.amountMinor),
    ]),
    journal(capture.source, 'surplus refund', capture.currency, [
      debit(account.payerUnallocated, capture.amountMinor),
      credit(account.refundPayable, capture.amountMinor),
    ]),
  ];
}

/** A surplus is not sent, because its payer got the money by a dispute: nobody is paid from it any more. */
export function surplusWithdrawnJournal({ source, currency, amountMinor }: Omit<Capture, 'acquirer'>): Journal {
  return journal(source, 'surplus withdrawn', currency, [
    debit(account.refundPayable, amountMinor),
    credit(account.payerUnallocated, amountMinor),
  ]);
}

/** The reverse, once the bank has paid it all the same. */
export function surplusOwedAgainJournal({ source, currency, amountMinor }: Omit<Capture, 'acquirer'>): Journal {
  return journal(source, 'surplus owed again', currency, [
    debit(account.payerUnallocated, amountMinor),
    credit(account.refundPayable, amountMinor),
  ]);
}

export interface RefundMoves {
  /** The refund. */
  readonly source: string;
  readonly currency: Currency;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
}

/** Refund 30.00, fee 1.00, on request: merchant 31.00 -> refund payable 30.00 + refund fee 1.00. */
export function refundJournal(refund: RefundMoves, merchantId: AccountId): Journal {
  const { source, currency, amountMinor, feeMinor } = refund;
  return journal(source, 'refund', currency, [
    debit(account.available(merchantId), amountMinor + feeMinor),
    credit(account.refundPayable, amountMinor),
    credit(account.refundFee, feeMinor),
  ]);
}

/** The reverse: if the bank declines the refund or it is canceled, the merchant gets amount and fee back. */
export function refundReturnedJournal(refund: RefundMoves, merchantId: AccountId): Journal {
  const { source, currency, amountMinor, feeMinor } = refund;
  return journal(source, 'refund returned', currency, [
    debit(account.refundPayable, amountMinor),
    debit(account.refundFee, feeMinor),
    credit(account.available(merchantId), amountMinor + feeMinor),
  ]);
}

/**
 * A refund that was paid and came back: the acquirer owes it to us again, and the merchant gets amount and fee back, as if
 * it had never been paid.
 */
export function refundCameBackJournal(refund: RefundMoves & Pick<Capture, 'acquirer'>, merchantId: AccountId): Journal {
  const { source, currency, amountMinor, feeMinor, acquirer } = refund;
  return journal(source, 'refund came back', currency, [
    debit(account.receivable(acquirer), amountMinor),
    debit(account.refundFee, feeMinor),
    credit(account.available(merchantId), amountMinor + feeMinor),
  ]);
}

/** The same over several sellers. */
export function splitRefundCameBackJournal(
  refund: Pick<RefundMoves, 'source' | 'currency'> & Pick<Capture, 'acquirer'>,
  partnerId: AccountId,
  shares: readonly Share[],
): Journal {
  const entries = splitRefundEntries(partnerId, shares, -1n, account.receivable(refund.acquirer));
  return journal(refund.source, 'refund came back', refund.currency, entries);
}

/** What went back to a payer and came back belongs to that payer still: nobody knows yet how it gets there. */
export function returnCameBackJournal(
  capture: Capture,
  kind: 'refund came back' | 'surplus came back' | 'unmatched came back',
): Journal {
  return journal(capture.source, kind, capture.currency, [
    debit(account.receivable(capture.acquirer), capture.amountMinor),
    credit(account.payerUnallocated, capture.amountMinor),
  ]);
}

/**
 * A refund over several sellers: each gives its amount and fee less the commission that the partner returns; if a
 * balance does not cover its part, nothing moves.
 */
export function splitRefundJournal(
  refund: Pick<RefundMoves, 'source' | 'currency'>,
  partnerId: AccountId,
  shares: readonly Share[],
): Journal {
  return journal(refund.source, 'refund', refund.currency, splitRefundEntries(partnerId, shares, 1n));
}

/** The reverse. */
export function splitRefundReturnedJournal(
  refund: Pick<RefundMoves, 'source' | 'currency'>,
  partnerId: AccountId,
  shares: readonly Share[],
): Journal {
  return journal(refund.source, 'refund returned', refund.currency, splitRefundEntries(partnerId, shares, -1n));
}

/** `against`: where the money of the refund is. */
function splitRefundEntries(
  partnerId: AccountId,
  shares: readonly Share[],
  sign: bigint,
  against: string = account.refundPayable,
): Entry[] {
  return [
    ...shares.map(({ merchantId, amountMinor, feeMinor, commissionMinor }) =>
      debit(account.available(merchantId), sign * (amountMinor + feeMinor - commissionMinor)),
    ),
    debit(account.available(partnerId), sign * sumOf(shares, 'commissionMinor')),
    credit(against, sign * sumOf(shares, 'amountMinor')),
    credit(account.refundFee, sign * sumOf(shares, 'feeMinor')),
  ];
}

/**
 * The bank paid out a refund that it had declined, after the merchant got the money back: the amount is booked against
 * unallocated payer money.
 */
export function refundPaidLateJournal(capture: Capture): Journal {
  return journal(capture.source, 'refund paid late', capture.currency, [
    debit(account.payerUnallocated, capture.amountMinor),
    credit(account.receivable(capture.acquirer), capture.amountMinor),
  ]);
}

/** The bank paid out the refund: we no longer owe it to the payer, and the acquirer no longer owes it to us. */
export function refundExecutedJournal(capture: Capture): Journal {
  return journal(capture.source, 'refund executed', capture.currency, [
    debit(account.refundPayable, capture.amountMinor),
    credit(account.receivable(capture.acquirer), capture.amountMinor),
  ]);
}

/** What a difference from the acquirer's statement moves against what. */
export interface Reconciled {
  readonly kind: string;
  /**
   * Our loss that becomes smaller, payers' money that belongs to nobody, what came to our bank account, the acquirer's
   * fee.
   */
  readonly lossMinor: bigint;
  readonly unallocatedMinor: bigint;
  readonly bankMinor: bigint;
  readonly feeMinor: bigint;
  /** What disputes have taken from accounts, and what nobody knows what it was for. */
  readonly disputeMinor: bigint;
  readonly suspenseMinor: bigint;
}

/**
 * Brings the receivable account in line with the acquirer's statement: more is owed to us (or less, if negative), against
 * payers' money that belongs to nobody yet, our own loss, our bank account, the acquirer's fee, what disputes have taken, or
 * what nobody knows.
 */
export function reconciledJournal(capture: Capture, against: Reconciled): Journal {
  return journal(capture.source, against.kind, capture.currency, [
    debit(account.receivable(capture.acquirer), capture.amountMinor),
    debit(account.loss, against.lossMinor),
    credit(account.payerUnallocated, against.unallocatedMinor),
    debit(account.bankClient, against.bankMinor),
    debit(account.acquirerFee, against.feeMinor),
    credit(account.disputePayable, against.disputeMinor),
    credit(account.suspense(capture.acquirer), against.suspenseMinor),
  ]);
}

/** The bank paid a capture that belongs to nobody back to the payer. */
export function unmatchedReturnedJournal(capture: Capture): Journal {
  return journal(capture.source, 'unmatched returned', capture.currency, [
    debit(account.payerUnallocated, capture.amountMinor),
    credit(account.receivable(capture.acquirer), capture.amountMinor),
  ]);
}

/** What an account bears: from its balance, and what it owes us instead. Negative: it gets it back. */
export interface Borne {
  readonly accountId: AccountId;
  readonly availableMinor: bigint;
  readonly owedMinor: bigint;
}

/** What an account has, and what it owes us. */
export interface Means {
  readonly availableMinor: bigint;
  readonly owedMinor: bigint;
}

/** What is taken leaves the balance as far as it goes; the rest is owed. What is given back first pays what is owed. */
export function borneBy(
  { accountId, minor }: { readonly accountId: AccountId; readonly minor: bigint },
  { availableMinor, owedMinor }: Means,
): Borne {
  if (minor > 0n) {
    const taken = minor < availableMinor ? minor : availableMinor;
    return { accountId, availableMinor: taken, owedMinor: minor - taken };
  }
  const paid = -minor < owedMinor ? -minor : owedMinor;
  return { accountId, availableMinor: minor + paid, owedMinor: -paid };
}

/**
 * What a dispute takes from accounts, before or after the acquirer takes it from us: 100.00 of a merchant with 60.00 ->
 * available 60.00, owed 40.00, dispute payable 100.00. What is given back is the reverse.
 */
export function disputeJournal(source: string, currency: Currency, borne: readonly Borne[]): Journal {
  const totalMinor = borne.reduce((sum, one) => sum + one.availableMinor + one.owedMinor, 0n);
  return journal(source, totalMinor < 0n ? 'dispute returned' : 'dispute', currency, [
    ...borne.flatMap(({ accountId, availableMinor, owedMinor }) => [
      debit(account.available(accountId), availableMinor),
      debit(account.owed(accountId), owedMinor),
    ]),
    credit(account.disputePayable, totalMinor),
  ]);
}

/**
 * What no account bears of a dispute; negative: it is given back. It is our loss, except what we had of the payer's money:
 * 100.00, of which 60.00 were to go back to the payer -> loss 40.00, payer's money 60.00, dispute payable 100.00.
 */
export function disputeLossJournal(source: string, currency: Currency, minor: bigint, coveredMinor = 0n): Journal {
  return journal(source, 'dispute written off', currency, [
    debit(account.loss, minor - coveredMinor),
    debit(account.payerUnallocated, coveredMinor),
    credit(account.disputePayable, minor),
  ]);
}

export interface PayoutMoves {
  /** The payout. */
  readonly source: string;
  readonly currency: Currency;
  /** What the bank transfers; the fee leaves the balance beside it. */
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
}

/** Payout 100.00, fee 1.00: available 101.00 -> payout transit 100.00 + payout fee 1.00. */
export function payoutCreatedJournal(payout: PayoutMoves, accountId: AccountId): Journal {
  const { source, currency, amountMinor, feeMinor } = payout;
  return journal(source, 'payout created', currency, [
    debit(account.available(accountId), amountMinor + feeMinor),
    credit(account.payoutTransit(accountId), amountMinor),
    credit(account.payoutFee, feeMinor),
  ]);
}

/** The reverse: it was canceled, or the bank never paid it. */
export function payoutReturnedJournal(payout: PayoutMoves, accountId: AccountId): Journal {
  const { source, currency, amountMinor, feeMinor } = payout;
  return journal(source, 'payout returned', currency, [
    debit(account.payoutTransit(accountId), amountMinor),
    debit(account.payoutFee, feeMinor),
    credit(account.available(accountId), amountMinor + feeMinor),
  ]);
}

/** What our bank's movement of a payout changes, as debits: together they are nothing. */
export interface PayoutMoved {
  /** The movement. */
  readonly source: string;
  readonly currency: Currency;
  readonly kind: 'payout paid' | 'payout paid after all' | 'payout sent back' | 'payout move undone';
  readonly transitMinor: bigint;
  readonly availableMinor: bigint;
  readonly owedMinor: bigint;
  readonly feeMinor: bigint;
  readonly bankMinor: bigint;
}

/**
 * Our bank booked 100.00: payout transit 100.00 -> bank client 100.00. It paid what had come back to the balance: available
 * 60.00, owed 40.00 -> bank client 100.00. Of 100.00 only 95.00 came back: bank client 95.00, bank fee 5.00 -> available 100.00.
 */
export function payoutMovedJournal(moved: PayoutMoved, accountId: AccountId): Journal {
  return journal(moved.source, moved.kind, moved.currency, [
    debit(account.payoutTransit(accountId), moved.transitMinor),
    debit(account.available(accountId), moved.availableMinor),
    debit(account.owed(accountId), moved.owedMinor),
    debit(account.bankFee, moved.feeMinor),
    debit(account.bankClient, moved.bankMinor),
  ]);
}

/** An opening balance: of the demo, or paid in by an operator. */
export function openingJournal(merchantId: AccountId, amountMinor: bigint, currency: Currency): Journal {
  return journal(merchantId, 'opening', currency, [
    debit(account.bankClient, amountMinor),
    credit(account.available(merchantId), amountMinor),
  ]);
}

/** A line of our bank: 100.00 came, and nobody knows what for -> bank client 100.00, unallocated 100.00. Negative: it left. */
export function bankLineJournal(
  source: string,
  kind: 'bank in' | 'bank out' | 'bank fee',
  currency: Currency,
  amountMinor: bigint,
): Journal {
  return journal(source, kind, currency, [
    debit(account.bankClient, amountMinor),
    credit(kind === 'bank fee' ? account.bankFee : account.bankUnallocated, amountMinor),
  ]);
}

export type AllocationJournal =
  | 'bank line matched'
  | 'bank line fee'
  | 'bank line matched undone'
  | 'bank line fee undone';

/**
 * What an unknown line turned out to be: the bank's charge, or money that is in the books by a journal of its own, so that
 * this one takes it back. If that was wrong, the reverse.
 */
export function bankAllocationJournal(
  source: string,
  kind: AllocationJournal,
  currency: Currency,
  amountMinor: bigint,
): Journal {
  const isFee = kind === 'bank line fee' || kind === 'bank line fee undone';
  return journal(source, kind, currency, [
    debit(account.bankUnallocated, amountMinor),
    credit(isFee ? account.bankFee : account.bankClient, amountMinor),
  ]);
}
