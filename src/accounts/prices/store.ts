// SQL of prices. Owns: price_list, price, account_price_list.

import {
  given,
  type Row,
  type RowOf,
  readBigint,
  readInteger,
  readText,
  type Sql,
  SqlText,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import { accountPriceListTable, type PriceKind, priceListTable, priceTable } from './table.ts';

export type PriceRow = RowOf<typeof priceTable>;
export type PriceList = RowOf<typeof priceListTable>;
export type Assignment = RowOf<typeof accountPriceListTable>;

/** What a fee is computed by. */
export interface Price {
  /** Null: nobody has set one, and the fee is 0. */
  readonly priceId: bigint | null;
  readonly basisPoints: number;
  readonly fixedMinor: bigint;
  readonly minimumMinor: bigint;
  readonly maximumMinor: bigint | null;
}

/** The columns of `price_at(...) as price`, left joined, for `readPrice`. */
export const priceColumns = new SqlText(`price.id as price_id, coalesce(price.basis_points, 0) as price_basis_points,
  coalesce(price.fixed_minor, 0) as price_fixed_minor, coalesce(price.minimum_minor, 0) as price_minimum_minor,
  price.maximum_minor as price_maximum_minor`);

export function readPrice(row: Row): Price {
  return {
    priceId: row.price_id === null ? null : readBigint(row, 'price_id'),
    basisPoints: readInteger(row, 'price_basis_points'),
    fixedMinor: readBigint(row, 'price_fixed_minor'),
    minimumMinor: readBigint(row, 'price_minimum_minor'),
    maximumMinor: row.price_maximum_minor === null ? null : readBigint(row, 'price_maximum_minor'),
  };
}

const newPriceColumns = priceTable.types(
  'id',
  'ownerId',
  'kind',
  'channelId',
  'validFrom',
  'basisPoints',
  'fixedMinor',
  'minimumMinor',
  'maximumMinor',
  'createdAt',
  'mac',
);

/** Ids that are signed before their rows are written. */
export function nextPriceIds(sql: Sql, count: number): Promise<bigint[]> {
  return sql.many((row) => readBigint(row, 'id'))`
    select nextval(pg_get_serial_sequence('price', 'id')) as id from generate_series(1, ${count}::integer)`;
}

export function nextAssignmentId(sql: Sql): Promise<bigint> {
  return sql.one((row) => readBigint(row, 'id'))`
    select nextval(pg_get_serial_sequence('account_price_list', 'id')) as id`;
}

export async function insertPrices(sql: Sql, prices: readonly PriceRow[]): Promise<void> {
  const rows = prices.map((price) => ({
    ...price,
    validFrom: price.validFrom.toString(),
    createdAt: price.createdAt.toString(),
  }));
  await sql.run`
    insert into price (id, owner_id, kind, channel_id, valid_from, basis_points, fixed_minor, minimum_minor, maximum_minor, created_at, mac)
    overriding system value
    select id, owner_id, kind, channel_id, valid_from, basis_points, fixed_minor, minimum_minor, maximum_minor, created_at, mac
      from ${given(rows, newPriceColumns)} order by id`;
}

export async function insertPriceList(sql: Sql, list: PriceList): Promise<boolean> {
  const inserted = await sql.run`
    insert into price_list (id, name, created_at) values (${list.id}, ${list.name}, ${list.createdAt})
    on conflict (name) do nothing`;
  return inserted > 0;
}

export async function insertAssignment(
  sql: Sql,
  { id, accountId, listId, validFrom, createdAt, mac }: Assignment,
): Promise<void> {
  await sql.run`
    insert into account_price_list (id, account_id, list_id, valid_from, created_at, mac) overriding system value
    values (${id}, ${accountId}, ${listId}, ${validFrom}, ${createdAt}, ${mac})`;
}

export function listPriceLists(sql: Sql): Promise<(PriceList & { readonly accounts: number })[]> {
  return sql.many((row) => ({ ...priceListTable.read(row), accounts: readInteger(row, 'accounts') }))`
    select price_list.*, (
             select count(*) from (select distinct on (account_id) account_id, list_id from account_price_list
                                    order by account_id, valid_from desc, id desc) as last
              where last.list_id = price_list.id)::integer as accounts
      from price_list order by name limit 1000`;
}

export function findPriceList(sql: Sql, id: string): Promise<PriceList | undefined> {
  return sql.maybeOne(priceListTable.read)`select * from price_list where id = ${id}`;
}

/** Of a list or an account, in the order in which they follow each other. */
export function listPrices(sql: Sql, ownerId: string): Promise<PriceRow[]> {
  return sql.many(priceTable.read)`
    select * from price where owner_id = ${ownerId} order by kind, channel_id nulls first, valid_from, id limit 1000`;
}

export function listAssignments(
  sql: Sql,
  accountId: AccountId,
): Promise<(Assignment & { readonly name: string | null })[]> {
  return sql.many((row) => ({
    ...accountPriceListTable.read(row),
    name: row.name === null ? null : readText(row, 'name'),
  }))`
    select account_price_list.*, price_list.name
      from account_price_list left join price_list on price_list.id = account_price_list.list_id
     where account_id = ${accountId} order by valid_from, account_price_list.id limit 1000`;
}

/** A price in force, of one of these channels or of all. */
export interface PriceInForce extends Price {
  readonly kind: PriceKind;
  readonly channelId: number | null;
  readonly validFrom: Temporal.Instant;
}

/** What an account pays at a time: for each kind, of all channels and of those with a price of their own. */
export function listPricesOf(sql: Sql, accountId: AccountId, at: Temporal.Instant): Promise<PriceInForce[]> {
  return sql.many((row) => {
    const { id, kind, channelId, validFrom, basisPoints, fixedMinor, minimumMinor, maximumMinor } =
      priceTable.read(row);
    return { priceId: id, kind, channelId, validFrom, basisPoints, fixedMinor, minimumMinor, maximumMinor };
  })`
    select price.* from (
      select distinct kind, channel_id from price
       where owner_id = ${accountId} or owner_id in (select list_id from account_price_list where account_id = ${accountId})) as known
     cross join lateral price_at(${accountId}, known.kind, known.channel_id, ${at}::timestamptz) as price
     where price.channel_id is not distinct from known.channel_id
     order by array_position(array['payment', 'refund', 'payout', 'dispute'], price.kind), price.channel_id nulls first`;
}

/** The price of one kind for each of these accounts, in one statement. */
export async function findPrices(
  sql: Sql,
  kind: PriceKind,
  accountIds: readonly AccountId[],
  at: Temporal.Instant,
): Promise<Map<AccountId, Price>> {
  const rows = await sql.many((row) => [readText(row, 'account_id') as AccountId, readPrice(row)] as const)`
    select asked.account_id, ${priceColumns}
      from unnest(${accountIds}::text[]) as asked (account_id)
      left join lateral price_at(asked.account_id, ${kind}, null, ${at}::timestamptz) as price on true`;
  return new Map(rows);
}

const rowsAtOnce = 5_000;

/** All prices and then all assignments made since a moment, a page at a time. */
export async function* listSignedSince(sql: Sql, since: Temporal.Instant | null) {
  for (let after = 0n; ; ) {
    const prices: PriceRow[] = await sql.many(priceTable.read)`
      select * from price where id > ${after} and created_at >= coalesce(${since}::timestamptz, '-infinity')
       order by id limit ${rowsAtOnce}`;
    yield { prices, assignments: [] as Assignment[] };
    const last = prices.at(-1);
    if (!last || prices.length < rowsAtOnce) break;
    after = last.id;
  }
  for (let after = 0n; ; ) {
    const assignments: Assignment[] = await sql.many(accountPriceListTable.read)`
      select * from account_price_list where id > ${after} and created_at >= coalesce(${since}::timestamptz, '-infinity')
       order by id limit ${rowsAtOnce}`;
    yield { prices: [] as PriceRow[], assignments };
    const last = assignments.at(-1);
    if (!last || assignments.length < rowsAtOnce) return;
    after = last.id;
  }
}

/** Accounts whose own latest prices are not the fees in their settings. */
export function listOtherFees(sql: Sql, limit: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    with latest as (
      select distinct on (owner_id, kind) owner_id, kind, basis_points, fixed_minor from price
       where channel_id is null and kind in ('payment', 'refund') order by owner_id, kind, valid_from desc, id desc
    )
    select account.id
      from account
      left join latest as payment on payment.owner_id = account.id and payment.kind = 'payment'
      left join latest as refund on refund.owner_id = account.id and refund.kind = 'refund'
     where (payment.basis_points, payment.fixed_minor, refund.fixed_minor)
           is distinct from (account.payment_fee_basis_points, account.payment_fee_minor, account.refund_fee_minor)
     order by account.id limit ${limit}`;
}
