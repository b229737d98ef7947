// All SQL of cards. Owns: card_key, card_token.

import type { AccountId } from '../kernel/index.ts';
import { jsonRows, type Row, readInstantOrNull, readText, type Sql } from '../platform/index.ts';

export interface CardKeyRow {
  readonly id: string;
  readonly publicPem: string;
  readonly privateSealed: string;
}

function readKey(row: Row): CardKeyRow {
  return {
    id: readText(row, 'id'),
    publicPem: readText(row, 'public_pem'),
    privateSealed: readText(row, 'private_sealed'),
  };
}

/** Taken until the end of the transaction, so that two nodes that start at once make one key. */
export async function lockKeys(sql: Sql): Promise<void> {
  await sql.run`lock table card_key in share row exclusive mode`;
}

/** All keys, newest first: the first encrypts, all decrypt. */
export function listKeys(sql: Sql): Promise<CardKeyRow[]> {
  return sql.many(readKey)`select * from card_key order by id desc limit 10`;
}

export async function insertKey(sql: Sql, key: CardKeyRow, createdAt: Temporal.Instant): Promise<void> {
  await sql.run`
    insert into card_key (id, public_pem, private_sealed, created_at)
    values (${key.id}, ${key.publicPem}, ${key.privateSealed}, ${createdAt})`;
}

export interface CardTokenRow {
  /** A digest of the token: the token itself is in `cardSealed`. */
  readonly token: string;
  readonly merchantId: AccountId;
  readonly cardSealed: string;
  readonly tail: string;
  readonly brand: string;
  readonly expiry: string;
  readonly activeAt: Temporal.Instant | null;
}

function readToken(row: Row): CardTokenRow {
  return {
    token: readText(row, 'token'),
    merchantId: readText(row, 'merchant_id') as AccountId,
    cardSealed: readText(row, 'card_sealed'),
    tail: readText(row, 'tail'),
    brand: readText(row, 'brand'),
    expiry: readText(row, 'expiry'),
    activeAt: readInstantOrNull(row, 'active_at'),
  };
}

/** Keeps a card for an attempt and answers its token; one that was kept for the same attempt before stays. */
export function insertToken(
  sql: Sql,
  row: Omit<CardTokenRow, 'activeAt'>,
  attemptId: string,
  createdAt: Temporal.Instant,
): Promise<string> {
  return sql.one((kept) => readText(kept, 'token'))`
    insert into card_token (token, attempt_id, merchant_id, card_sealed, tail, brand, expiry, created_at)
    values (${row.token}, ${attemptId}, ${row.merchantId}, ${row.cardSealed}, ${row.tail}, ${row.brand}, ${row.expiry},
            ${createdAt})
    on conflict (attempt_id) do update set attempt_id = excluded.attempt_id
    returning token`;
}

/** One token of this merchant, usable ones only. */
export function findActiveToken(sql: Sql, merchantId: AccountId, token: string): Promise<CardTokenRow | undefined> {
  return sql.maybeOne(readToken)`
    select * from card_token where token = ${token} and merchant_id = ${merchantId} and active_at is not null`;
}

/** Tokens by name, whatever their state and merchant. */
export function listTokens(sql: Sql, tokens: readonly string[]): Promise<CardTokenRow[]> {
  return sql.many(readToken)`select * from card_token where token = any(${tokens}::text[])`;
}

/** Makes tokens usable; one that is stays as it was. */
export async function updateTokensActive(
  sql: Sql,
  tokens: readonly string[],
  activeAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    update card_token set active_at = ${activeAt}
     where token in (select token from json_to_recordset(${jsonRows(tokens.map((token) => ({ token })))}::json) as given (token text))
       and active_at is null`;
}
