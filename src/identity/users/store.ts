// SQL of managing users: reads and locks. The rows are written by session/store.ts.

import { type Row, readBoolean, readInstant, type Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { User } from '../model.ts';
import { userTable } from '../table.ts';

export interface ListedUser {
  readonly user: User;
  readonly hasPasskey: boolean;
  readonly lastSeenAt: Temporal.Instant | null;
}

/** The users of an account, or the operators, oldest first, at most 500; at most that many exist. */
export function listUsersOf(sql: Sql, accountId: AccountId | null): Promise<ListedUser[]> {
  const read = (row: Row) => ({
    user: userTable.read(row),
    hasPasskey: readBoolean(row, 'has_passkey'),
    lastSeenAt: row.last_seen_at === null ? null : readInstant(row, 'last_seen_at'),
  });
  return sql.many(read)`
    select person.*, exists (select from passkey where user_id = person.id) as has_passkey,
           (select max(seen_at) from session where user_id = person.id and complete) as last_seen_at
      from person where account_id is not distinct from ${accountId} order by id limit 500`;
}

/** Locks all users of an account, or the operators, in order of id: whoever changes them takes turns. */
export function lockUsersOf(sql: Sql, accountId: AccountId | null): Promise<User[]> {
  return sql.many(userTable.read)`
    select * from person where account_id is not distinct from ${accountId} order by id limit 501 for update`;
}

/** The user, with everything that belongs to it. */
export async function deleteUser(sql: Sql, id: string): Promise<void> {
  await sql.run`delete from person where id = ${id}`;
}
