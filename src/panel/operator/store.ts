// SQL for operators. Owns: verify_run. Everything else is read only.

import { type AccountId, knownId } from '../../kernel/index.ts';
import {
  type Row,
  type RowOf,
  readBigint,
  readInstant,
  readInteger,
  readText,
  type Sql,
} from '../../platform/index.ts';
import { verifyRunTable } from '../table.ts';

export interface AccountLine {
  readonly id: AccountId;
  readonly merchantNumber: number;
  readonly kind: 'merchant' | 'partner' | 'seller';
  readonly status: 'active' | 'blocked';
  readonly name: string;
  readonly email: string;
  readonly balanceMinor: bigint;
  readonly createdAt: Temporal.Instant;
}

function readLine(row: Row): AccountLine {
  return {
    id: knownId(readText(row, 'id')),
    merchantNumber: readInteger(row, 'merchant_number'),
    kind: readText(row, 'kind') as AccountLine['kind'],
    status: readText(row, 'status') as AccountLine['status'],
    name: readText(row, 'name'),
    email: readText(row, 'email'),
    balanceMinor: readBigint(row, 'balance_minor'),
    createdAt: readInstant(row, 'created_at'),
  };
}

export interface AccountFilter {
  readonly search: string | null;
  readonly kind: string | null;
  readonly status: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Accounts with their balance, newest first, at most `limit`. Some ten thousand accounts are read in milliseconds. */
export function listAccountLines(
  sql: Sql,
  { search, kind, status, before, limit }: AccountFilter,
): Promise<AccountLine[]> {
  const pattern = search === null ? null : `${search.toLowerCase().replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`;
  return sql.many(readLine)`
    select account.id, account.merchant_number, account.kind, account.status, account.name, account.email, account.created_at,
           coalesce((select balance_minor from ledger_balance
                      where ledger_balance.account = 'merchant:' || account.id || ':available'), 0) as balance_minor
      from account
     where account.id < coalesce(${before}, '~')
       and (${kind}::text is null or account.kind = ${kind})
       and (${status}::text is null or account.status = ${status})
       and (${pattern}::text is null or lower(account.name) like ${pattern} or lower(account.email) like ${pattern}
            or account.id = upper(${search}) or account.merchant_number::text = ${search})
     order by account.id desc limit ${limit}`;
}

export type VerifyRun = RowOf<typeof verifyRunTable>;

export function findLastRun(sql: Sql): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`select * from verify_run order by id desc limit 1`;
}

/** Runs take turns; returns the last one. */
export async function lockLastRun(sql: Sql): Promise<VerifyRun | undefined> {
  await sql.run`select pg_advisory_xact_lock(7261508117)`;
  return findLastRun(sql);
}

export function insertRun(sql: Sql, run: VerifyRun): Promise<void> {
  return verifyRunTable.copy(sql, [run]);
}

export async function endRun(sql: Sql, run: VerifyRun): Promise<void> {
  await sql.run`
    update verify_run
       set ended_at = ${run.endedAt}, problems = ${JSON.stringify(run.problems)}::jsonb, journals = ${run.journals},
           entries = ${run.entries}
     where id = ${run.id}`;
}

export interface Node {
  readonly name: string;
  readonly address: string;
  readonly connections: number;
  readonly since: Temporal.Instant;
}

/** Processes of Grosz with a connection to this database, at most 200. */
export function listNodesOf(sql: Sql): Promise<Node[]> {
  return sql.many((row) => ({
    name: readText(row, 'application_name'),
    address: readText(row, 'address'),
    connections: readInteger(row, 'connections'),
    since: readInstant(row, 'since'),
  }))`
    select application_name, coalesce(host(client_addr), '') as address, count(*)::integer as connections,
           min(backend_start) as since
      from pg_stat_activity
     where datname = current_database() and application_name like 'grosz %'
     group by 1, 2 order by 1, 2 limit 200`;
}

export function readServer(sql: Sql): Promise<{ version: string; bytes: bigint }> {
  return sql.one((row) => ({ version: readText(row, 'version'), bytes: readBigint(row, 'bytes') }))`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`;
}
