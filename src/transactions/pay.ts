// Paying a transaction: commit the intent, call the bank, settle the result. No database transaction and no connection
// is held while the bank is called.

import { notValid } from '../../contract/codes/english/values.ts';
import type { Merchant } from '../accounts/index.ts';
import type { Acquirer, AliasWish } from '../acquirer/index.ts';
import { type ChargeResult, chargeAtBank, isOpen, payerOf } from '../banking/index.ts';
import { saveCard, shownOf } from '../cards/index.ts';
import { brokenUnique } from '../database/index.ts';
import type { Run } from '../http/index.ts';
import { Refusal, refuse, refuseFault } from '../kernel/index.ts';
import {
  blikAliasNotTaken,
  paymentFailed,
  type ReadyInstrument,
  type RepeatedToken,
  refuseToken,
} from '../methods/index.ts';
import type { Tools } from '../tools.ts';
import type { UsedToken } from '../wallet/index.ts';
import { createTransaction } from './create.ts';
import {
  alreadyPaid,
  alreadyRefunded,
  attemptLimitReached,
  belongsToMarketplace,
  belongsToRecurring,
  transactionCanceled,
} from './failures.ts';
import type { PaymentRows, Settled, Transaction, TransactionCommand } from './model.ts';
import { nextChargeId, ownTime, payPageUrl, triedElsewhere } from './rules.ts';
import {
  insertAttempt,
  insertPayment,
  insertWalletAttempt,
  insertWalletPayment,
  type NewAttempt,
  type NewPayment,
} from './store/attempts.ts';
import { findTransaction } from './store/transactions.ts';
import type { TransactionTools } from './tools.ts';

/** What paying needs to know about a transaction. */
export type Payable = Pick<Transaction, 'id' | 'amount' | 'description' | 'lang' | 'payKey'> & {
  readonly payer: Pick<Transaction['payer'], 'email' | 'name'>;
};

/** An attempt to pay, and what it pays with. */
interface AttemptGiven {
  readonly attemptId: string;
  readonly ready: ReadyInstrument;
  /** Where the payment data stands in the request. */
  readonly prefix?: string;
}

type AttemptIntent = NewPayment['attempt'];

/** An attempt whose row this run has written. */
interface Started {
  readonly attempt: AttemptIntent;
  readonly ready: ReadyInstrument;
  /** Its acquirer, and those that are asked if it cannot be reached. */
  readonly acquirers: readonly [Acquirer, ...Acquirer[]];
  /** Its rows, if they were inserted together with the transaction. */
  readonly inserted?: PaymentRows | undefined;
}

/** Whom the payer pays. */
type Payee = Pick<Merchant, 'id' | 'name'>;

export const attemptsAtMost = 100;
export const chargeDeadlineMilliseconds = 20_000;

/**
 * Attempts a payment. Refuses a transaction that is not pending. Any number of attempts may run concurrently, and at
 * most one of them counts: settling returns every other capture to the payer.
 */
export async function pay(
  tools: TransactionTools,
  merchant: Payee,
  transaction: Payable,
  given: AttemptGiven,
): Promise<NonNullable<Settled>> {
  const { ready } = given;
  const acquirers = await chooseAcquirers(tools, merchant, transaction, given);
  const attempt = await attemptOf(tools, merchant, given, acquirers[0]);
  const { id: transactionId, lang } = transaction;
  const started = await start(tools, { ...attempt, transactionId, lang, attemptsAtMost }, ready.walletToken);
  if (started === 'unpayable') return refuseUnpayable(tools, merchant, transaction);
  if (started === 'started') return chargeInTurn(tools, merchant, transaction, { attempt, ready, acquirers });
  return repeat(tools, merchant, transaction, given);
}

/**
 * Who takes it, in the order in which they are asked. Whether anybody does was checked with the channel. What is known to
 * one acquirer only goes to that one, or to nobody.
 */
