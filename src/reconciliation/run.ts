// The row of a run: one at a time for each acquirer, under a lease that ends with its process.

import type { StatementFaultReason } from '../../contract/codes/parking.ts';
import type { Sql } from '../database/index.ts';
import { ulid } from '../kernel/index.ts';
import { hasDied, leaseFrom, whileLeased } from '../runtime/index.ts';
import type { Run, Total } from './model.ts';
import { appendRecords, contentOfRun, contentOfStart, type NewRecord } from './record.ts';
import { findOpenLine } from './store/items.ts';
import {
  clearLines,
  endDeadRun,
  extendLease,
  findBeginning,
  findComparedUntil,
  findRunning,
  insertRun,
  insertTotals,
  lockRun,
  updateRun,
} from './store/runs.ts';
import type { ReconciliationTools } from './tools.ts';

/** How far a run looks back before the end of the last one: open payments are parked after three days at the latest. */
export const overlap = Temporal.Duration.from({ hours: 72 });

/** The period; by default from three days before the end of the last one until now. */
export interface Reconciliation {
  /** Its name in the ledger; by default the first of ACQUIRERS. */
  readonly acquirer?: string | undefined;
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
}

/** The acquirer gave no complete statement, or the run is not ours any more. */
export class StatementFault extends Error {
  readonly why: StatementFaultReason;

  constructor(why: StatementFaultReason) {
    super(why.code);
    this.why = why;
  }
}

/** Starts a run of the acquirer; undefined if another one is in progress. */
export async function startRun(tools: ReconciliationTools, period: Reconciliation): Promise<Run | undefined> {
  const run = await newRun(tools, period);
  const isStarted = await tools.db.atomic(async (sql) => {
    const records: NewRecord[] = [];
    const before = await findRunning(sql, run.acquirer);
    if (before && hasDied(tools, before)) {
      const ended = await endDeadRun(sql, before, run.startedAt);
      if (ended) records.push(recordOf(tools.ids.ulid(), 'run_ended', ended, contentOfRun(ended, [])));
    }
    if (!(await insertRun(sql, run))) return false;
    records.push(recordOf(tools.ids.ulid(), 'run_started', run, contentOfStart(run)));
    await appendRecords(tools, sql, records);
    return true;
  });
  if (!isStarted) return undefined;
  await clearLines(tools.db, run);
  return run;
}

async function newRun(tools: ReconciliationTools, period: Reconciliation): Promise<Run> {
  const [startedAt, now] = [tools.wall.now(), tools.clock.now()];
  const acquirer = period.acquirer ?? firstOf(tools);
  // What has not happened yet is not compared, so that the next run begins there.
  const toAt = period.to && Temporal.Instant.compare(period.to, now) < 0 ? period.to : now;
  const fromAt = period.from ?? (await defaultFrom(tools, acquirer, toAt)) ?? toAt;
  return {
    id: ulid(startedAt.epochMilliseconds, tools.random.bytes(16)),
    acquirer,
    // A period that begins where it ends would be empty; an installation may be that young.
    fromAt: Temporal.Instant.compare(fromAt, toAt) < 0 ? fromAt : toAt.subtract({ milliseconds: 1 }),
    toAt,
    startedAt,
    leaseUntil: leaseFrom(tools.wall),
    nodeId: tools.nodes.self,
    endedAt: null,
    state: 'running',
    captures: 0n,
    capturedMinor: 0n,
    refunds: 0n,
    refundedMinor: 0n,
    payouts: 0n,
    paidOutMinor: 0n,
    feesMinor: 0n,
    applied: 0,
    found: 0,
    open: 0,
    carriedMinor: null,
    carriedUntil: null,
    why: null,
  };
}

function firstOf({ acquirers }: ReconciliationTools): string {
  const [first] = acquirers.list;
  if (!first) throw new Error('No acquirer is open.');
  return first.acquirer.name;
}

/** Payouts and fees cannot be looked up by key: one that differs is in the period until its difference is closed. */
async function defaultFrom(
  { db }: ReconciliationTools,
  acquirer: string,
  toAt: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const after = (await findComparedUntil(db.sql, acquirer))?.subtract(overlap);
  const since = after && Temporal.Instant.compare(after, toAt) < 0 ? after : await findBeginning(db.sql);
  const open = await findOpenLine(db.sql, acquirer);
  return since && open && Temporal.Instant.compare(open, since) < 0 ? open : since;
}

/** Extends the lease while `work` runs, however long a page takes. */
export function withLease<T>(tools: ReconciliationTools, { id }: Run, work: () => Promise<T>): Promise<T> {
  return whileLeased(tools, (leaseUntil) => extendLease(tools.db.sql, { id, leaseUntil }), work);
}

/**
 * What a run writes besides its own row, in one database transaction. Throws if another run took over: what both found
 * would be booked twice.
 */
export function inRun<T>(tools: ReconciliationTools, { id }: Run, work: (sql: Sql) => Promise<T>): Promise<T> {
  return tools.db.atomic(async (sql) => {
    if (!(await lockRun(sql, id))) throw new StatementFault({ code: 'taken_over', parameters: {} });
    return work(sql);
  });
}

/** Writes the progress of a run. Throws if another run took over. */
export async function saveRun(tools: ReconciliationTools, run: Run): Promise<void> {
  const isOurs = await updateRun(tools.db.sql, { ...run, leaseUntil: leaseFrom(tools.wall) });
  if (!isOurs) throw new StatementFault({ code: 'taken_over', parameters: {} });
}

/** Ends a run and records how; a run that was taken over stays as it is. */
export async function endRun(tools: ReconciliationTools, run: Run, totals: readonly Total[]): Promise<void> {
  await tools.db.atomic(async (sql) => {
    if (!(await updateRun(sql, run))) return;
    if (totals.length > 0) await insertTotals(sql, totals);
    await appendRecords(tools, sql, [recordOf(tools.ids.ulid(), 'run_ended', run, contentOfRun(run, totals))]);
  });
}

function recordOf(id: string, step: 'run_started' | 'run_ended', run: Run, content: string): NewRecord {
  const about = { acquirer: run.acquirer, runId: run.id, itemId: null, kind: null, key: null, moves: undefined };
  return { id, step, ...about, content };
}

/** The smallest id of this time; ids begin in 1970. */
export function borderOf(at: Temporal.Instant): string {
  return ulid(Math.max(0, at.epochMilliseconds), new Uint8Array(16));
}
