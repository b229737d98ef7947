// A refund over several sellers: one refund at the bank, with a part for each child of a marketplace transaction. All
// balances concerned are debited, or nothing happens.

import { listSellerTerms, type Merchant, type SellerTerms } from '../accounts/index.ts';
import type { Sql } from '../database/index.ts';
import { type AccountId, type RefundId, Refusal, refuse, type TransactionId } from '../kernel/index.ts';
import { insufficientFunds, ledgerAccounts, lockBalances, post, splitRefundJournal } from '../ledger/index.ts';
import { insertEvents } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import {
  alreadyRefunded,
  listParts,
  lockForRefund,
  type RefundableTransaction,
  updateTransactionsRefunded,
} from '../transactions/index.ts';
import { makeRefund } from './create.ts';
import { paymentDisputed, refundExceedsPaid } from './failures.ts';
import type { ChosenPart, Refund, RefundablePart, RefundPart } from './model.ts';
import { stepEvent } from './notify.ts';
import { isDisputed, unrefundable } from './rules.ts';
import { debitsOf, feesOf, goneOf, sharesOf, sumOf } from './shares.ts';
import { encodeLines, insertRefundParts, listLineTotals, listPartTotals, listRefundParts } from './store/parts.ts';
import { insertRefunds, listRefunded, listRefundsById, lockCounters } from './store/refunds.ts';
import type { AfterRefunds, Consequence } from './tools.ts';

export interface SplitRequest {
  readonly id: RefundId;
  readonly transactionId: TransactionId;
  /** Full: of all that is left. */
  readonly form: 'full' | 'partial';
  /** Only show what would happen. */
  readonly dryRun: boolean;
  /** Chooses the parts, in order; refuses what is not possible. `leftMinor` is what is left of the whole payment. */
  readonly choose: (parts: readonly RefundablePart[], leftMinor: bigint) => Promise<readonly ChosenPart[]>;
}

/** A balance before and after the refund. */
export interface BalanceChange {
  readonly merchantId: AccountId;
  readonly before: bigint;
  readonly after: bigint;
}

export interface SplitRefund {
  readonly amountMinor: bigint;
  readonly parts: readonly RefundPart[];
  /** Empty for a repeated request. */
  readonly balances: readonly BalanceChange[];
}

/** What a dry run found: thrown, so that nothing of it stays. */
class Shown extends Error {
  readonly refund: SplitRefund;

  constructor(refund: SplitRefund) {
    super('A dry run leaves nothing.');
    this.refund = refund;
  }
}

/**
 * Decides and books in one database transaction, under the locks of the transaction and of all balances. A repeated
 * request returns the refund of the first run. A dry run does the same, and takes it back: it shows what would happen.
 */
export async function createSplit(
  tools: Tools,
  afterRefunds: AfterRefunds,
  partner: Pick<Merchant, 'id'>,
  request: SplitRequest,
): Promise<SplitRefund> {
  try {
    return await tools.db.atomic(async (sql) => {
      const refund = await createIn(tools, afterRefunds, sql, partner, request);
      if (request.dryRun) throw new Shown(refund);
      return refund;
    });
  } catch (error) {
    if (error instanceof Shown) return error.refund;
    throw error;
  }
}

async function createIn(
  tools: Tools,
  afterRefunds: AfterRefunds,
  sql: Sql,
  partner: Pick<Merchant, 'id'>,
  request: SplitRequest,
): Promise<SplitRefund> {
  const [refundable] = await lockForRefund(sql, [partner.id], [request.transactionId], null);
  if (refundable?.transaction.origin !== 'marketplace') return refuse('not_found');
  const [earlier] = await listRefundsById(sql, [request.id]);
  if (earlier)
    return { amountMinor: earlier.amount.minor, parts: await listRefundParts(sql, [earlier.id]), balances: [] };
  const { chosen, isDisputed } = await choose(sql, refundable, request);
  const now = tools.clock.now();
  const terms = await listSellerTerms(sql, partner.id, [...new Set(chosen.map(({ part }) => part.merchantId))], now);
  const parts = partsOf(request.id, chosen, terms);
  const made = await storeSplitRefund(tools, sql, refundable, request, { chosen, parts, now });
  // Who bears what of a dispute depends on what sellers give: what they get back by that covers the refund too.
  const consequence = isDisputed ? await afterRefunds(sql, [refundable], now) : undefined;
  const balances = await balancesAfter(sql, partner.id, parts, consequence);
  await post(sql, tools.ids, [journalOf(made, partner.id, parts)], now);
  return { amountMinor: made.amount.minor, parts, balances };
}

async function choose(
  sql: Sql,
  { transaction }: RefundableTransaction,
  { choose, form }: SplitRequest,
): Promise<{ readonly chosen: readonly ChosenPart[]; readonly isDisputed: boolean }> {
  const { id, status, channelId, amountPaidMinor } = transaction;
  const refusal = unrefundable({ status, channelId });
  if (refusal) throw new Refusal([{ field: '', ...refusal }]);
  const { goneMinor = 0n, disputedMinor = 0n } = (await listRefunded(sql, [id])).get(id) ?? {};
  const leftMinor = amountPaidMinor - goneMinor;
  if (form === 'full' && leftMinor === 0n) refuse(alreadyRefunded);
  const chosen = await choose(await listRefundable(sql, id), leftMinor);
  const amountMinor = chosen.reduce((sum, one) => sum + one.amountMinor, 0n);
  if (isDisputed(amountMinor, leftMinor, disputedMinor)) refuse(paymentDisputed);
  return { chosen, isDisputed: disputedMinor > 0n };
}

