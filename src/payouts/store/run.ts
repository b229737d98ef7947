// SQL of runs. Owns: payout_run. Lock order: run, terms, balances.

import { given, type Row, readBoolean, readText, type Sql, type SqlPart, sqlPart } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';
import type { Credited } from '../due.ts';
import type { PayoutRun } from '../model.ts';
import { payoutRunTable } from '../table.ts';
import { type Deciding, decidingColumns, readDeciding } from './deciding.ts';
import { dayColumns, daysOfIds, idFrom } from './held.ts';

/** Begins the run of a day; of a day that has one nothing changes. */
export async function insertRun(
  sql: Sql,
  { id, day, startedAt }: Pick<PayoutRun, 'id' | 'day' | 'startedAt'>,
): Promise<void> {
  await sql.run`
    insert into payout_run (id, day, started_at) values (${id}, ${day.toString()}, ${startedAt}) on conflict (day) do nothing`;
}

/** Whether this day has a run, whatever became of it. */
export function hasRun(sql: Sql, day: Temporal.PlainDate): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from payout_run where day = ${day.toString()}) as has`;
}

/** Whether the run of this day has decided about an account. */
export function hasRunPassed(sql: Sql, day: Temporal.PlainDate, id: AccountId): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from payout_run
                    where day = ${day.toString()} and (ended_at is not null or reached >= ${id})) as has`;
}

/** Whether there is anybody whom a run could pay. */
export function hasPlaces(sql: Sql): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from payout_account where replaced_at is null) as has`;
}

/** The first run that has not ended, locked; undefined if there is none or another node has it. */
export function lockOpenRun(sql: Sql): Promise<PayoutRun | undefined> {
  return sql.maybeOne(payoutRunTable.read)`
    select * from payout_run where ended_at is null order by day limit 1 for update skip locked`;
}

export async function updateRun(
  sql: Sql,
  {
    id,
    reached,
    payouts,
    totalMinor,
    endedAt,
  }: Pick<PayoutRun, 'id' | 'reached' | 'payouts' | 'totalMinor' | 'endedAt'>,
): Promise<void> {
  await sql.run`
    update payout_run set reached = ${reached}, payouts = ${payouts}, total_minor = ${totalMinor}, ended_at = ${endedAt}
     where id = ${id}`;
}

/** An account about which a run decides. */
export interface Candidate extends Deciding {
  readonly name: string;
  readonly isAccountBlocked: boolean;
}

const readCandidate = (row: Row): Candidate => ({
  ...readDeciding(row),
  name: readText(row, 'name'),
  isAccountBlocked: readText(row, 'status') === 'blocked',
});

const columns = sqlPart`
  account.id as account_id, account.name, account.status, ${decidingColumns}`;

/**
 * The next accounts with a bank account, in id order; their terms, and with them where they are paid, stand still. They are
 * locked first and read afterwards: one statement would see what somebody else has committed meanwhile only in part.
 */
export async function lockCandidates(sql: Sql, after: string, limit: number): Promise<Candidate[]> {
  const ids = await sql.many((row) => readText(row, 'account_id'))`
    select place.account_id
      from payout_account as place
      join payout_terms as terms on terms.account_id = place.account_id
     where place.replaced_at is null and place.account_id > ${after}
     order by place.account_id limit ${limit} for share of terms`;
  return sql.many(readCandidate)`
    select ${columns}
      from account
      join payout_terms as terms on terms.account_id = account.id
      left join payout_account as place on place.account_id = account.id and place.replaced_at is null
     where account.id = any(${ids}::text[]) order by account.id`;
}

/** The next accounts of all, in id order. */
export function listCandidates(sql: Sql, after: string, limit: number): Promise<Candidate[]> {
  return sql.many(readCandidate)`
    select ${columns}
      from account
      left join payout_terms as terms on terms.account_id = account.id
      left join payout_account as place on place.account_id = account.id and place.replaced_at is null
     where account.id > ${after} order by account.id limit ${limit}`;
}

/** One of them. */
export function findCandidate(sql: Sql, id: AccountId): Promise<Candidate | undefined> {
  return sql.maybeOne(readCandidate)`
    select ${columns}
      from account
      left join payout_terms as terms on terms.account_id = account.id
      left join payout_account as place on place.account_id = account.id and place.replaced_at is null
     where account.id = ${id}`;
}

/** From when on credits of an account are not due. */
export interface CreditedFrom {
  readonly accountId: AccountId;
  readonly first: Temporal.PlainDate;
}

/** What was credited to these accounts, each since its own day, by account and oldest first. */
export async function listCredits(
  sql: Sql,
  accounts: readonly CreditedFrom[],
  today: Temporal.PlainDate,
  zone: string,
): Promise<Map<string, Credited[]>> {
  const found = new Map<string, Credited[]>();
  const [earliest] = accounts.map(({ first }) => first).toSorted(Temporal.PlainDate.compare);
  if (!earliest) return found;
  const from = accounts.map(({ accountId, first }) => ({
    accountId,
    account: ledgerAccounts.available(accountId),
    firstId: idFrom(first, zone),
  }));
  const rows = await sql.many(
    (row) => [readText(row, 'account_id'), readText(row, 'day'), readText(row, 'minor')] as const,
  )`
    select owner.account_id, day.day::text as day, (-sum(entry.amount_minor))::text as minor
      from (select * from ${given(from, { accountId: 'text', account: 'text', firstId: 'text' })}) as owner
      join entry on entry.account = owner.account and entry.journal_id >= owner.first_id and entry.amount_minor < 0
      join (select * from ${daysGiven(earliest, today, zone)}) as day
        on entry.journal_id >= day.from_id and entry.journal_id < day.until_id
     group by 1, 2 order by 1, 2`;
  for (const [accountId, day, minor] of rows) {
    const credited = found.get(accountId) ?? [];
    credited.push({ day: Temporal.PlainDate.from(day), minor: BigInt(minor) });
    found.set(accountId, credited);
  }
  return found;
}

const daysGiven = (first: Temporal.PlainDate, today: Temporal.PlainDate, zone: string): SqlPart =>
  sqlPart`${given(daysOfIds(first, today, zone), dayColumns)}`;
