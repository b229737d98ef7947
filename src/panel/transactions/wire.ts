// Transactions on screen, to wire.

import type { ledgerAccountKinds, showTransaction } from '../../../contract/panel/transactions.ts';
import type { Static } from '../../../contract/schema.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import { methodOf } from '../../methods/index.ts';
import { declineOf, payPageUrl, type Transaction } from '../../transactions/index.ts';
import type { NotificationRow, TransactionDetail } from './detail.ts';
import type { BearerRow, DisputeRow } from './read-disputes.ts';
import type {
  AttemptRow,
  ChargeRow,
  EntryRow,
  JournalRow,
  MailRow,
  Parked,
  PartRow,
  RefundRow,
  SurplusRow,
} from './read-one.ts';
import { type Happening, timelineOf } from './timeline.ts';

type Shown = Static<(typeof showTransaction.responses)[200]>;

const textOf = (at: Temporal.Instant | null) => at?.toString() ?? null;

/** One row of the list. */
export function serializeRow(transaction: Transaction, refundedMinor: bigint) {
  return {
    transactionId: transaction.id,
    title: transaction.title,
    status: transaction.status,
    paymentStatus: transaction.paymentStatus,
    origin: transaction.origin,
    createdAt: transaction.createdAt.toString(),
    paidAt: textOf(transaction.paidAt),
    amount: decimalFromMinor(transaction.amount.minor),
    amountPaid: decimalFromMinor(transaction.amountPaidMinor),
    refunded: decimalFromMinor(refundedMinor),
    currency: transaction.amount.currency,
    description: transaction.description,
    hiddenDescription: transaction.hiddenDescription,
    payerEmail: transaction.payer.email,
    payerName: transaction.payer.name,
    channelId: transaction.channelId === null ? null : String(transaction.channelId),
    posId: transaction.posId,
  };
}

/** Which acquirer a charge went through concerns operators only. */
export function serializeDetail(
  detail: TransactionDetail,
  accountId: string,
  baseUrl: string,
  { operator }: { readonly operator: boolean },
) {
  const { charge } = detail;
  return {
    transaction: serializeFacts(detail, baseUrl),
    attempts: detail.attempts.map((attempt) => ({
      ...serializeAttempt(attempt, isGivenBack(detail, attempt)),
      acquirer: operator ? attempt.acquirer : null,
    })),
    refunds: detail.refunds.map(serializeRefund),
    disputes: detail.disputes.map((dispute) => serializeDispute(dispute, detail.bearers)),
    surpluses: detail.surpluses.map(serializeSurplus),
    journals: detail.journals.map((journal) => serializeJournal(journal, accountId)),
    notifications: detail.notifications.map(serializeNotification),
    mails: detail.mails.map(serializeMail),
    recurring: charge ? serializeCharge(charge) : null,
    parts: detail.parts.map(serializePart),
    timeline: timelineOf(detail).map(serializeHappening),
  };
}

function serializeFacts({ transaction, facts }: TransactionDetail, baseUrl: string): Shown['transaction'] {
  const { payerId, phone, address, city, postalCode, country, taxId, ip, userAgent } = transaction.payer;
  const { goneMinor, disputedMinor } = facts;
  const leftMinor = transaction.amountPaidMinor - goneMinor - disputedMinor;
  const refundable =
    transaction.status === 'paid' && methodOf(transaction.channelId)?.refund !== undefined && leftMinor > 0n;
  return {
    ...serializeRow(transaction, facts.refundedMinor),
    posName: facts.posName,
    paymentMethod: transaction.paymentMethod,
    refundable: refundable ? decimalFromMinor(leftMinor) : 0,
    disputed: decimalFromMinor(disputedMinor),
    refundFee: decimalFromMinor(facts.refundFeeMinor),
    cancelable: transaction.status === 'pending' && transaction.origin !== 'recurring',
    payer: { payerId, phone, address, city, postalCode, country, taxId, ip, userAgent },
    lang: transaction.lang,
    successUrl: transaction.successUrl,
    errorUrl: transaction.errorUrl,
    notificationUrl: transaction.notificationUrl,
    notificationEmail: transaction.notificationEmail,
    transactionPaymentUrl: payPageUrl(baseUrl, transaction),
  };
}

function serializeParked({ parkedAt, parkedWhy }: Parked) {
  return parkedAt === null || parkedWhy === null ? null : { at: parkedAt.toString(), why: parkedWhy };
}

function isGivenBack({ surpluses }: TransactionDetail, { id }: AttemptRow): boolean {
  return surpluses.some(({ attemptId }) => attemptId === id);
}

/** Money that came after the attempt had ended went back to the payer, like that of a second payment. */
function serializeAttempt(attempt: AttemptRow, givenBack: boolean): Omit<Shown['attempts'][number], 'acquirer'> {
  const { id, number, reason, channelId, brand, tail, expiry, initiator } = attempt;
  const state = givenBack ? 'surplus' : attempt.state;
  return {
    attemptId: id,
    number,
    state,
    reason,
    paymentErrorCode: state === 'failed' ? declineOf(reason).code : null,
    channelId: String(channelId),
    instrument: { kind: methodOf(channelId)?.method ?? 'card', brand, tail, expiry },
    initiator,
    amount: decimalFromMinor(attempt.amountMinor),
    createdAt: attempt.createdAt.toString(),
    settledAt: textOf(attempt.settledAt),
    nextCheckAt: textOf(attempt.nextCheckAt),
    parked: serializeParked(attempt),
  };
}