async function chooseAcquirers(
  { acquirers }: Pick<Tools, 'acquirers'>,
  { id: merchantId }: Payee,
  { amount: { minor: amountMinor, currency }, payer }: Pick<Payable, 'amount' | 'payer'>,
  { ready, prefix = '' }: AttemptGiven,
): Promise<Started['acquirers']> {
  const { channelId, acquirer } = ready;
  const facts = { merchantId, channelId, currency, amountMinor };
  if (acquirer !== undefined) {
    const only = acquirers.pinned(acquirer, facts);
    return only ? [only] : refuseFault(notValid(`${prefix}channelId`, 'taken_method'));
  }
  const choose = await acquirers.choice();
  const own = { ...facts, fields: 'own' } as const;
  const asked = { ...own, aliases: aliasesOf(ready) };
  const [first, ...others] = choose({ ...asked, withoutEmail: emailOf(payer, ready) === '' });
  if (first) return [first, ...others];
  if (choose(asked).length > 0) refuse('field_required', 'payer.email', emailAsked, emailFix);
  if (choose(own).length > 0) refuse(blikAliasNotTaken, `${prefix}blikPaymentData.aliases`);
  return refuseFault(notValid(`${prefix}channelId`, 'taken_method'));
}

const emailAsked = 'This payment method needs the email address of the payer.';
const emailFix = 'Create the transaction with payer.email, or send the payer to the pay page, which asks for it.';

function aliasesOf({ instrument }: ReadyInstrument): AliasWish[] {
  if (instrument.kind !== 'blik') return [];
  return [...instrument.aliases.map(({ type }) => type), ...(instrument.code === null ? (['known'] as const) : [])];
}

/** What the merchant sent, otherwise what the payer typed. */
function emailOf({ email }: Payable['payer'], { payerEmail = '' }: ReadyInstrument): string {
  return email || payerEmail;
}

async function start({ db }: Pick<Tools, 'db'>, attempt: NewAttempt, used: UsedToken | null) {
  if (used) return db.batch(insertWalletAttempt, { attempt, used });
  return (await db.batch(insertAttempt, attempt)) ? 'started' : 'unpayable';
}

/** Another request used the token first: the same request sent twice concurrently gets the same response. */
async function repeat(
  tools: TransactionTools,
  merchant: Payee,
  transaction: Pick<Transaction, 'id'>,
  { ready, prefix = '' }: AttemptGiven,
): Promise<NonNullable<Settled>> {
  const use = ready.walletToken && (await tools.wallet.findUse(ready.walletToken, merchant.id, transaction.id));
  const first = use && (await resume(tools, merchant, async () => ready, use.attemptId));
  return first || refuseToken(`${prefix}walletPayPaymentData`);
}

/** The intent to pay; a card to be saved is stored first. */
async function attemptOf(
  tools: TransactionTools,
  merchant: Payee,
  { ready, attemptId }: AttemptGiven,
  acquirer: Acquirer,
): Promise<AttemptIntent> {
  const cardToken = ready.save ? await saveCard(tools, merchant.id, ready.save, attemptId) : ready.cardToken;
  const now = tools.clock.now();
  const { instrument } = ready;
  const card = instrument.kind === 'card' ? shownOf(instrument.card.number.reveal()) : (ready.cardShown ?? null);
  return {
    id: attemptId,
    merchantId: merchant.id,
    channelId: ready.channelId,
    acquirer: acquirer.name,
    cardToken,
    cardBrand: card?.brand ?? null,
    cardTail: card?.tail ?? null,
    initiator: ready.initiator,
    createdAt: now,
    nextCheckAt: now.add(ownTime),
  };
}

/**
 * Charges, and goes on with the next acquirer for as long as one was not reached: under a key of its own, after the one
 * before has ended. Never after any other answer, and never in a later run, which cannot know what an earlier one sent.
 */
async function chargeInTurn(
  tools: TransactionTools,
  merchant: Payee,
  transaction: Payable,
  { attempt, ready, acquirers, inserted }: Started,
): Promise<NonNullable<Settled>> {
  const [acquirer, next, ...later] = acquirers;
  const result = await ask(tools, acquirer, merchant, transaction, { ready, attemptId: attempt.id });
  if (!next || result.kind !== 'notReached') return settleOwn(tools, attempt.id, result, inserted);
  const settled = await settleOwn(tools, attempt.id, { kind: 'notReached', triesNext: true }, inserted);
  if (!wasTriedElsewhere(settled) || settled.transaction.status !== 'pending') return settled;
  const now = tools.clock.now();
  const following = {
    ...attempt,
    id: nextChargeId(attempt.id),
    acquirer: next.name,
    createdAt: now,
    nextCheckAt: now.add(ownTime),
  };
  const { id: transactionId, lang } = transaction;
  // A wallet token was used up by the first one, for all of them.
  const started = await tools.db.batch(insertAttempt, { ...following, transactionId, lang, attemptsAtMost });
  if (!started) return settled;
  return chargeInTurn(tools, merchant, transaction, { attempt: following, ready, acquirers: [next, ...later] });
}

