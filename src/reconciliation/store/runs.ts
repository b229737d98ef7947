// SQL of runs, their sums, and the lines that they compare. Owns: reconciliation_run, reconciliation_total,
// reconciliation_line.

import type { StatementFaultReason } from '../../../contract/codes/parking.ts';
import { readInstantOrNull, readInteger, readText, type Sql } from '../../database/index.ts';
import type { Line, Moved, Run, Total } from '../model.ts';
import { reconciliationLineTable, reconciliationRunTable, reconciliationTotalTable } from '../table.ts';

const processEnded: StatementFaultReason = { code: 'process_ended', parameters: {} };

/** The run in progress of an acquirer, whatever became of its process. */
export function findRunning(sql: Sql, acquirer: string): Promise<Run | undefined> {
  return sql.maybeOne(reconciliationRunTable.read)`
    select * from reconciliation_run where acquirer = ${acquirer} and state = 'running'`;
}

/** Ends a run whose process has died, unless it wrote something since; returns it as it is then. */
export function endDeadRun(sql: Sql, { id, leaseUntil }: Run, now: Temporal.Instant): Promise<Run | undefined> {
  return sql.maybeOne(reconciliationRunTable.read)`
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
  return sql.many(reconciliationRunTable.read)`select * from reconciliation_run order by id desc limit ${limit}`;
}

/** The last run of an acquirer. */
export function findLastRun(sql: Sql, acquirer: string): Promise<Run | undefined> {
  return sql.maybeOne(reconciliationRunTable.read)`
    select * from reconciliation_run where acquirer = ${acquirer} order by id desc limit 1`;
}

/** The end of the period up to which the statement was compared completely, without a gap. */
export function findComparedUntil(sql: Sql, acquirer: string): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'until'))`
    select min(reached) as until
      from (select max(to_at) over periods as reached, lead(from_at) over periods as next_from
              from reconciliation_run where acquirer = ${acquirer} and state in ('agreed', 'differs')
            window periods as (order by from_at, to_at, id)) as compared
     where next_from is null or next_from > reached`;
}

/** When the installation began: nothing was captured before. */
export function findBeginning(sql: Sql): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'at'))`
    select least((select min(created_at) from ledger_account), (select min(posted_at) from journal)) as at`;
}

/** Forgets the lines of runs that have ended. */
export async function clearLines(sql: Sql, { id }: Pick<Run, 'id'>): Promise<void> {
  const others = await sql.many((row) => readText(row, 'id'))`
    select id from reconciliation_run where state = 'running' and id <> ${id}`;
  if (others.length === 0) await sql.run`truncate reconciliation_line`;
  else await sql.run`delete from reconciliation_line where run_id <> all(${[id, ...others]}::text[])`;
}

/** How many lines were named before, the key of one, and their sums. */
export interface Repeats {
  readonly count: number;
  readonly key: string | undefined;
  readonly sums: readonly { readonly kind: Moved; readonly minor: bigint; readonly feeMinor: bigint }[];
}

/** Forgets lines of the last page that were named before in this run, looked up by key (plans as in compare.ts). */
export async function deleteRepeats(sql: Sql, runId: string, after: bigint): Promise<Repeats> {
  const rows = await sql.many((row) => ({
    kind: readText(row, 'kind') as Moved,
    count: readInteger(row, 'count'),
    key: readText(row, 'key'),
    minor: BigInt(readText(row, 'minor')),
    feeMinor: BigInt(readText(row, 'fee_minor')),
  }))`
    with page as materialized (
      select position, key, kind, amount_minor, fee_minor from reconciliation_line
       where run_id = ${runId} and position > ${after}
    ), same as materialized (
      select run_id, position, key, kind from reconciliation_line where key = any (array (select key from page))
    ), repeated as materialized (
      select distinct page.* from page join same on same.key = page.key and same.kind = page.kind
       where same.run_id = ${runId} and same.position < page.position
    ), gone as (
      delete from reconciliation_line
       where run_id = ${runId} and position = any (array (select position from repeated))
    )
    select kind, count(*)::integer as count, min(key) as key, sum(amount_minor)::text as minor,
           sum(fee_minor)::text as fee_minor
      from repeated group by kind`;
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    key: rows[0]?.key,
    sums: rows,
  };
}

export function copyLines(sql: Sql, lines: readonly Line[]): Promise<void> {
  return reconciliationLineTable.copy(sql, lines);
}
