// E4: refunding. Requests that arrive together are decided together: the rows that they share (the transaction, the
// merchant's counter and balance) are locked once per batch, and a refused request does not affect the others.

import type { Merchant } from '../accounts/index.ts';
import type { Sql } from '../database/index.ts';
import { money, type RefundId, Refusal, refuse, type TransactionId } from '../kernel/index.ts';
import { ledgerAccounts, lockBalances, post, refundJournal } from '../ledger/index.ts';
import { insertEvents, type NewEvent } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import {
  belongsToMarketplace,
  lockForRefund,
  type RefundableTransaction,
  type Transaction,
  transactionEvent,
  updateTransactionsRefunded,
} from '../transactions/index.ts';
import { refundExceedsPaid } from './failures.ts';
import type { MadeRefund, Outcome, Refund, RefundRequest, RequestedRefund } from './model.ts';
import { stepEvent } from './notify.ts';
import { contextOf, decideRefund, firstStatus, statusesOf } from './rules.ts';
import {
  type Counter,
  insertRefunds,
  listRefunded,
  listRefundsById,
  lockCounters,
  type NewRefund,
} from './store/refunds.ts';
import type { RefundTools } from './tools.ts';

/**
 * Creates a refund: amount and fee have left the balance when this resolves, or it is refused and nothing happened. The
 * sum of refunds never exceeds what was paid. `id` comes from the request: a retry returns the refund of the first run.
 */
export async function createRefund(
  tools: RefundTools,
  merchant: Pick<Merchant, 'id'>,
  transactionId: TransactionId,
  requested: RequestedRefund,
  id: RefundId,
): Promise<MadeRefund> {
  const outcome = await tools.create({ id, transactionId, merchantId: merchant.id, requested });
  if (outcome.kind === 'made') return outcome;
  throw new Refusal([{ ...outcome.why, field: '' }]);
}

/** Requests that arrive together are decided together. */
export function openCreate(tools: Tools): RefundTools['create'] {
  return tools.db.joined({ name: 'refund', atomic: true, execute: (sql, requests) => createSet(tools, sql, requests) });
}

/** The state that the refunds of a batch share and change in memory, before anything is written. */
interface Books {
  readonly refundables: Map<string, RefundableTransaction>;
  /** The amount that can no longer be refunded, by transaction. */
  readonly gone: Map<string, bigint>;
  /** What payers' banks take back, by transaction. */
  readonly disputed: ReadonlyMap<string, bigint>;
  readonly counts: Map<string, number>;
  readonly counters: Map<string, Counter>;
  readonly balances: Map<string, bigint>;
  readonly made: NewRefund[];
}

/** Lock order, everywhere: transactions, counters, balances. */
async function createSet(tools: Tools, sql: Sql, requests: readonly RefundRequest[]): Promise<Outcome[]> {
  const transactionIds = [...new Set(requests.map(({ transactionId }) => transactionId))];
  const askers = [...new Set(requests.map(({ merchantId }) => merchantId))];
  const locked = await lockForRefund(sql, askers, transactionIds, tools.clock.now());
  const refundables = new Map(locked.map((refundable) => [refundable.transaction.id, refundable]));
  const merchantIds = [...new Set(locked.map(({ transaction }) => transaction.merchantId))];
  const earlier = new Map(
    (
      await listRefundsById(
        sql,
        requests.map(({ id }) => id),
      )
    ).map((refund) => [refund.id, refund]),
  );
  const totals = await listRefunded(sql, transactionIds);
  const now = tools.clock.now();
  const counters = await lockCounters(sql, merchantIds, now);
  const balances = await lockBalances(sql, merchantIds.map(ledgerAccounts.available));
  const books: Books = {
    refundables,
    gone: new Map([...totals].map(([id, { goneMinor }]) => [id, goneMinor])),
    disputed: new Map([...totals].map(([id, { disputedMinor }]) => [id, disputedMinor])),
    counts: new Map([...totals].map(([id, { refunds }]) => [id, refunds])),
    counters,
    balances,
    made: [],
  };
  const outcomes = requests.map((request): Outcome => {
    const known = earlier.get(request.id);
    if (known) return repeat(books, known);
    const outcome = decideRequest(tools, books, request, now);
    if (outcome.kind === 'made') earlier.set(request.id, outcome.refund);
    return outcome;
  });
  if (books.made.length > 0) await storeRefunds(tools, sql, books, now);
  return outcomes;
}

function repeat(books: Books, refund: Refund): Outcome {
  const transaction = books.refundables.get(refund.transactionId)?.transaction;
  if (!transaction) return { kind: 'refused', why: { code: 'not_found' } };
  return { kind: 'made', refund, transaction, only: false };
}

