// SQL of files, statements and answers. Owns: bank_file, bank_statement, bank_answer.

import { readBigint, readInteger, readText, readTextOrNull, type Sql } from '../../database/index.ts';
import type { Answer, File, Stored } from '../model.ts';
import { bankAnswerTable, bankFileTable, bankStatementTable } from '../table.ts';

export async function insertFile(sql: Sql, file: File): Promise<void> {
  await bankFileTable.copy(sql, [file]);
}

/** The file of these bytes that was used. */
export function findUsed(sql: Sql, sha256: Uint8Array): Promise<File | undefined> {
  return sql.maybeOne(bankFileTable.read)`
    select * from bank_file where sha256 = ${sha256} and state in ('accepted', 'booked', 'noted')`;
}

/** Of a file that is being read; false: it is not read any more. */
export async function updateLease(sql: Sql, id: string, leaseUntil: Temporal.Instant): Promise<boolean> {
  const held = await sql.run`
    update bank_file set lease_until = ${leaseUntil} where id = ${id} and state = 'reading'`;
  return held > 0;
}

/** Those that are being read, or whose reader has died. */
export function listReading(sql: Sql): Promise<File[]> {
  return sql.many(bankFileTable.read)`select * from bank_file where state = 'reading' order by id limit 100`;
}

export async function updateFile(sql: Sql, file: File): Promise<void> {
  await bankFileTable.update(
    sql,
    [bankFileTable.flat(file)],
    bankFileTable.types('id', 'state', 'statements', 'lines', 'problem', 'problemLine'),
  );
}

/** Locks it while it is still being read. */
export async function lockReading(sql: Sql, id: string): Promise<boolean> {
  const found = await sql.maybeOne((row) => row.id)`
    select id from bank_file where id = ${id} and state = 'reading' for update`;
  return found !== undefined;
}

/** Removes what was read of a file and is not accepted, a part at a time; returns how many rows. */
export async function deletePart(sql: Sql, fileId: string, rows: number): Promise<number> {
  const lines = await sql.run`
    delete from bank_line
     where id = any (array (
             select line.id from bank_statement as statement
               join bank_line as line on line.id >= statement.id || '-' and line.id < statement.id || '.'
              where statement.file_id = ${fileId} and statement.position is null limit ${rows}))`;
  if (lines > 0) return lines;
  const answers = await sql.run`
    delete from bank_answer
     where file_id = ${fileId} and exists (select from bank_file where id = ${fileId} and state = 'refused')`;
  if (answers > 0) return answers;
  return sql.run`
    delete from bank_statement
     where id = any (array (select id from bank_statement where file_id = ${fileId} and position is null limit ${rows}))`;
}

export async function insertStatements(sql: Sql, statements: readonly Stored[]): Promise<void> {
  await bankStatementTable.copy(sql, statements);
}

/** What is known of it when all of it was read, and what its acceptance adds. */
export async function updateStatements(sql: Sql, statements: readonly Stored[]): Promise<void> {
  await bankStatementTable.update(
    sql,
    statements.map((statement) => bankStatementTable.flat(statement)),
    bankStatementTable.types(
      'id',
      'position',
      'closingOn',
      'closingMinor',
      'beforeMinor',
      'broughtMinor',
      'entries',
      'lines',
      'sumMinor',
      'repeatedLines',
      'repeatedMinor',
      'firstOn',
      'lastOn',
      'acceptedAt',
    ),
  );
}

/** Statements of a file that were read and are not accepted, in the order of the account; at most `limit`. */
export function listRead(sql: Sql, fileId: string): Promise<Stored[]> {
  return sql.many(bankStatementTable.read)`
    select * from bank_statement where file_id = ${fileId} and position is null order by place`;
}

export interface Last {
  readonly position: number;
  readonly closingMinor: bigint;
  readonly lastOn: string | null;
}

/** Where the statements of an account end; undefined: there are none. */
export function findLast(sql: Sql, accountId: string): Promise<Last | undefined> {
  return sql.maybeOne((row) => ({
    position: readInteger(row, 'position'),
    closingMinor: readBigint(row, 'closing_minor'),
    lastOn: readTextOrNull(row, 'last_on'),
  }))`
    select position, closing_minor,
           (select max(last_on) from bank_statement where bank_account_id = ${accountId} and position is not null)::text as last_on
      from bank_statement where bank_account_id = ${accountId} and position is not null order by position desc limit 1`;
}

/** Whether an accepted statement has this name, these days and these balances. */
export async function isKnown(sql: Sql, { bankAccountId, ...one }: Stored): Promise<boolean> {
  const found = await sql.maybeOne((row) => row.id)`
    select id from bank_statement
     where bank_account_id = ${bankAccountId} and position is not null and reference = ${one.reference}
       and closing_minor = ${one.closingMinor} and opening_minor = ${one.openingMinor}
       and number is not distinct from ${one.number} and page = ${one.page}
       and from_on is not distinct from ${one.fromOn?.toString() ?? null}::date
       and to_on is not distinct from ${one.toOn?.toString() ?? null}::date
       and closing_on is not distinct from ${one.closingOn?.toString() ?? null}::date
     limit 1`;
  return found !== undefined;
}

export async function insertAnswers(sql: Sql, answers: readonly Answer[]): Promise<void> {
  await bankAnswerTable.copy(sql, answers);
}

/**
 * Statements of one account that are accepted and not booked, in their order. The account is locked, and those that others
 * hold are skipped: whatever is booked of an account, everything before it is.
 */
export async function lockUnbooked(sql: Sql, limit: number): Promise<Stored[]> {
  const account = await sql.maybeOne((row) => readText(row, 'id'))`
    select id from bank_account
     where exists (select from bank_statement
                    where bank_account_id = bank_account.id and position is not null and booked_at is null)
     order by id limit 1 for no key update skip locked`;
  if (account === undefined) return [];
  return sql.many(bankStatementTable.read)`
    select * from bank_statement where bank_account_id = ${account} and position is not null and booked_at is null
     order by position limit ${limit}`;
}

export interface Advance {
  readonly id: string;
  readonly bookedLines: number;
  readonly bookedAt: Temporal.Instant | null;
}

export async function updateBooked(sql: Sql, advances: readonly Advance[]): Promise<void> {
  await bankStatementTable.update(sql, advances, bankStatementTable.types('id', 'bookedLines', 'bookedAt'));
}

/** Files all of whose statements are booked are booked. */
export async function updateBookedFiles(sql: Sql, fileIds: readonly string[]): Promise<void> {
  await sql.run`
    update bank_file set state = 'booked'
     where id = any(${fileIds}::text[]) and state = 'accepted'
       and not exists (select from bank_statement
                        where file_id = bank_file.id and position is not null and booked_at is null)`;
}

/** How many statements are accepted and not booked, and since when. */
export function countUnbooked(sql: Sql): Promise<{ readonly due: number; readonly oldestAt: Temporal.Instant | null }> {
  return sql.one((row) => ({
    due: readInteger(row, 'due'),
    oldestAt: row.oldest === null ? null : Temporal.Instant.from(readText(row, 'oldest')),
  }))`
    select count(*)::integer as due, to_char(min(accepted_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as oldest
      from bank_statement where position is not null and booked_at is null`;
}
