// SQL of our accounts and of how banks take files. Owns: bank_account, bank_profile.

import { type Row, readText, type Sql } from '../database/index.ts';
import { type BankAccount, isPayer, type Payer } from './model.ts';
import { bankAccountTable, bankProfileTable } from './table.ts';

export function findProfileRow(sql: Sql, name: string) {
  return sql.maybeOne(bankProfileTable.read)`select * from bank_profile where name = ${name}`;
}

/** In the order of their names. A few. */
export function listProfileNames(sql: Sql): Promise<string[]> {
  return sql.many((row) => readText(row, 'name'))`select name from bank_profile order by name`;
}

/** False: it is open already. */
export async function insertBankAccount(sql: Sql, account: BankAccount): Promise<boolean> {
  const { id, number, currency, name, openedAt } = account;
  const opened = await sql.run`
    insert into bank_account (id, number, currency, name, opened_at)
    values (${id}, ${number}, ${currency}, ${name}, ${openedAt}) on conflict do nothing`;
  return opened > 0;
}

function readPayer(row: Row): Payer {
  const account = bankAccountTable.read(row);
  if (!isPayer(account)) throw new Error(`Nothing is paid from account ${account.id}.`);
  return account;
}

export function upsertPayer(sql: Sql, account: Payer): Promise<Payer> {
  const { id, number, currency, name, openedAt, holder, profile, givenBy, givenAt } = account;
  return sql.one(readPayer)`
    insert into bank_account (id, number, currency, name, opened_at, holder, profile, given_by, given_at)
    values (${id}, ${number}, ${currency}, ${name}, ${openedAt}, ${holder}, ${profile}, ${givenBy}, ${givenAt})
    on conflict (number) do update
       set holder = excluded.holder, profile = excluded.profile, given_by = excluded.given_by, given_at = excluded.given_at
    returning *`;
}

export function findBankAccount(sql: Sql, id: string): Promise<BankAccount | undefined> {
  return sql.maybeOne(bankAccountTable.read)`select * from bank_account where id = ${id}`;
}

/** By its IBAN. */
export function findByNumber(sql: Sql, number: string): Promise<BankAccount | undefined> {
  return sql.maybeOne(bankAccountTable.read)`select * from bank_account where number = ${number}`;
}

/** All of them, in the order in which they were opened: an operator has few. */
export function listBankAccounts(sql: Sql): Promise<BankAccount[]> {
  return sql.many(bankAccountTable.read)`select * from bank_account order by id`;
}

/** Those from which payouts are paid. */
export function listPayers(sql: Sql): Promise<Payer[]> {
  return sql.many(readPayer)`select * from bank_account where holder is not null order by id`;
}

/** Its statements, drafts and files follow each other: whoever adds one waits for the one before. */
export async function lockBankAccount(sql: Sql, id: string): Promise<void> {
  await sql.run`select from bank_account where id = ${id} for no key update`;
}
