// The row of a run: one at a time over all nodes, under a lease that ends with its process.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Nodes, Sql } from '../database/index.ts';
import { ulid } from '../kernel/index.ts';
import { hasDied, leaseFrom, whileLeased } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { skew, type Verified } from './run.ts';
import { appendRun, idsOf, readState, type State } from './state.ts';
import {
  extendLease,
  insertRun,
  type KnownRun,
  listRunning,
  lockRuns,
  type Run,
  updateEnded,
  type VerifyRun,
} from './store.ts';

export interface VerificationTools
  extends Pick<Tools, 'db' | 'wall' | 'random' | 'vault' | 'log' | 'metrics' | 'config' | 'clock'> {
  /** Which processes are alive: a run ends with its process. */
  readonly nodes: Pick<Nodes, 'self' | 'isDead'>;
}

export function latestOf({ wall }: Pick<Tools, 'wall'>): Temporal.Instant {
  return wall.now().add(skew);
}

/** Up to when the books were found right; null if never, if that time is in the future, or if it cannot be known. */
export function rightUntilIn(tools: Pick<Tools, 'wall'>, { isWhole, rightUntil }: State): Temporal.Instant | null {
  return isWhole && rightUntil && Temporal.Instant.compare(rightUntil, latestOf(tools)) <= 0 ? rightUntil : null;
}

export interface Begun {
  readonly run: Run;
  readonly isOurs: boolean;
  /** Runs whose findings it looks for by name: one of everything finds them without. */
  readonly again: readonly KnownRun[];
}

export interface Beginning {
  readonly startedBy: string;
  /** `changed`: since the books were last right; everything if they never were. */
  readonly scope: 'changed' | 'everything';
  /** Not within so many minutes of the last one. */
  readonly everyMinutes?: number;
}

/** Takes the turn, unless another run has it, or one began within the last minutes. */
export function begin(tools: VerificationTools, { startedBy, scope, everyMinutes = 0 }: Beginning): Promise<Begun> {
  const startedAt = tools.wall.now();
  return tools.db.atomic(async (sql) => {
    await lockRuns(sql);
    const running = await listRunning(sql);
    const atWork = running.find((one) => !hasDied(tools, one));
    if (atWork) return { run: atWork, isOurs: false, again: [] };
    const state = await readState(tools.vault, sql);
    const { newest } = state;
    if (newest && isRecent(tools, newest, everyMinutes)) return { run: newest, isOurs: false, again: [] };
    for (const dead of running) await endIn(tools, sql, { ...dead, endedAt: startedAt }, failed);
    const sinceAt = scope === 'changed' ? rightUntilIn(tools, state) : null;
    const again = sinceAt ? state.standing : [];
    const reread = idsOf(state);
    const run = { ...newRun(tools, startedAt), startedBy, sinceAt, reread };
    await insertRun(sql, { ...run, problems: [] });
    return { run, isOurs: true, again };
  });
}

const failed: readonly Finding[] = [{ code: 'verification_failed', parameters: {} }];

function isRecent(tools: VerificationTools, { startedAt }: Run, minutes: number): boolean {
  const isNoFuture = Temporal.Instant.compare(startedAt, latestOf(tools)) <= 0;
  return isNoFuture && Temporal.Instant.compare(startedAt.add({ minutes }), tools.wall.now()) > 0;
}

function newRun({ nodes, random, wall }: VerificationTools, startedAt: Temporal.Instant) {
  return {
    id: ulid(startedAt.epochMilliseconds, random.bytes(16)),
    startedAt,
    nodeId: nodes.self,
    leaseUntil: leaseFrom(wall),
    endedAt: null,
    journals: null,
    entries: null,
    position: null,
    standing: null,
    rightUntil: null,
    mac: null,
  };
}

function endIn({ vault }: VerificationTools, sql: Sql, run: Run, problems: readonly Finding[]): Promise<boolean> {
  return appendRun(vault, sql, { run, problems }, updateEnded);
}

/** Verifies, and keeps what was found. */
export async function finish(tools: VerificationTools, run: Run, verify: () => Promise<Verified>): Promise<void> {
  const { db, log, wall } = tools;
  const extend = (leaseUntil: Temporal.Instant) => extendLease(db.sql, run.id, leaseUntil);
  const end = ({ problems, ...read }: Pick<VerifyRun, 'problems' | 'journals' | 'entries'>) =>
    db.atomic(async (sql) => {
      await lockRuns(sql);
      return endIn(tools, sql, { ...run, ...read, endedAt: wall.now() }, problems);
    });
  try {
    const { problems, journals, entries } = await whileLeased(tools, extend, verify);
    if (problems.length > 0) log.error({ count: problems.length }, 'the books are wrong: grosz verify');
    const isOurs = await end({ problems, journals, entries });
    // Another process took it for dead. What it found it found, and the run that took over may have read the row before.
    if (!isOurs && problems.length > 0) await keepRun(tools, { ...run, problems, journals, entries });
  } catch (error) {
    log.error({ err: error }, 'the books could not be verified');
    await end({ problems: failed, journals: null, entries: null }).catch(() => undefined);
  }
}

/** Keeps the result of a run that took no turn. */
export async function keepRun(
  tools: VerificationTools,
  found: Pick<VerifyRun, 'startedBy' | 'startedAt' | 'sinceAt' | 'problems' | 'journals' | 'entries' | 'reread'>,
): Promise<void> {
  const { db, log, vault, wall } = tools;
  const { problems, startedBy, startedAt, sinceAt, journals, entries, reread } = found;
  const read = { startedBy, sinceAt, journals, entries, reread };
  const run = { ...newRun(tools, startedAt), ...read, endedAt: wall.now() };
  try {
    await db.atomic(async (sql) => {
      await lockRuns(sql);
      await appendRun(vault, sql, { run, problems }, async (_sql, ended) => {
        await insertRun(sql, ended);
        return true;
      });
    });
  } catch (error) {
    log.warn({ err: error }, 'the result of this run could not be kept');
  }
}