function serializeRefund(refund: RefundRow): Shown['refunds'][number] {
  return {
    refundId: refund.id,
    status: refund.status,
    amount: decimalFromMinor(refund.amountMinor),
    fee: decimalFromMinor(refund.feeMinor),
    createdAt: refund.createdAt.toString(),
    sentAt: textOf(refund.sentAt),
    processedAt: textOf(refund.processedAt),
    endedAt: textOf(refund.endedAt),
    paidLateAt: textOf(refund.paidLateAt),
    cameBackAt: textOf(refund.cameBackAt),
    canceledBy: refund.canceledBy,
    refusedWhy: refund.refusedWhy,
    nextStepAt: textOf(refund.nextStepAt),
    parked: serializeParked(refund),
  };
}

function serializeDispute(dispute: DisputeRow, bearers: readonly BearerRow[]): Shown['disputes'][number] {
  return {
    disputeId: dispute.id,
    state: dispute.state,
    amount: decimalFromMinor(dispute.amountMinor),
    returned: decimalFromMinor(dispute.returnedMinor),
    reason: dispute.reason,
    respondUntil: textOf(dispute.respondUntil),
    openedAt: dispute.openedAt.toString(),
    endedAt: textOf(dispute.endedAt),
    bearers: bearers
      .filter(({ disputeId }) => disputeId === dispute.id)
      .map(({ accountId, name, minor }) => ({ accountId, name, amount: decimalFromMinor(minor) })),
  };
}

function serializeSurplus(surplus: SurplusRow): Shown['surpluses'][number] {
  return {
    attemptId: surplus.attemptId,
    amount: decimalFromMinor(surplus.amountMinor),
    createdAt: surplus.createdAt.toString(),
    doneAt: textOf(surplus.doneAt),
    withdrawnAt: textOf(surplus.withdrawnAt),
    parked: serializeParked(surplus),
  };
}

type AccountKind = (typeof ledgerAccountKinds)[number];

/** Of the bank we have what it owes: there a debit is a gain. */
const assets: readonly AccountKind[] = ['bank_account', 'owed_by_bank'];

const commonKinds: Readonly<Record<string, AccountKind>> = {
  'bank:client': 'bank_account',
  'bank:own': 'bank_account',
  'refund:payable': 'owed_to_payer',
  'dispute:payable': 'disputed',
  'payer:unallocated': 'payer_unallocated',
  'income:processing_fee': 'payment_fees',
  'income:refund_fee': 'refund_fees',
};

/** What an account of the ledger is to the account on screen. */
function accountKindOf({ account }: EntryRow, accountId: string): AccountKind {
  const common = commonKinds[account];
  if (common) return common;
  const [kind, id, what] = account.split(':');
  if (kind === 'acquirer') return 'owed_by_bank';
  if (kind !== 'merchant') return 'other';
  if (what === 'owed') return id === accountId ? 'owed' : 'seller_owed';
  return id === accountId ? 'balance' : 'seller_balance';
}

function serializeEntry(entry: EntryRow, accountId: string): Shown['journals'][number]['entries'][number] {
  const account = accountKindOf(entry, accountId);
  const sellerName = account === 'seller_balance' || account === 'seller_owed' ? entry.merchantName : null;
  const gainMinor = assets.includes(account) ? entry.amountMinor : -entry.amountMinor;
  return { account, sellerName, amount: decimalFromMinor(gainMinor) };
}

export function serializeJournal({ id, kind, source, postedAt, entries }: JournalRow, accountId: string) {
  return {
    journalId: id,
    kind,
    source,
    postedAt: postedAt.toString(),
    entries: entries.map((entry) => serializeEntry(entry, accountId)),
  };
}

function serializeNotification(event: NotificationRow): Shown['notifications'][number] {
  return {
    eventId: event.id,
    type: event.type,
    subjectId: event.subjectId,
    url: event.url,
    status: event.status,
    createdAt: event.createdAt.toString(),
    nextTryAt: textOf(event.nextTryAt),
    deliveredAt: textOf(event.deliveredAt),
    tries: event.tried.map(({ number, at, status, error, milliseconds }) => ({
      number,
      at: at.toString(),
      status,
      error,
      milliseconds,
    })),
  };
}

function serializeMail(mail: MailRow): Shown['mails'][number] {
  return {
    mailId: mail.id,
    recipient: mail.recipient,
    subject: mail.subject,
    status: mail.status,
    createdAt: mail.createdAt.toString(),
    endedAt: textOf(mail.endedAt),
  };
}

function serializeCharge({ recurringId, description, status, iteration, attempt, manual }: ChargeRow) {
  return { recurringId, description, status, iteration, attempt, manual };
}

function serializePart(part: PartRow): Shown['parts'][number] {
  return {
    childId: part.id,
    number: part.number,
    sellerId: part.sellerId,
    sellerName: part.sellerName,
    description: part.description,
    amount: decimalFromMinor(part.amountMinor),
    fee: decimalFromMinor(part.feeMinor),
    commission: decimalFromMinor(part.commissionMinor),
    refunded: decimalFromMinor(part.refundedMinor),
  };
}

function serializeHappening({ at, kind, id, status, amountMinor, why, error }: Happening): Shown['timeline'][number] {
  const amount = amountMinor === null ? null : decimalFromMinor(amountMinor);
  return { at: at.toString(), kind, id, status, amount, why, error };
}
