// SQL of runs, their sums, and the lines that they compare. Owns: reconciliation_run, reconciliation_total,
// reconciliation_line.

import type { StatementFaultReason } from '../../../contract/codes/parking.ts';
import {
  type Database,
  type Row,
  readBoolean,
  readInstantOrNull,
  readText,
  type Sql,
  sqlPart,
} from '../../database/index.ts';
import type { Line, Run, Total } from '../model.ts';
import { reconciliationLineTable, reconciliationRunTable, reconciliationTotalTable } from '../table.ts';

const processEnded: StatementFaultReason = { code: 'process_ended', parameters: {} };

/** A row whose reason cannot be read must not keep the others from being seen, nor the next run from starting. */
export function readRun(row: Row): Run {
  try {
    return reconciliationRunTable.read(row);
  } catch {
    return reconciliationRunTable.read({ ...row, why: { code: 'run_damaged', parameters: {} } });
  }
}

/** The run in progress of an acquirer, whatever became of its process. */
export function findRunning(sql: Sql, acquirer: string): Promise<Run | undefined> {
  return sql.maybeOne(readRun)`
    select * from reconciliation_run where acquirer = ${acquirer} and state = 'running'`;
}

/** Ends a run whose process has died, unless it wrote something since; returns it as it is then. */
export function endDeadRun(sql: Sql, { id, leaseUntil }: Run, now: Temporal.Instant): Promise<Run | undefined> {
  return sql.maybeOne(readRun)`
    update reconciliation_run set state = 'incomplete', ended_at = ${now}, why = ${JSON.stringify(processEnded)}::jsonb
     where id = ${id} and state = 'running' and lease_until = ${leaseUntil}
    returning *`;
}

/** Starts a run unless one is running. Returns whether it started. */
export async function insertRun(sql: Sql, run: Run): Promise<boolean> {
  const started = await sql.run`
    insert into reconciliation_run (id, acquirer, from_at, to_at, started_at, lease_until, node_id, state)
    values (${run.id}, ${run.acquirer}, ${run.fromAt}, ${run.toAt}, ${run.startedAt}, ${run.leaseUntil}, ${run.nodeId}, 'running')
    on conflict (acquirer) where state = 'running' do nothing`;
  return started === 1;
}

/**
 * Whether a run still belongs to its process. It cannot be taken over until the end of the database transaction: call it
 * before any other lock.
 */
export async function lockRun(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.many((row) => readText(row, 'id'))`
    select id from reconciliation_run where id = ${id} and state = 'running' for share`;
  return rows.length === 1;
}

/** Extends the lease of a run; returns false if it was taken for dead. */
export async function extendLease(sql: Sql, { id, leaseUntil }: Pick<Run, 'id' | 'leaseUntil'>): Promise<boolean> {
  const updated = await sql.run`
    update reconciliation_run set lease_until = greatest(lease_until, ${leaseUntil}) where id = ${id} and state = 'running'`;
  return updated === 1;
}

/** Writes the progress of a run and extends its lease; returns false if it was taken for dead. */
export async function updateRun(sql: Sql, run: Run): Promise<boolean> {
  const updated = await sql.run`
    update reconciliation_run
       set lease_until = ${run.leaseUntil}, ended_at = ${run.endedAt}, state = ${run.state}, captures = ${run.captures},
           captured_minor = ${run.capturedMinor}, refunds = ${run.refunds}, refunded_minor = ${run.refundedMinor},
           payouts = ${run.payouts}, paid_out_minor = ${run.paidOutMinor}, fees_minor = ${run.feesMinor},
           applied = ${run.applied}, found = ${run.found}, open = ${run.open},
           carried_minor = ${run.carriedMinor}, carried_until = ${run.carriedUntil}, why = ${run.why && JSON.stringify(run.why)}::jsonb
     where id = ${run.id} and state = 'running'`;
  return updated === 1;
}

export async function insertTotals(sql: Sql, totals: readonly Total[]): Promise<void> {
  await reconciliationTotalTable.copy(sql, totals);
}

/** The sums of these runs. */
export function listTotals(sql: Sql, runIds: readonly string[]): Promise<Total[]> {
  return sql.many(reconciliationTotalTable.read)`
    select * from reconciliation_total where run_id = any(${runIds}::text[]) order by run_id, kind`;
}

/** The last runs, newest first. */
export function listRuns(sql: Sql, limit: number): Promise<Run[]> {
  return sql.many(readRun)`select * from reconciliation_run order by id desc limit ${limit}`;
}

/** The last run of an acquirer. */
export function findLastRun(sql: Sql, acquirer: string): Promise<Run | undefined> {
  return sql.maybeOne(readRun)`
    select * from reconciliation_run where acquirer = ${acquirer} order by id desc limit 1`;
}

/** When the last run ended that compared a complete statement of an acquirer; null: never. */
export function findLastComplete(sql: Sql, acquirer: string): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'ended_at'))`
    select (select ended_at from reconciliation_run where acquirer = ${acquirer} and state in ('agreed', 'differs')
             order by id desc limit 1) as ended_at`;
}

/**
 * The end of the period up to which the statement was compared completely, from the beginning of the installation and
 * without a gap; null: never, or a period before the first run was left out.
 */
export function findComparedUntil(sql: Sql, acquirer: string): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'until'))`
    with compared as (
      select from_at, max(to_at) over periods as reached, lead(from_at) over periods as next_from
        from reconciliation_run where acquirer = ${acquirer} and state in ('agreed', 'differs')
      window periods as (order by from_at, to_at, id)
    )
    select case when (select min(from_at) from compared) <= ${beginning}
                then (select min(reached) from compared where next_from is null or next_from > reached) end as until`;
}

/** The first account, or an older journal. Each by an index. */
const beginning = sqlPart`
  least((select min(created_at) from ledger_account), (select posted_at from journal order by id limit 1))`;

/** When the installation began: nothing was captured before. */
export function findBeginning(sql: Sql): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'at'))`select ${beginning} as at`;
}

/**
 * Forgets the lines of runs that have ended. Without another run the table is emptied, which takes no time however many
 * there are: under a lock that keeps a run which begins meanwhile from writing its first line, and is not waited for by one
 * that is at work.
 */
export async function clearLines(db: Pick<Database, 'sql' | 'atomic'>, run: Pick<Run, 'id'>): Promise<void> {
  if (await hasOthers(db.sql, run)) return deleteEndedLines(db.sql);
  await db.atomic(async (sql) => {
    await sql.run`lock table reconciliation_line in access exclusive mode`;
    if (await hasOthers(sql, run)) await deleteEndedLines(sql);
    else await sql.run`truncate reconciliation_line`;
  });
}

async function hasOthers(sql: Sql, { id }: Pick<Run, 'id'>): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from reconciliation_run where state = 'running' and id <> ${id}) as has`;
}

async function deleteEndedLines(sql: Sql): Promise<void> {
  await sql.run`
    delete from reconciliation_line
     where run_id not in (select id from reconciliation_run where state = 'running')`;
}

export function copyLines(sql: Sql, lines: readonly Line[]): Promise<void> {
  return reconciliationLineTable.copy(sql, lines);
}