/** Whether another acquirer was to be asked instead. */
function wasTriedElsewhere({ attempt }: NonNullable<Settled>): boolean {
  return attempt.state === 'failed' && attempt.reason === triedElsewhere;
}

async function settleOwn(
  tools: TransactionTools,
  chargeId: string,
  result: ChargeResult,
  inserted?: PaymentRows,
): Promise<NonNullable<Settled>> {
  const settled = await tools.settle({ chargeId, result, ...(inserted && { known: inserted }) });
  if (!settled) throw new Error(`Attempt ${chargeId} is gone.`);
  return settled;
}

/** Charges. With the same key the bank captures once, however often it is called. */
function ask(
  tools: TransactionTools,
  acquirer: Acquirer,
  merchant: Payee,
  transaction: Payable,
  { ready, attemptId }: AttemptGiven,
): ReturnType<typeof chargeAtBank> {
  return chargeAtBank(acquirer, {
    key: attemptId,
    merchant: merchant.id,
    merchantName: merchant.name,
    ...(transaction.lang !== '' && { language: transaction.lang }),
    initiator: ready.initiator,
    amount: transaction.amount,
    instrument: ready.instrument,
    description: transaction.description,
    ...payerOf({ ...transaction.payer, email: emailOf(transaction.payer, ready) }),
    returnUrl: payPageUrl(tools.config.baseUrl, transaction),
    deadlineMilliseconds: chargeDeadlineMilliseconds,
  });
}

/** What a request pays with, and whether there was an earlier run of it. */
export interface Payment {
  readonly attemptId: string;
  readonly resumed: boolean;
  /** Called only when needed. */
  readonly read: () => Promise<ReadyInstrument | RepeatedToken>;
}

/** The payment of a transaction that exists. */
export interface PaymentOf extends Payment {
  readonly find: () => Promise<Transaction>;
}

/**
 * Pays a transaction for a request that may have run before under its idempotency key: then it continues from what the
 * first run left and returns the result of that attempt, even if the request would be refused by now.
 */
export function payOnce(tools: TransactionTools, merchant: Payee, payment: PaymentOf): Promise<NonNullable<Settled>> {
  return once(tools, merchant, payment, async (ready) => {
    const transaction = await payment.find();
    refuseUnlessPending(transaction);
    return pay(tools, merchant, transaction, { ready, attemptId: payment.attemptId });
  });
}

/**
 * The same for a request that also creates the transaction: both are committed together, so that neither exists without
 * the other. A transaction that an earlier run left without an attempt is paid like any other.
 */
export function createAndPayOnce(
  tools: TransactionTools,
  merchant: Merchant,
  command: TransactionCommand,
  payment: Payment,
  run: Pick<Run, 'ids' | 'resumed'>,
): Promise<NonNullable<Settled>> {
  return once(tools, merchant, payment, async (ready) => {
    const given = { ready, attemptId: payment.attemptId, prefix: 'pay.' };
    const acquirers = await chooseAcquirers(tools, merchant, command, given);
    const attempt = await attemptOf(tools, merchant, given, acquirers[0]);
    let inserted: PaymentRows | undefined;
    const transaction = await createTransaction(tools, merchant, command, run, async (made) => {
      const counted = { ...made, attemptsStarted: 1 };
      inserted = await insertFirst(tools, { transaction: counted, attempt }, ready.walletToken);
      return counted;
    });
    if (inserted) return chargeInTurn(tools, merchant, transaction, { attempt, ready, acquirers, inserted });
    refuseUnlessPending(transaction);
    return pay(tools, merchant, transaction, given);
  });
}

