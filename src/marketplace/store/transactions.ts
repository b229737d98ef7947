// All SQL of the marketplace. It owns no table: a marketplace transaction is a transaction with parts.

import {
  type BatchOf,
  readBigint,
  readInteger,
  readText,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import { type AccountId, knownId, type Period, type TransactionId } from '../../kernel/index.ts';
import { insertUnpaidMails, type SealedMail } from '../../notifications/index.ts';
import {
  insertSplit,
  type Transaction,
  type TransactionPart,
  type TransactionStatus,
} from '../../transactions/index.ts';

export interface NewSplit {
  readonly transaction: Transaction;
  readonly parts: readonly TransactionPart[];
  readonly mail: SealedMail | undefined;
}

/** Inserts marketplace transactions with their parts and mails, all or none. */
export const insertSplits: BatchOf<NewSplit, void> = {
  name: 'marketplace transaction',
  atomic: true,
  async execute(sql, splits) {
    await insertSplit(
      sql,
      splits.map(({ transaction }) => transaction),
      splits.flatMap(({ parts }) => parts),
    );
    await insertUnpaidMails(
      sql,
      splits.flatMap(({ mail }) => mail ?? []),
    );
    return splits.map(() => undefined);
  },
};

export interface SplitFilter extends Period {
  readonly status: TransactionStatus | null;
  /** Sellers, one of which has a part of the transaction. */
  readonly sellerIds: readonly string[] | null;
  readonly hiddenDescription: string | null;
}

function matching(partnerId: AccountId, { from, to, status, sellerIds, hiddenDescription }: SplitFilter): SqlPart {
  return sqlPart`merchant_id = ${partnerId} and origin = 'marketplace'
         and created_at >= coalesce(${from}::timestamptz, '-infinity')
         and created_at < coalesce(${to}::timestamptz, 'infinity')
         and (${status}::text is null or status = ${status})
         and (${hiddenDescription}::text is null or hidden_description = ${hiddenDescription})
         and (${sellerIds}::text[] is null or exists (
               select from transaction_part as part where part.transaction_id = transaction.id and part.merchant_id = any(${sellerIds}::text[])))`;
}

/** One page, newest first: ids with the number of children. */
export function listSplits(
  sql: Sql,
  partnerId: AccountId,
  filter: SplitFilter,
  limit: number,
  offset: number,
): Promise<{ readonly id: TransactionId; readonly children: number }[]> {
  return sql.many((row) => ({
    id: knownId<TransactionId>(readText(row, 'id')),
    children: readInteger(row, 'children'),
  }))`
    with page as (
      select id, created_at from transaction
       where ${matching(partnerId, filter)}
       order by created_at desc, id desc limit ${limit} offset ${offset}
    )
    select page.id, (select count(*)::integer from transaction_part where transaction_id = page.id) as children
      from page order by page.created_at desc, page.id desc`;
}

/** How many there are in all. */
export function countSplits(sql: Sql, partnerId: AccountId, filter: SplitFilter): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from transaction
     where ${matching(partnerId, filter)}`;
}

/** The parts of a transaction with the names of their sellers, in order. */
export function listNamedParts(
  sql: Sql,
  id: TransactionId,
): Promise<
  {
    readonly seller: string;
    readonly amountMinor: bigint;
    readonly description: string;
    readonly products: string;
  }[]
> {
  return sql.many((row) => ({
    seller: readText(row, 'name'),
    amountMinor: readBigint(row, 'amount_minor'),
    description: readText(row, 'description'),
    products: readText(row, 'products'),
  }))`
    select account.name, part.amount_minor, part.description, part.products
      from transaction_part as part join account on account.id = part.merchant_id
     where part.transaction_id = ${id} order by part.number`;
}
