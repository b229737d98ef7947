// SQL of runs and of the lines that they compare. Owns: reconciliation_run, reconciliation_line.

import type { StatementFaultReason } from '../../../contract/codes/parking.ts';
import { readInstantOrNull, readInteger, readTextOrNull, type Sql } from '../../database/index.ts';
import type { Line, Run } from '../model.ts';
import { reconciliationLineTable, reconciliationRunTable } from '../table.ts';

const processEnded: StatementFaultReason = { code: 'process_ended', parameters: {} };

/** Starts a run unless one is running; ends one whose lease is over. Returns whether it started. */
export async function insertRun(sql: Sql, run: Run): Promise<boolean> {
  await sql.run`
    update reconciliation_run set state = 'incomplete', ended_at = ${run.startedAt}, why = ${JSON.stringify(processEnded)}::jsonb
     where acquirer = ${run.acquirer} and state = 'running' and lease_until < ${run.startedAt}`;
  const started = await sql.run`
    insert into reconciliation_run (id, acquirer, from_at, to_at, started_at, lease_until, state)
    values (${run.id}, ${run.acquirer}, ${run.fromAt}, ${run.toAt}, ${run.startedAt}, ${run.leaseUntil}, 'running')
    on conflict (acquirer) where state = 'running' do nothing`;
  return started === 1;
}

/** Writes the progress of a run and extends its lease; returns false if it was taken for dead. */
export async function updateRun(sql: Sql, run: Run): Promise<boolean> {
  const updated = await sql.run`
    update reconciliation_run
       set lease_until = ${run.leaseUntil}, ended_at = ${run.endedAt}, state = ${run.state}, captures = ${run.captures},
           captured_minor = ${run.capturedMinor}, refunds = ${run.refunds}, refunded_minor = ${run.refundedMinor},
           payouts = ${run.payouts}, paid_out_minor = ${run.paidOutMinor}, applied = ${run.applied}, found = ${run.found},
           why = ${run.why && JSON.stringify(run.why)}::jsonb
     where id = ${run.id} and state = 'running'`;
  return updated === 1;
}

/** The last runs, newest first. */
export function listRuns(sql: Sql, limit: number): Promise<Run[]> {
  return sql.many(reconciliationRunTable.read)`select * from reconciliation_run order by id desc limit ${limit}`;
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

/** Forgets the lines of earlier runs. */
export async function clearLines(sql: Sql): Promise<void> {
  await sql.run`truncate reconciliation_line`;
}

/** Forgets lines of the last page that were named before in this run, looked up by key. */
export function deleteRepeats(sql: Sql, runId: string, after: bigint): Promise<Repeats> {
  return sql.one((row) => ({ count: readInteger(row, 'count'), key: readTextOrNull(row, 'key') ?? undefined }))`
    with repeated as (
      delete from reconciliation_line as line
       where run_id = ${runId} and position > ${after}
         and (select first.position from reconciliation_line as first
               where first.key = line.key and first.kind = line.kind and first.run_id = line.run_id
                 and first.position < line.position limit 1) is not null
      returning key
    )
    select count(*)::integer as count, min(key) as key from repeated`;
}

/** How many lines were named before, and the key of one. */
export interface Repeats {
  readonly count: number;
  readonly key: string | undefined;
}

export function copyLines(sql: Sql, lines: readonly Line[]): Promise<void> {
  return reconciliationLineTable.copy(sql, lines);
}