/** The parts of a transaction with what was refunded of them. */
export async function listRefundable(sql: Sql, id: TransactionId): Promise<RefundablePart[]> {
  const [parts, totals, lines] = [
    await listParts(sql, [id]),
    await listPartTotals(sql, id),
    await listLineTotals(sql, id),
  ];
  const totalOf = new Map(totals.map((total) => [total.partId, total]));
  const linesOf = Map.groupBy(lines, ({ partId }) => partId);
  return parts.map((part) => {
    const total = totalOf.get(part.id);
    const lineTotals = linesOf.get(part.id) ?? [];
    const refundedMinor = total?.refundedMinor ?? 0n;
    return {
      part,
      refundedMinor,
      goneMinor: goneOf(part, total),
      commissionReturnedMinor: total?.commissionReturnedMinor ?? 0n,
      refundedLines: new Map(lineTotals.map(({ line, refunded }) => [line, refunded])),
      productsValue: lineTotals.reduce((sum, { refundedValue }) => sum + refundedValue, 0n),
      productsMinor: total?.productsRefundedMinor ?? 0n,
    };
  });
}

function partsOf(refundId: RefundId, chosen: readonly ChosenPart[], terms: readonly SellerTerms[]): RefundPart[] {
  const fees = feesOf(chosen, terms);
  return chosen.map(
    ({ part: { id: partId, merchantId }, amountMinor, commissionMinor, productsMinor, lines }, index) => {
      const amounts = { amountMinor, feeMinor: fees[index] ?? 0n, commissionMinor, productsMinor };
      return { refundId, partId, merchantId, ...amounts, lines: encodeLines(lines) };
    },
  );
}

/**
 * Locks all balances concerned, those of the consequence too, and books that; refuses with a reason for each that does not
 * cover its share then.
 */
async function balancesAfter(
  sql: Sql,
  partnerId: AccountId,
  parts: readonly RefundPart[],
  consequence: Consequence | undefined,
): Promise<BalanceChange[]> {
  const debits = debitsOf(parts, partnerId);
  const accounts = [...debits.keys()].map(ledgerAccounts.available);
  const before = await lockBalances(sql, [...accounts, ...(consequence?.accounts ?? [])]);
  await consequence?.post();
  const covering = consequence ? await lockBalances(sql, accounts) : before;
  const changes = Array.from(debits, ([merchantId, debit]) => {
    const account = ledgerAccounts.available(merchantId);
    return { merchantId, before: before.get(account) ?? 0n, after: (covering.get(account) ?? 0n) - debit };
  });
  const short = changes.filter(({ after }) => after < 0n);
  if (short.length > 0) throw new Refusal(short.map((change) => shortFault(change, partnerId)));
  return changes;
}

function shortFault({ merchantId, before, after }: BalanceChange, partnerId: AccountId) {
  const [whose, what] =
    merchantId === partnerId
      ? ['your account', 'to return the commission']
      : [`the seller ${merchantId}`, 'for amount and fee'];
  const message = `The balance of ${whose} is ${before} cents, and ${before - after} are needed ${what}.`;
  return { ...insufficientFunds, field: '', message };
}

interface NewParts {
  readonly chosen: readonly ChosenPart[];
  readonly parts: readonly RefundPart[];
  readonly now: Temporal.Instant;
}

/** Without its journal: balances are locked last. */
async function storeSplitRefund(
  tools: Tools,
  sql: Sql,
  refundable: RefundableTransaction,
  { id, form }: SplitRequest,
  { chosen, parts, now }: NewParts,
): Promise<Refund> {
  const { transaction, notification } = refundable;
  const counter = (await lockCounters(sql, [transaction.merchantId], now)).get(transaction.merchantId);
  if (!counter) throw new Error(`Merchant ${transaction.merchantId} has no counter of refunds.`);
  const amounts = { amountMinor: sumOf(parts, 'amountMinor'), feeMinor: sumOf(parts, 'feeMinor') };
  const { made } = makeRefund(tools, counter, refundable, { id, form, ...amounts }, now);
  if (!(await insertRefunds(sql, [made]))) refuse(refundExceedsPaid);
  await insertRefundParts(
    sql,
    chosen.flatMap((one, index) => {
      const row = parts[index];
      return row ? [{ row, chosen: one }] : [];
    }),
  );
  if (form === 'full') await updateTransactionsRefunded(sql, [transaction.id]);
  await insertEvents(sql, tools.vault, [stepEvent(tools, made.refund, transaction.title, notification.zone, now)]);
  return made.refund;
}

function journalOf({ id: source, amount }: Refund, partnerId: AccountId, parts: readonly RefundPart[]) {
  return splitRefundJournal({ source, currency: amount.currency }, partnerId, sharesOf(parts));
}
