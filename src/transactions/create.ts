// E1: creating a transaction.

import { hash } from 'node:crypto';
import type { Merchant } from '../accounts/index.ts';
import { brokenUnique } from '../database/index.ts';
import type { Run } from '../http/index.ts';
import { knownId, type TransactionId } from '../kernel/index.ts';
import { type Ids, randomText } from '../runtime/index.ts';
import type { Transaction, TransactionCommand, TransactionOrigin } from './model.ts';
import { chooseChannel, payerIdFrom } from './rules.ts';
import { findTransaction, insertTransaction } from './store/transactions.ts';
import { blankTransaction } from './table.ts';
import type { TransactionTools } from './tools.ts';

const titlesAtMost = 5;

/** Stores a new transaction, possibly with its first attempt, and returns it as stored. */
export type Insert = (transaction: Transaction) => Promise<Transaction>;

/**
 * Creates a pending transaction; it is durable when this resolves. Its id comes from the request's run: a retry with
 * the same idempotency key gets the same id and returns what the first run stored.
 */
export function createTransaction(
  tools: TransactionTools,
  merchant: Merchant,
  command: TransactionCommand,
  { ids, resumed }: Pick<Run, 'ids' | 'resumed'>,
  insert: Insert = (transaction) => tools.db.batch(insertTransaction, transaction).then(() => transaction),
): Promise<Transaction> {
  const id = knownId<TransactionId>(ids.ulid());
  const create = () => storeTransaction(tools, makeTransaction(tools, merchant, command, { id, ids }), insert);
  if (!resumed) return create();
  return findTransaction(tools.db.sql, merchant.id, id).then((first) => first ?? create());
}

/** The identity of a new transaction. */
export interface NewTransaction {
  readonly id: TransactionId;
  readonly ids: Ids;
  readonly origin?: TransactionOrigin;
}

/** A pending transaction that is not stored yet. */
export function makeTransaction(
  tools: Pick<TransactionTools, 'clock' | 'random' | 'titles'>,
  merchant: Pick<Merchant, 'id' | 'posId' | 'channels'>,
  command: TransactionCommand,
  { id, ids, origin = 'api' }: NewTransaction,
): Transaction {
  const { pay, payer, ...given } = command;
  const channel = chooseChannel(pay, merchant.channels);
  return {
    ...blankTransaction,
    ...given,
    id,
    origin,
    merchantId: merchant.id,
    posId: merchant.posId,
    title: tools.titles.draw(),
    createdAt: tools.clock.now(),
    payer: { ...payer, payerId: payerIdOf(merchant, payer.email, ids) },
    paymentMethod: channel || pay?.method ? (pay?.method ?? 'pay_by_link') : null,
    channelId: channel?.id ?? null,
    payKey: randomText(tools.random, 16),
  };
}

/** Stores a transaction; under a title that exists it tries others. */
export async function storeTransaction(
  tools: Pick<TransactionTools, 'db' | 'titles'>,
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

/** If the title exists, draws another; if the id exists, it is from our own first run. */
async function recoverFromConflict(
  tools: Pick<TransactionTools, 'db' | 'titles'>,
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
  return storeTransaction(tools, { ...transaction, title: tools.titles.draw() }, insert, titlesLeft - 1);
}

function payerIdOf(merchant: Pick<Merchant, 'id'>, email: string, ids: Ids): string {
  if (email === '') return ids.ulid();
  // Hex, because returning a buffer takes three times as long.
  return payerIdFrom(hash('sha256', `${merchant.id}\n${email.toLowerCase()}`, 'hex'));
}
