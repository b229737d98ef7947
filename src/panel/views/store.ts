// SQL of saved views. Owns: panel_view.

import { type Row, readInstant, readInteger, readText, type Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';

export interface View {
  readonly id: string;
  readonly screen: string;
  readonly name: string;
  readonly query: string;
  readonly createdAt: Temporal.Instant;
}

const readView = (row: Row): View => ({
  id: readText(row, 'id'),
  screen: readText(row, 'screen'),
  name: readText(row, 'name'),
  query: readText(row, 'query'),
  createdAt: readInstant(row, 'created_at'),
});

/** A user's views of an account, by name; their number is bounded. */
export function listViewRows(sql: Sql, userId: string, accountId: AccountId, screen: string | null): Promise<View[]> {
  return sql.many(readView)`
    select id, screen, name, filters ->> 'query' as query, created_at from panel_view
     where user_id = ${userId} and account_id = ${accountId} and (${screen}::text is null or screen = ${screen}::text)
     order by screen, name`;
}

/** Locks the user, so that their saves take turns, and counts their views except the one of this name. */
export async function countOtherViews(sql: Sql, userId: string, accountId: AccountId, view: View): Promise<number> {
  await sql.run`select from person where id = ${userId} for update`;
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from panel_view
     where user_id = ${userId}
       and (account_id, screen, name) <> (${accountId}::text, ${view.screen}::text, ${view.name}::text)`;
}

/** Replaces the one of the same name; returns what is kept. */
export function upsertView(sql: Sql, userId: string, accountId: AccountId, view: View): Promise<View> {
  return sql.one(readView)`
    insert into panel_view (id, user_id, account_id, screen, name, filters, created_at)
    values (${view.id}, ${userId}, ${accountId}, ${view.screen}, ${view.name},
            jsonb_build_object('query', ${view.query}::text), ${view.createdAt})
    on conflict (user_id, account_id, screen, name) do update set filters = excluded.filters
    returning id, screen, name, filters ->> 'query' as query, created_at`;
}

/** Returns whether there was one. */
export async function deleteViewRow(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.run`delete from panel_view where id = ${id} and user_id = ${userId}`) > 0;
}
