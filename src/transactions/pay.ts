// Paying a transaction: the intent is committed, then the bank is asked, then the answer is settled. No database
// transaction and no connection is held while the bank is asked.

import type { Merchant } from '../accounts/index.ts';
import { chargeAtBank } from '../banking/index.ts';
import { saveCard } from '../cards/index.ts';
import { Refusal, refuse } from '../kernel/index.ts';
import { brokenUnique, type Run } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { UsedToken } from '../wallet/index.ts';
import { createTransaction } from './create.ts';
import { type ReadyInstrument, type RepeatedToken, refuseToken } from './instrument.ts';
import type { Settled, Transaction } from './model.ts';
import { isOpen, ownTime, payPageUrl } from './rules.ts';
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
import type { TransactionCommand } from './wire.ts';

/** What paying needs to know of a transaction. */
export type Payable = Pick<Transaction, 'id' | 'amount' | 'description' | 'payKey'>;

export const attemptsAtMost = 100;
export const chargeDeadlineMilliseconds = 20_000;

/**
 * Tries to pay. Refuses a transaction that is not pending; any number of attempts may run at once, and at most one of
 * them stands: the settlement sees to it that every other capture goes back to the payer.
 */
export async function pay(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  transaction: Payable,
  ready: ReadyInstrument,
  attemptId: string,
  prefix = '',
): Promise<NonNullable<Settled>> {
  const attempt = await attemptOf(tools, merchant, ready, attemptId);
  const started = await start(tools, { ...attempt, transactionId: transaction.id, attemptsAtMost }, ready.walletToken);
  if (started === 'unpayable') return refuseUnpayable(tools, merchant, transaction);
  if (started === 'started') return charge(tools, merchant, transaction, ready, attemptId);
  return repeat(tools, merchant, transaction, ready, prefix);
}

async function start({ db }: Pick<Tools, 'db'>, attempt: NewAttempt, used: UsedToken | null) {
  if (used) return db.batch(insertWalletAttempt, { attempt, used });
  return (await db.batch(insertAttempt, attempt)) ? 'started' : 'unpayable';
}

/** Somebody else used the token first: the same request sent twice at once gets the same response. */
async function repeat(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  transaction: Pick<Transaction, 'id'>,
  ready: ReadyInstrument,
  prefix: string,
): Promise<NonNullable<Settled>> {
  const use = ready.walletToken && (await tools.wallet.findUse(ready.walletToken, merchant.id));
  const first =
    use?.transactionId === transaction.id && (await goOn(tools, merchant, async () => ready, use.attemptId));
  return first || refuseToken(`${prefix}walletPayPaymentData`);
}

/** The intent to pay; a card that is to be saved is stored first. */
async function attemptOf(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  ready: ReadyInstrument,
  attemptId: string,
): Promise<NewPayment['attempt']> {
  const cardToken = ready.save ? await saveCard(tools, merchant.id, ready.save, attemptId) : ready.cardToken;
  const now = tools.clock.now();
  return {
    id: attemptId,
    merchantId: merchant.id,
    channelId: ready.channelId,
    acquirer: tools.acquirer.name,
    cardToken,
    initiator: ready.initiator,
    createdAt: now,
    nextCheckAt: now.add(ownTime),
  };
}

/** Asks the bank and settles its answer. Under the same key the bank captures once, however often it is asked. */
async function charge(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  transaction: Payable,
  ready: ReadyInstrument,
  attemptId: string,
): Promise<NonNullable<Settled>> {
  const result = await chargeAtBank(tools.acquirer, {
    key: attemptId,
    merchant: merchant.id,
    initiator: ready.initiator,
    amount: transaction.amount,
    instrument: ready.instrument,
    description: transaction.description,
    returnUrl: payPageUrl(tools.config.baseUrl, transaction),
    deadlineMilliseconds: chargeDeadlineMilliseconds,
  });
  const settled = await tools.settle({ attemptId, result });
  if (!settled) throw new Error(`Attempt ${attemptId} is gone.`);
  return settled;
}

/** What a request pays with, and whether a run of it came before. */
export interface Payment {
  readonly attemptId: string;
  readonly resumed: boolean;
  /** Asked for only when it is needed. */
  readonly read: () => Promise<ReadyInstrument | RepeatedToken>;
}

/**
 * Pays a transaction for a request that may have run before under its idempotency key: then it goes on from what the first
 * run left, and returns what became of that attempt, whatever would be refused by now.
 */
