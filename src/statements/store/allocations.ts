// SQL of lines that nobody knew, and what they turned out to be. Owns: bank_allocation; and what is left of bank_line.

import { type Row, readBigint, readInstant, readInteger, readText, type Sql, sqlPart } from '../../database/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';
import type { Allocation, Line } from '../model.ts';
import { type AllocationKind, bankAllocationTable, bankLineTable } from '../table.ts';

/** Payouts of acquirers that are in the books and that no line of the bank is, and those that came back. */
const underway = sqlPart`
  underway as (
    select 'acquirer_payout' as kind, payout.acquirer || ':' || payout.key as target, payout.key, payout.amount_minor, payout.at
      from acquirer_payout as payout
     where payout.amount_minor > 0
       and not exists (select from bank_allocation as one
                        where one.kind = 'acquirer_payout' and one.target = payout.acquirer || ':' || payout.key
                          and one.undone_at is null)
    union all
    select 'acquirer_payout_returned', line.acquirer || ':' || line.key, line.key, -line.amount_minor, line.at
      from acquirer_line as line
     where line.kind = 'payout_returned' and line.amount_minor > 0
       and not exists (select from bank_allocation as one
                        where one.kind = 'acquirer_payout_returned' and one.target = line.acquirer || ':' || line.key
                          and one.undone_at is null)
  )`;

/** Lines of accepted statements that wait; those of a page that is not booked yet are not among them. */
const waiting = sqlPart`
  waiting as (
    select line.* from bank_line as line join bank_statement as statement on statement.id = line.statement_id
     where line.parked_at is not null and statement.position is not null
       and substring(line.id from 28)::integer < statement.booked_lines
  )`;

export interface Found {
  readonly lineId: string;
  readonly kind: AllocationKind;
  readonly target: string;
  readonly amountMinor: bigint;
}

const readFound = (row: Row): Found => ({
  lineId: readText(row, 'line_id'),
  kind: readText(row, 'kind') as AllocationKind,
  target: readText(row, 'target'),
  amountMinor: readBigint(row, 'amount_minor'),
});

/** How long a key must be to be recognized where the bank has broken the line within it. */
const longKey = 12;

/**
 * Lines that name exactly one payout of an acquirer of just their amount, which no other line names, and of which nobody has
 * said that it is not so; at most 1,000. Nothing is locked.
 */
export function listNamed(sql: Sql): Promise<Found[]> {
  return sql.many(readFound)`
    with ${underway}, ${waiting}, named as (
      select waiting.id as line_id, underway.kind, underway.target, underway.amount_minor,
             count(*) over (partition by waiting.id) as of_line, count(*) over (partition by underway.kind, underway.target) as of_target
        from underway join waiting on waiting.left_minor = underway.amount_minor and waiting.amount_minor = waiting.left_minor
       where (waiting.end_to_end = underway.key
              or strpos(' ' || regexp_replace(waiting.title, '[^0-9A-Za-z_-]+', ' ', 'g') || ' ', ' ' || underway.key || ' ') > 0
              or length(underway.key) >= ${longKey} and strpos(regexp_replace(waiting.title, '\s', '', 'g'), underway.key) > 0)
         and not exists (select from bank_allocation as undone
                          where undone.bank_line_id = waiting.id and undone.kind = underway.kind and undone.target = underway.target)
    )
    select line_id, kind, target, amount_minor from named where of_line = 1 and of_target = 1 order by line_id limit 1000`;
}

export interface UnderwayPayout {
  readonly kind: 'acquirer_payout' | 'acquirer_payout_returned';
  readonly target: string;
  /** Positive: it comes to the bank. */
  readonly amountMinor: bigint;
  readonly at: Temporal.Instant;
}

const readUnderway = (row: Row): UnderwayPayout => ({
  kind: readText(row, 'kind') as UnderwayPayout['kind'],
  target: readText(row, 'target'),
  amountMinor: readBigint(row, 'amount_minor'),
  at: readInstant(row, 'at'),
});

/** What the books have on our bank account and no statement, oldest first, at most 1,000. */
export function listUnderway(sql: Sql): Promise<UnderwayPayout[]> {
  return sql.many(readUnderway)`
    with ${underway} select kind, target, amount_minor, at from underway order by at, target limit 1000`;
}

export function findUnderway(sql: Sql, kind: AllocationKind, target: string): Promise<UnderwayPayout | undefined> {
  return sql.maybeOne(readUnderway)`
    with ${underway} select kind, target, amount_minor, at from underway where kind = ${kind} and target = ${target}`;
}