async function insertFirst(
  { db }: Pick<Tools, 'db'>,
  payment: NewPayment,
  used: UsedToken | null,
): Promise<PaymentRows> {
  if (!used) return db.batch(insertPayment, payment);
  return (await db.batch(insertWalletPayment, { ...payment, used })) ?? refuseToken('pay.walletPayPaymentData');
}

async function once(
  tools: TransactionTools,
  merchant: Payee,
  { attemptId, resumed, read }: Payment,
  begin: (ready: ReadyInstrument) => Promise<NonNullable<Settled>>,
): Promise<NonNullable<Settled>> {
  const readReady = async () => readyOf(await read());
  const before = resumed ? await resume(tools, merchant, readReady, attemptId) : undefined;
  if (before) return before;
  const given = await read();
  if ('repeats' in given) return (await resume(tools, merchant, readReady, given.repeats)) ?? refuse('not_found');
  try {
    return await begin(given);
  } catch (error) {
    const first = mayHaveRun(error) ? await resume(tools, merchant, readReady, attemptId) : undefined;
    if (!first) throw error;
    return first;
  }
}

/** What a repeated request pays with; a token that is too old by now cannot be charged again. */
function readyOf(given: ReadyInstrument | RepeatedToken): ReadyInstrument {
  if (!('repeats' in given)) return given;
  return given.ready ?? refuse(paymentFailed);
}

/** The last one: the wallet token is used up. */
const refusedByRun = new Set(
  [alreadyPaid, alreadyRefunded, transactionCanceled, attemptLimitReached, paymentFailed].map(({ code }) => code),
);

/** The attempt already exists, or the status or the token forbids another one, perhaps because of it. */
function mayHaveRun(error: unknown): boolean {
  return error instanceof Refusal ? refusedByRun.has(error.code) : isStarted(error);
}

/** Whether the attempt with this id was started before. A wallet attempt is first found by its token's row. */
export function isStarted(error: unknown): boolean {
  const constraint = brokenUnique(error);
  return constraint === 'charge_id_unique' || constraint === 'wallet_token_attempt_id_key';
}

/**
 * The result of the first run's attempt, if there was one, or of the last one that it went on with; if it is still open and
 * wanted, its acquirer is called with the same key. If its payment data would be refused by now, the attempt is left to be
 * looked up.
 */
async function resume(
  tools: TransactionTools,
  merchant: Payee,
  read: () => Promise<ReadyInstrument>,
  attemptId: string,
): Promise<Settled> {
  const first = await tools.settle({ chargeId: attemptId, result: { kind: 'unknown' } });
  if (!first) return undefined;
  if (wasTriedElsewhere(first)) return (await resume(tools, merchant, read, nextChargeId(attemptId))) ?? first;
  if (!isOpen(first.attempt.state) || first.transaction.status !== 'pending') return first;
  try {
    const given = { ready: await read(), attemptId };
    const acquirer = tools.acquirers.named(first.attempt.acquirer);
    return await settleOwn(tools, attemptId, await ask(tools, acquirer, merchant, first.transaction, given));
  } catch (error) {
    if (error instanceof Refusal) return first;
    throw error;
  }
}

async function refuseUnpayable(tools: Pick<Tools, 'db'>, merchant: Payee, transaction: Payable): Promise<never> {
  const present = (await findTransaction(tools.db.sql, merchant.id, transaction.id)) ?? refuse('not_found');
  refuseUnlessPending(present);
  return refuse(attemptLimitReached);
}

/** Endpoints of transactions refuse those of the marketplace, which has its own. */
export function refuseMarketplace({ origin }: Pick<Transaction, 'origin'>): void {
  if (origin === 'marketplace') refuse(belongsToMarketplace);
}

/** Refuses according to the status; does nothing for a pending one. */
export function refuseUnlessPending(transaction: Pick<Transaction, 'status' | 'origin'>): void {
  if (transaction.status === 'paid') refuse(alreadyPaid);
  if (transaction.status === 'refund') refuse(alreadyRefunded);
  if (transaction.status === 'canceled') refuse(transactionCanceled);
  if (transaction.origin === 'recurring') refuse(belongsToRecurring);
}
