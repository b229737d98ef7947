// SQL of logged requests. Owns: request_log.

import { type RowOf, type Sql, sqlPart } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { List } from '../list/read.ts';
import { requestLogTable } from '../table.ts';

export type LoggedRequest = RowOf<typeof requestLogTable>;

export function insertRequests(sql: Sql, rows: readonly LoggedRequest[]): Promise<void> {
  return requestLogTable.copy(sql, rows);
}

/** Requests of an account, newest first. */
const requestList: List<LoggedRequest> = {
  rows: 'request_log',
  account: 'account_id',
  at: null,
  id: 'id',
  idType: 'text',
  scanned: 10_000,
  shown: '',
  joins: '',
  read: requestLogTable.read,
};

/** About one thing: an index has them. */
export function requestsAbout(subjectId: string | undefined): List<LoggedRequest> {
  if (subjectId === undefined) return requestList;
  return { ...requestList, rows: sqlPart`(select * from request_log where subject_id = ${subjectId})` };
}

export function findRequest(sql: Sql, accountId: AccountId, id: string): Promise<LoggedRequest | undefined> {
  return sql.maybeOne(requestLogTable.read)`
    select * from request_log where id = ${id} and account_id = ${accountId}`;
}

/** Deletes requests with smaller ids, oldest first, at most `limit`; returns how many. */
export function deleteRequests(sql: Sql, before: string, limit: number): Promise<number> {
  return sql.run`
    delete from request_log where id in (select id from request_log where id < ${before} order by id limit ${limit})`;
}
