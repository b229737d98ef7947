import { byItself, commandLine } from '../../contract/codes/actors.ts';
import type { WorkName } from '../../contract/codes/works.ts';
import type { Nodes, Verifying } from '../database/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { type Ledger, type Verified, type VerifyOptions, type VerifyPart, verifyBooks } from './run.ts';
import { namedIn } from './standing.ts';
import { countStanding, idsOf, isOurs, readState, runChain } from './state.ts';
import { type KnownRun, listLastOf, listProblems, type Run, type VerifyRun } from './store.ts';
import { type Begun, begin, finish, keepRun, latestOf, rightUntilIn, type VerificationTools } from './turn.ts';
import { verifyRuns } from './verify.ts';

export type Verification = ReturnType<typeof openVerification>;

/** How often it looks whether a run is due: a few rows by their keys. */
const everyMilliseconds = 5_000;

/** What a run of the command line found. */
export type Found = Pick<VerifyRun, 'startedAt' | 'sinceAt' | 'problems' | 'journals' | 'entries' | 'reread'>;

/** `parts` are those of all rooms, also of those that are opened later. */
export function openVerification(
  base: Tools,
  { ledger, nodes }: { readonly ledger: Ledger; readonly nodes: Pick<Nodes, 'self' | 'isDead'> },
  parts: () => readonly VerifyPart[],
) {
  const tools: VerificationTools = { ...base, nodes };
  const { db, vault } = tools;
  const { sql } = db;
  const verify = (options: VerifyOptions) => verifyBooks(tools, ledger, parts(), options);
  const state = () => readState(vault, sql);
  measure(tools);
  return {
    name: 'verification',
    works: [
      { name: 'verify_books', run: () => verifyNow(tools, verify), everyMilliseconds },
    ] satisfies Work<WorkName>[] as Work<WorkName>[],
    verify: (verifying: Verifying) => verifyRuns(tools, verifying),
    /** Of the runs that have ended. */
    chain: runChain(vault, sql),
    /** Verifies now, beside any other run. One of what changed reads again what was found wrong. */
    verifyBooks: async (options: VerifyOptions): Promise<Verified & { readonly reread: readonly string[] }> => {
      const known = await state();
      const again = options.since ? known.standing : [];
      const verified = await verify({ ...options, named: await namedBy(tools, again) });
      return { ...verified, reread: idsOf(known) };
    },
    /**
     * What a run of the command line found, so that the panel shows it too. A replica cannot keep it, and does not have
     * to.
     */
    keep: (found: Found) => keepRun(tools, { ...found, startedBy: commandLine }),
    /** Starts a run of everything in the background, or returns the one in progress. */
    start: async (startedBy: string): Promise<Run> => {
      const begun = await begin(tools, { startedBy, scope: 'everything' });
      if (begun.isOurs) void run(tools, verify, begun);
      return begun.run;
    },
    /** Up to when the books were found right. */
    lastRight: async () => rightUntilIn(tools, await state()) ?? undefined,
    /** How many findings no run has found gone. */
    countStanding: () => countStanding(vault, sql),
    /** The last run of everything, and the last of what changed. */
    last: async () => ({ everything: await lastOf(tools, true), changed: await lastOf(tools, false) }),
  };
}

type Verify = (options: VerifyOptions) => Promise<Verified>;

/** What changed since the books were last right, once in a while; everything if they never were. Returns 1 if it did. */
async function verifyNow(tools: VerificationTools, verify: Verify): Promise<number> {
  const { verifyEvery } = tools.config;
  if (verifyEvery === undefined) return 0;
  const begun = await begin(tools, { startedBy: byItself, scope: 'changed', everyMinutes: verifyEvery });
  if (!begun.isOurs) return 0;
  await run(tools, verify, begun);
  return 1;
}

function run(tools: VerificationTools, verify: Verify, begun: Begun): Promise<void> {
  const since = begun.run.sinceAt ?? undefined;
  return finish(tools, begun.run, async () => verify({ since, named: await namedBy(tools, begun.again) }));
}

/** What these runs found, and so what is read again. */
async function namedBy({ db }: VerificationTools, again: readonly KnownRun[]): Promise<string[]> {
  return again.length === 0
    ? []
    : namedIn(
        await listProblems(
          db.sql,
          again.map(({ id }) => id),
        ),
      );
}

/** A run that somebody made up is not shown. */
async function lastOf(tools: VerificationTools, everything: boolean): Promise<VerifyRun | undefined> {
  const { sql } = tools.db;
  const last = await listLastOf(sql, everything, latestOf(tools));
  const ours = last.find((one) => one.endedAt === null || isOurs(tools.vault, one));
  return ours && { ...ours, problems: await listProblems(sql, [ours.id]) };
}

function measure(tools: VerificationTools): void {
  const { db, metrics, vault, wall } = tools;
  metrics.measure('grosz_verify_problems', 'Wrong rows of the books that no verification found gone.', async () =>
    countStanding(vault, db.sql),
  );
  metrics.measure('grosz_verify_age_seconds', 'Time since the books were last found right; -1: never.', async () => {
    const right = rightUntilIn(tools, await readState(vault, db.sql));
    return right ? wall.now().since(right).total('seconds') : -1;
  });
}
