// What the list of transactions is asked: the filters of the contract, each with its condition.

import type { searchTransactions } from '../../../contract/panel/transactions.ts';
import { minorFromDecimal } from '../../kernel/index.ts';
import { atLeast, atMost, type Conditions, equals, type QueryOf } from '../list/filters.ts';

export type TransactionQuery = QueryOf<typeof searchTransactions>;

/** The contract allows two places at most. */
const minorOf = (amount: string | null) => amount && (minorFromDecimal(Number(amount)) ?? null);
const [amountAtLeast, amountAtMost] = [atLeast('amount_minor'), atMost('amount_minor')];

/** `q` is read by the search itself. */
export const transactionConditions: Conditions<TransactionQuery, 'q'> = {
  status: equals('status'),
  paymentStatus: equals('payment_status'),
  channelId: equals('channel_id', 'integer'),
  method: equals('payment_method'),
  origin: equals('origin'),
  posId: equals('pos_id'),
  amountFrom: (amount) => amountAtLeast(minorOf(amount)),
  amountTo: (amount) => amountAtMost(minorOf(amount)),
};