/** Decides a request, given the ones before it in the batch. */
function decideRequest(tools: Tools, books: Books, request: RefundRequest, now: Temporal.Instant): Outcome {
  const refundable = books.refundables.get(request.transactionId);
  if (!refundable || refundable.transaction.merchantId !== request.merchantId)
    return { kind: 'refused', why: { code: 'not_found' } };
  const { transaction } = refundable;
  if (transaction.origin === 'marketplace') return { kind: 'refused', why: belongsToMarketplace };
  const account = ledgerAccounts.available(transaction.merchantId);
  const goneMinor = books.gone.get(transaction.id) ?? 0n;
  const availableMinor = books.balances.get(account) ?? 0n;
  const decision = decideRefund(
    {
      status: transaction.status,
      channelId: transaction.channelId,
      paidMinor: transaction.amountPaidMinor,
      goneMinor,
      disputedMinor: books.disputed.get(transaction.id) ?? 0n,
      feeMinor: refundable.refundFeeMinor,
      availableMinor,
    },
    request.requested,
  );
  if (decision.kind === 'refused') return decision;
  const counter = books.counters.get(transaction.merchantId);
  if (!counter) throw new Error(`Merchant ${transaction.merchantId} has no counter of refunds.`);
  const { made, counter: counted } = makeRefund(
    tools,
    counter,
    refundable,
    { id: request.id, form: request.requested.kind, ...decision },
    now,
  );
  books.counters.set(transaction.merchantId, counted);
  books.made.push(made);
  books.gone.set(transaction.id, goneMinor + decision.amountMinor);
  books.balances.set(account, availableMinor - decision.amountMinor - decision.feeMinor);
  const before = books.counts.get(transaction.id) ?? 0;
  books.counts.set(transaction.id, before + 1);
  const after: Transaction = request.requested.kind === 'full' ? { ...transaction, status: 'refund' } : transaction;
  books.refundables.set(transaction.id, { ...refundable, transaction: after });
  return { kind: 'made', refund: made.refund, transaction: after, only: before === 0 };
}

/** What a new refund is created from. */
export interface NewRefundOf {
  readonly id: RefundId;
  readonly form: 'full' | 'partial';
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
}

/** A refund that is not stored yet, and the merchant's counter after it. */
export function makeRefund(
  tools: Pick<Tools, 'config'>,
  counter: Counter,
  refundable: RefundableTransaction,
  { id, form, amountMinor, feeMinor }: NewRefundOf,
  now: Temporal.Instant,
): { readonly made: NewRefund; readonly counter: Counter } {
  const { transaction } = refundable;
  const { channelId } = transaction;
  if (channelId === null) throw new Error(`Transaction ${transaction.id} is paid without a channel.`);
  if (refundable.chargeKey === null || refundable.acquirer === null) {
    throw new Error(`Transaction ${transaction.id} is paid without a charge.`);
  }
  const context = contextOf(channelId);
  // Another node's clock may be ahead of ours. Lists are ordered by this time, so it never goes back.
  const createdAt = Temporal.Instant.compare(now, counter.lastCreatedAt) < 0 ? counter.lastCreatedAt : now;
  const refunds = counter.refunds + 1;
  const cardRefunds = counter.cardRefunds + (context === 'card' ? 1 : 0);
  const refund: Refund = {
    id,
    transactionId: transaction.id,
    merchantId: transaction.merchantId,
    number: refunds,
    cardCount: cardRefunds,
    context,
    form,
    statuses: statusesOf(channelId),
    status: firstStatus(channelId),
    steps: 1,
    amount: money(amountMinor, transaction.amount.currency),
    feeMinor,
    priceId: refundable.refundPriceId,
    channelId,
    cardToken: refundable.cardToken,
    payerEmail: transaction.payer.email.toLowerCase(),
    createdAt,
    processedAt: null,
    endedAt: null,
    canceledBy: null,
    paidLateAt: null,
    cameBackAt: null,
  };
  const made = {
    refund,
    paidMinor: transaction.amountPaidMinor,
    outgoing: {
      id,
      acquirer: refundable.acquirer,
      merchantId: transaction.merchantId,
      currency: transaction.amount.currency,
      amountMinor,
      chargeKey: refundable.chargeKey,
      purpose: 'refund' as const,
      subjectId: id,
      createdAt,
      nextTryAt: now.add({ seconds: tools.config.refundDelaySeconds }),
    },
  };
  return { made, counter: { refunds, cardRefunds, lastCreatedAt: createdAt } };
}

/** The merchant's money moves last: `post` takes what was found to be covered under the same lock. */
async function storeRefunds(
  tools: Tools,
  sql: Sql,
  { refundables, made }: Books,
  now: Temporal.Instant,
): Promise<void> {
  const room = await insertRefunds(sql, made);
  if (!room) refuse(refundExceedsPaid);
  const refundedInFull = made.filter(({ refund }) => refund.form === 'full').map(({ refund }) => refund.transactionId);
  if (refundedInFull.length > 0) await updateTransactionsRefunded(sql, refundedInFull);
  const events = made.flatMap(({ refund }): NewEvent[] => {
    const refundable = refundables.get(refund.transactionId);
    if (!refundable) return [];
    const { transaction, notification } = refundable;
    const step = stepEvent(tools, refund, transaction.title, notification.zone, now);
    if (refund.form === 'partial') return [step];
    return [step, transactionEvent(tools, transaction, notification, 'CHARGEBACK')];
  });
  await insertEvents(sql, tools.vault, events);
  const journals = made.map(({ refund }) =>
    refundJournal(
      {
        source: refund.id,
        currency: refund.amount.currency,
        amountMinor: refund.amount.minor,
        feeMinor: refund.feeMinor,
      },
      refund.merchantId,
    ),
  );
  await post(sql, tools.ids, journals, now);
}