export async function isAllocated(sql: Sql, kind: AllocationKind, target: string): Promise<boolean> {
  const found = await sql.maybeOne((row) => row.id)`
    select id from bank_allocation where kind = ${kind} and target = ${target} and undone_at is null`;
  return found !== undefined;
}

/** Locks those of these lines of which something is left, in the order of their ids. */
export function lockLeft(sql: Sql, ids: readonly string[]): Promise<Line[]> {
  return sql.many(bankLineTable.read)`
    select line.* from bank_line as line
      join bank_statement as statement on statement.id = line.statement_id
     where line.id = any(${ids}::text[]) and line.left_minor <> 0 and statement.position is not null
       and substring(line.id from 28)::integer < statement.booked_lines
     order by line.id for update of line`;
}

/** A booked line of ours, whatever is left of it, locked. */
export function lockBooked(sql: Sql, id: string): Promise<Line | undefined> {
  return sql.maybeOne(bankLineTable.read)`
    select line.* from bank_line as line
      join bank_statement as statement on statement.id = line.statement_id
     where line.id = ${id} and statement.position is not null
       and substring(line.id from 28)::integer < statement.booked_lines
       for update of line`;
}

/** What was decided about a line, and was not undone, of this kind. */
export function findDecided(
  sql: Sql,
  lineId: string,
  kind: AllocationKind,
  target: string | null,
): Promise<Allocation | undefined> {
  return sql.maybeOne(bankAllocationTable.read)`
    select * from bank_allocation
     where bank_line_id = ${lineId} and kind = ${kind} and target is not distinct from ${target}::text and undone_at is null
     order by id desc limit 1`;
}

export async function updateUndone(sql: Sql, { id, undoneBy, undoneAt }: Allocation): Promise<void> {
  await sql.run`update bank_allocation set undone_by = ${undoneBy}, undone_at = ${undoneAt} where id = ${id}`;
}

/** Newest first. */
export function listAllocations(sql: Sql, limit: number): Promise<Allocation[]> {
  return sql.many(bankAllocationTable.read)`select * from bank_allocation order by id desc limit ${limit}`;
}

/** What the bank has charged and not refunded by now; whoever decides by it waits for all others who do. */
export async function lockCharged(sql: Sql): Promise<bigint> {
  await sql.run`select from bank_account order by id for no key update`;
  return sql.one((row) => BigInt(readText(row, 'minor')))`
    select coalesce(sum(amount_minor), 0)::text as minor from entry where account = ${ledgerAccounts.bankFee}`;
}

export async function insertAllocations(sql: Sql, allocations: readonly Allocation[]): Promise<void> {
  await bankAllocationTable.copy(sql, allocations);
}

export async function updateLeft(
  sql: Sql,
  lines: readonly Pick<Line, 'id' | 'leftMinor' | 'parkedAt'>[],
): Promise<void> {
  await bankLineTable.update(sql, lines, bankLineTable.types('id', 'leftMinor', 'parkedAt'));
}

export interface Waiting {
  readonly line: Line;
  /** How the number of our account ends. */
  readonly account: string;
  readonly statement: string;
}

const readWaiting = (row: Row): Waiting => ({
  line: bankLineTable.read(row),
  account: readText(row, 'account'),
  statement: readText(row, 'statement'),
});

const waitingIn = sqlPart`
  select line.*, right(account.number, 4) as account, coalesce(statement.number, statement.reference) as statement
    from waiting as line
    join bank_statement as statement on statement.id = line.statement_id
    join bank_account as account on account.id = statement.bank_account_id`;

/** Lines that wait for an operator, oldest first, at most `limit`. */
export function listWaiting(sql: Sql, limit: number): Promise<Waiting[]> {
  return sql.many(readWaiting)`
    with ${waiting} ${waitingIn} order by line.parked_at, line.id limit ${limit}`;
}

export function findWaiting(sql: Sql, id: string): Promise<Waiting | undefined> {
  return sql.maybeOne(readWaiting)`with ${waiting} ${waitingIn} where line.id = ${id}`;
}

export function countWaiting(sql: Sql): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`with ${waiting} select count(*)::integer as count from waiting`;
}

const proposedAtMost = 3;

/** Payouts of acquirers that have just the amount of these lines, for each at most three. Only proposals. */
export function listProposed(sql: Sql, lineIds: readonly string[]): Promise<Found[]> {
  return sql.many(readFound)`
    with ${underway}, ranked as (
      select line.id as line_id, underway.kind, underway.target, underway.amount_minor,
             row_number() over (partition by line.id order by underway.at, underway.target) as place
        from bank_line as line join underway on underway.amount_minor = line.left_minor
       where line.id = any(${lineIds}::text[])
    )
    select line_id, kind, target, amount_minor from ranked where place <= ${proposedAtMost} order by line_id, place`;
}
