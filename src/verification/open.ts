import { byItself, commandLine } from '../../contract/codes/actors.ts';
import type { Finding } from '../../contract/codes/findings.ts';
import type { WorkName } from '../../contract/codes/works.ts';
import { ulid } from '../kernel/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { type Ledger, type Verified, type VerifyOptions, type VerifyPart, verifyBooks } from './run.ts';
import {
  countStanding,
  endRun,
  findLastOf,
  findLastRight,
  findLastRun,
  insertRun,
  lockLastRun,
  type VerifyRun,
} from './store.ts';

export type Verification = ReturnType<typeof openVerification>;

/** How often it looks whether a run is due: one row by its key. */
const everyMilliseconds = 5_000;

/** How far the clocks of nodes may be apart: a run that is later than that was made up. */
const skew = Temporal.Duration.from({ minutes: 10 });
const latestOf = ({ wall }: Pick<Tools, 'wall'>) => wall.now().add(skew);

/** A run whose node died counts as ended after this time. */
const lease = Temporal.Duration.from({ hours: 6 });

/** `parts` are those of all rooms, also of those that are opened later. */
export function openVerification(tools: Tools, ledger: Ledger, parts: () => readonly VerifyPart[]) {
  const { sql } = tools.db;
  const verify = (options: VerifyOptions) => verifyBooks(tools, ledger, parts(), options);
  measure(tools);
  return {
    name: 'verification',
    works: [
      { name: 'verify_books', run: () => verifyNow(tools, verify), everyMilliseconds },
    ] satisfies Work<WorkName>[] as Work<WorkName>[],
    /** Verifies now, beside any other run. */
    verifyBooks: verify,
    /** What a run of the command line found, so that the panel shows it too. A replica cannot keep it, and needs not. */
    keep: (found: Pick<VerifyRun, 'startedAt' | 'sinceAt' | 'problems' | 'journals' | 'entries'>) => keep(tools, found),
    /** Starts a run of everything in the background, or returns the one in progress. */
    start: async (startedBy: string): Promise<VerifyRun> => {
      const { run, isOurs } = await begin(tools, startedBy, null);
      if (isOurs) void finish(tools, verify, run);
      return run;
    },
    /** Up to when the books were found right. */
    lastRight: () => findLastRight(sql, latestOf(tools)),
    /** How many things are wrong that no run found gone. */
    countStanding: () => countStanding(sql, latestOf(tools)),
    /** The last run of everything, and the last of what changed. */
    last: async () => {
      const latest = latestOf(tools);
      return { everything: await findLastOf(sql, true, latest), changed: await findLastOf(sql, false, latest) };
    },
  };
}

type Verify = (options: VerifyOptions) => Promise<Verified>;

/** What changed since the books were last right, once in a while; everything if they never were. Returns 1 if it did. */
async function verifyNow(tools: Tools, verify: Verify): Promise<number> {
  const { verifyEvery } = tools.config;
  if (verifyEvery === undefined) return 0;
  const latest = latestOf(tools);
  const last = await findLastRun(tools.db.sql, latest);
  if (last && Temporal.Instant.compare(dueAfter(last, verifyEvery), tools.wall.now()) > 0) return 0;
  const since = await findLastRight(tools.db.sql, latest);
  const { run, isOurs } = await begin(tools, byItself, since ?? null, verifyEvery);
  if (!isOurs) return 0;
  await finish(tools, verify, run);
  return 1;
}

function dueAfter({ startedAt }: VerifyRun, minutes: number): Temporal.Instant {
  return startedAt.add({ minutes });
}

/** Takes the turn, unless another run has it, or one began within the last minutes. */
async function begin(
  tools: Tools,
  startedBy: string,
  sinceAt: Temporal.Instant | null,
  everyMinutes = 0,
): Promise<{ readonly run: VerifyRun; readonly isOurs: boolean }> {
  const startedAt = tools.wall.now();
  const run: VerifyRun = {
    id: ulid(startedAt.epochMilliseconds, tools.random.bytes(16)),
    startedBy,
    startedAt,
    sinceAt,
    leaseUntil: startedAt.add(lease),
    endedAt: null,
    problems: [],
    journals: null,
    entries: null,
  };
  return tools.db.atomic(async (sql) => {
    const last = await lockLastRun(sql, latestOf(tools));
    const isAfter = (one: Temporal.Instant) => Temporal.Instant.compare(one, startedAt) > 0;
    const runs = last && (last.endedAt === null ? isAfter(last.leaseUntil) : isAfter(dueAfter(last, everyMinutes)));
    if (runs) return { run: last, isOurs: false };
    await insertRun(sql, run);
    return { run, isOurs: true };
  });
}

async function finish(tools: Tools, verify: Verify, run: VerifyRun): Promise<void> {
  const { db, log, wall } = tools;
  try {
    const { problems, journals, entries } = await verify({ since: run.sinceAt ?? undefined });
    if (problems.length > 0) log.error({ count: problems.length }, 'the books are wrong: grosz verify');
    await endRun(db.sql, { ...run, endedAt: wall.now(), problems, journals, entries });
  } catch (error) {
    log.error({ err: error }, 'the books could not be verified');
    const problems: Finding[] = [{ code: 'verification_failed', parameters: {} }];
    await endRun(db.sql, { ...run, endedAt: wall.now(), problems }).catch(() => undefined);
  }
}

async function keep(
  tools: Tools,
  found: Pick<VerifyRun, 'startedAt' | 'sinceAt' | 'problems' | 'journals' | 'entries'>,
): Promise<void> {
  const endedAt = tools.wall.now();
  const id = ulid(found.startedAt.epochMilliseconds, tools.random.bytes(16));
  try {
    await insertRun(tools.db.sql, { ...found, id, startedBy: commandLine, leaseUntil: endedAt, endedAt });
  } catch (error) {
    tools.log.warn({ err: error }, 'the result of this run could not be kept');
  }
}

function measure({ db, metrics, wall }: Tools): void {
  metrics.measure('grosz_verify_problems', 'Wrong rows of the books that no verification found gone.', () =>
    countStanding(db.sql, latestOf({ wall })),
  );
  metrics.measure('grosz_verify_age_seconds', 'Time since the books were last found right; -1: never.', async () => {
    const right = await findLastRight(db.sql, latestOf({ wall }));
    return right ? wall.now().since(right).total('seconds') : -1;
  });
}
