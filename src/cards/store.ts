// All SQL of cards. Owns: card_key, card_token.

import { given, type RowOf, readText, type Sql } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';
import { cardKeyTable, cardTokenTable } from './table.ts';

export type CardKeyRow = RowOf<typeof cardKeyTable>;
export type CardTokenRow = RowOf<typeof cardTokenTable>;

/** Held until the end of the transaction, so that two nodes that start at the same time create one key. */
export async function lockKeys(sql: Sql): Promise<void> {
  await sql.run`lock table card_key in share row exclusive mode`;
}

/** All keys, newest first: the first encrypts, all decrypt. */
export function listKeys(sql: Sql): Promise<CardKeyRow[]> {
  return sql.many(cardKeyTable.read)`select * from card_key order by id desc limit 10`;
}

export function insertKey(sql: Sql, key: CardKeyRow): Promise<void> {
  return cardKeyTable.copy(sql, [key]);
}

/** Stores a card for an attempt and returns its token; if the attempt already has one, that one. */
export function insertToken(sql: Sql, row: Omit<CardTokenRow, 'activeAt'>): Promise<string> {
  return sql.one((kept) => readText(kept, 'token'))`
    insert into card_token (token, attempt_id, merchant_id, card_sealed, acquirer, tail, brand, expiry, created_at)
    values (${row.token}, ${row.attemptId}, ${row.merchantId}, ${row.cardSealed}, ${row.acquirer}, ${row.tail},
            ${row.brand}, ${row.expiry}, ${row.createdAt})
    on conflict (attempt_id) do update set attempt_id = excluded.attempt_id
    returning token`;
}

/** A usable token of this merchant. */
export function findActiveToken(sql: Sql, merchantId: AccountId, token: string): Promise<CardTokenRow | undefined> {
  return sql.maybeOne(cardTokenTable.read)`
    select * from card_token where token = ${token} and merchant_id = ${merchantId} and active_at is not null`;
}

/** Tokens by reference, whatever their state and merchant. */
export function listTokens(sql: Sql, tokens: readonly string[]): Promise<CardTokenRow[]> {
  return sql.many(cardTokenTable.read)`select * from card_token where token = any(${tokens}::text[])`;
}

/** Activates tokens; active ones are unchanged. */
export async function updateTokensActive(
  sql: Sql,
  tokens: readonly string[],
  activeAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    update card_token set active_at = ${activeAt}
      from ${given(
        tokens.map((token) => ({ token })),
        cardTokenTable.types('token'),
      )}
     where card_token.token = given.token and card_token.active_at is null`;
}
