// E1: creating a transaction.

import { hash } from 'node:crypto';
import type { Merchant } from '../accounts/index.ts';
import { knownId, type TransactionId } from '../kernel/index.ts';
import { brokenUnique, type Ids, type Run, randomText } from '../platform/index.ts';
import type { Transaction } from './model.ts';
import { chooseChannel, payerIdFrom } from './rules.ts';
import { findTransaction, insertTransaction } from './store/transactions.ts';
import type { TransactionTools } from './tools.ts';
import type { TransactionCommand } from './wire.ts';

const titlesAtMost = 5;

/** Stores a new transaction, perhaps with more, and returns it as it is stored. */
type Insert = (transaction: Transaction) => Promise<Transaction>;

/**
 * Creates a pending transaction; durable when this resolves. Its id comes from the request's run: one that runs again under
 * its idempotency key gets the same id and is answered with what the first run stored.
 */
export function createTransaction(
  tools: TransactionTools,
  merchant: Merchant,
  command: TransactionCommand,
  { ids, resumed }: Pick<Run, 'ids' | 'resumed'>,
  insert: Insert = (transaction) => tools.db.batch(insertTransaction, transaction).then(() => transaction),
): Promise<Transaction> {
  const id = knownId<TransactionId>(ids.ulid());
  const create = () => store(tools, make(tools, merchant, command, id, ids), insert);
  if (!resumed) return create();
  return findTransaction(tools.db.sql, merchant.id, id).then((first) => first ?? create());
}

function make(
  tools: TransactionTools,
  merchant: Merchant,
  command: TransactionCommand,
  id: TransactionId,
  ids: Ids,
): Transaction {
  const channel = chooseChannel(command.pay, merchant.channels);
  return {
    id,
    origin: 'api',
    merchantId: merchant.id,
    posId: merchant.posId,
    title: tools.titles.draw(),
    status: 'pending',
    createdAt: tools.clock.now(),
    realizedAt: null,
    amount: command.amount,
    description: command.description,
    hiddenDescription: command.hiddenDescription,
    lang: command.lang,
    payer: { ...command.payer, payerId: payerIdOf(merchant, command.payer.email, ids) },
    paymentStatus: 'pending',
    paymentMethod: channel || command.pay?.method ? (command.pay?.method ?? 'pay_by_link') : null,
    channelId: channel?.id ?? null,
    amountPaidMinor: 0n,
    paidAt: null,
    successUrl: command.successUrl,
    errorUrl: command.errorUrl,
    notificationUrl: command.notificationUrl,
    notificationEmail: command.notificationEmail,
    attemptsStarted: 0,
    payKey: randomText(tools.random, 16),
  };
}

async function store(
  tools: TransactionTools,
  transaction: Transaction,
  insert: Insert,
  titlesLeft = titlesAtMost,
): Promise<Transaction> {
  try {
    return await insert(transaction);
  } catch (error) {
    return recoverFromConflict(tools, transaction, insert, titlesLeft, error);
  }
}

/** A title that exists already is drawn again; an id that exists already is our own first run. */
async function recoverFromConflict(
  tools: TransactionTools,
  transaction: Transaction,
  insert: Insert,
  titlesLeft: number,
  error: unknown,
): Promise<Transaction> {
  const constraint = brokenUnique(error);
  if (constraint === 'transaction_id_unique') {
    const first = await findTransaction(tools.db.sql, transaction.merchantId, transaction.id);
    if (first) return first;
  }
  if (constraint !== 'transaction_title_unique' || titlesLeft === 0) throw error;
  return store(tools, { ...transaction, title: tools.titles.draw() }, insert, titlesLeft - 1);
}

function payerIdOf(merchant: Merchant, email: string, ids: Ids): string {
  if (email === '') return ids.ulid();
  // In hex, because asking for a buffer takes three times as long.
  return payerIdFrom(hash('sha256', `${merchant.id}\n${email.toLowerCase()}`, 'hex'));
}