export function payOnce(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  payment: Payment & { readonly find: () => Promise<Transaction> },
): Promise<NonNullable<Settled>> {
  return once(tools, merchant, payment, async (ready) => {
    const transaction = await payment.find();
    refuseUnlessPending(transaction);
    return pay(tools, merchant, transaction, ready, payment.attemptId);
  });
}

/**
 * The same for a request that also creates the transaction: the intent to pay is committed with it, so that there is never
 * the one without the other. A transaction that a run before left without an attempt is paid as any other.
 */
export function createAndPayOnce(
  tools: TransactionTools,
  merchant: Merchant,
  command: TransactionCommand,
  payment: Payment,
  run: Pick<Run, 'ids' | 'resumed'>,
): Promise<NonNullable<Settled>> {
  return once(tools, merchant, payment, async (ready) => {
    const attempt = await attemptOf(tools, merchant, ready, payment.attemptId);
    let isNew = false;
    const transaction = await createTransaction(tools, merchant, command, run, async (made) => {
      const counted = { ...made, attemptsStarted: 1 };
      await insertFirst(tools, { transaction: counted, attempt }, ready.walletToken);
      isNew = true;
      return counted;
    });
    if (isNew) return charge(tools, merchant, transaction, ready, payment.attemptId);
    refuseUnlessPending(transaction);
    return pay(tools, merchant, transaction, ready, payment.attemptId, 'pay.');
  });
}

async function insertFirst({ db }: Pick<Tools, 'db'>, payment: NewPayment, used: UsedToken | null): Promise<void> {
  if (!used) return db.batch(insertPayment, payment);
  if (!(await db.batch(insertWalletPayment, { ...payment, used }))) refuseToken('pay.walletPayPaymentData');
}

async function once(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  { attemptId, resumed, read }: Payment,
  begin: (ready: ReadyInstrument) => Promise<NonNullable<Settled>>,
): Promise<NonNullable<Settled>> {
  const readReady = async () => readyOf(await read());
  const before = resumed ? await goOn(tools, merchant, readReady, attemptId) : undefined;
  if (before) return before;
  const given = await read();
  if ('repeats' in given) return (await goOn(tools, merchant, readReady, given.repeats)) ?? refuse('not_found');
  try {
    return await begin(given);
  } catch (error) {
    const first = mayHaveRun(error) ? await goOn(tools, merchant, readReady, attemptId) : undefined;
    if (!first) throw error;
    return first;
  }
}

/** What a repeated request pays with; a token that is too old by now cannot be charged again. */
function readyOf(given: ReadyInstrument | RepeatedToken): ReadyInstrument {
  if (!('repeats' in given)) return given;
  return given.ready ?? refuse('payment_failed');
}

const refusedByState = new Set(['already_paid', 'already_refunded', 'transaction_canceled', 'attempt_limit_reached']);

/** The attempt is there already, or the state forbids another one, perhaps because of it. */
function mayHaveRun(error: unknown): boolean {
  if (error instanceof Refusal) return refusedByState.has(error.code);
  return brokenUnique(error) === 'payment_attempt_id_unique';
}

/**
 * What became of the first run's attempt, if there was one; still open and wanted, the bank is asked by the same key. What it
 * was to be paid with may be refused by now: then the attempt stays as it is, to be looked up.
 */
async function goOn(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  read: () => Promise<ReadyInstrument>,
  attemptId: string,
): Promise<Settled> {
  const first = await tools.settle({ attemptId, result: { kind: 'unknown' } });
  if (!first || !isOpen(first.attempt.state) || first.transaction.status !== 'pending') return first;
  try {
    return await charge(tools, merchant, first.transaction, await read(), attemptId);
  } catch (error) {
    if (error instanceof Refusal) return first;
    throw error;
  }
}

async function refuseUnpayable(
  tools: Pick<Tools, 'db'>,
  merchant: Pick<Merchant, 'id'>,
  transaction: Payable,
): Promise<never> {
  const present = (await findTransaction(tools.db.sql, merchant.id, transaction.id)) ?? refuse('not_found');
  refuseUnlessPending(present);
  return refuse('attempt_limit_reached');
}

/** The refusal that fits the status; nothing for a pending one. */
export function refuseUnlessPending(transaction: Pick<Transaction, 'status' | 'origin'>): void {
  if (transaction.status === 'paid') refuse('already_paid');
  if (transaction.status === 'refund') refuse('already_refunded');
  if (transaction.status === 'canceled') refuse('transaction_canceled');
  if (transaction.origin === 'recurring') refuse('belongs_to_recurring');
}
