// What people read about accounts, files and statements. Reads only.

import { readBigint, readInteger, readText, readTextOrNull, type Sql } from '../../database/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';
import type { File, Stored } from '../model.ts';
import { bankFileTable, bankStatementTable } from '../table.ts';

export interface Summary {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly currency: string;
  readonly statements: number;
  /** Gaps that were accepted: what is in no statement. */
  readonly gaps: number;
  /** Null: no statement yet. */
  readonly closingMinor: bigint | null;
  readonly closedOn: string | null;
}

/** Each account with where its statements end. */
export function listSummaries(sql: Sql): Promise<Summary[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    number: readText(row, 'number'),
    name: readText(row, 'name'),
    currency: readText(row, 'currency'),
    statements: readInteger(row, 'statements'),
    gaps: readInteger(row, 'gaps'),
    closingMinor: row.closing_minor === null ? null : readBigint(row, 'closing_minor'),
    closedOn: readTextOrNull(row, 'closed_on'),
  }))`
    select account.id, account.number, account.name, account.currency,
           coalesce(last.position, 0) as statements, last.closing_minor,
           coalesce(last.to_on, last.closing_on, last.last_on)::text as closed_on,
           (select count(*)::integer from bank_statement as one
             where one.bank_account_id = account.id and one.position > 1 and one.brought_minor <> 0) as gaps
      from bank_account as account
      left join lateral (
        select position, closing_minor, to_on, closing_on, last_on from bank_statement
         where bank_account_id = account.id and position is not null order by position desc limit 1) as last on true
     order by account.id`;
}

/** What is booked on our bank account. Reads every entry of it. */
export function sumBankClient(sql: Sql): Promise<bigint> {
  return sql.one((row) => BigInt(readText(row, 'minor')))`
    select coalesce(sum(amount_minor), 0)::text as minor from entry where account = ${ledgerAccounts.bankClient}`;
}

/** Balances that accounts of a demo began with: they are booked on our bank account, and have never been at a bank. */
export function sumOpenings(sql: Sql): Promise<bigint> {
  return sql.one((row) => BigInt(readText(row, 'minor')))`
    select coalesce(sum(entry.amount_minor), 0)::text as minor
      from account
      join journal on journal.source = account.id and journal.kind = 'opening'
      join entry on entry.journal_id = journal.id and entry.account = ${ledgerAccounts.bankClient}`;
}

export interface ShownStatement {
  readonly statement: Stored;
  readonly account: string;
  readonly file: string;
}

/** Accepted statements, newest first. */
export function listStatements(sql: Sql, limit: number): Promise<ShownStatement[]> {
  return sql.many((row) => ({
    statement: bankStatementTable.read(row),
    account: readText(row, 'account'),
    file: readText(row, 'file'),
  }))`
    select statement.*, right(account.number, 4) as account, file.name as file
      from bank_statement as statement
      join bank_account as account on account.id = statement.bank_account_id
      join bank_file as file on file.id = statement.file_id
     where statement.position is not null
     order by statement.accepted_at desc, statement.bank_account_id, statement.position desc limit ${limit}`;
}

/** Files, newest first, also those that were refused. */
export function listFiles(sql: Sql, limit: number): Promise<File[]> {
  return sql.many(bankFileTable.read)`select * from bank_file order by imported_at desc, id desc limit ${limit}`;
}
