// Checks runs of verify themselves, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, headProblems, problemsOf, type Verifying, verifyPages } from '../database/index.ts';
import { isOverlong } from '../runtime/index.ts';
import { isOurs, readState, runChain } from './state.ts';
import { type KnownRun, listGaps, listRunsIn, listRunsSince } from './store.ts';
import { latestOf, type VerificationTools } from './turn.ts';

/**
 * Runs that the vault did not sign, that are dated in the future, whose lease is longer than any that a process takes,
 * or that were removed.
 */
export async function verifyRuns(tools: VerificationTools, verifying: Verifying): Promise<Finding[]> {
  const { vault } = tools;
  const { sql, since } = verifying;
  const runs = { table: 'verify_run', key: 'id', changed: listRunsSince };
  const last = (await readState(vault, sql)).newest?.position ?? 0n;
  const gaps = since ? [] : await listGaps(sql, last, findingsAtMost);
  return [
    ...(await headProblems(vault, sql, 'verification', runChain(vault, sql))),
    ...(await verifyPages(verifying, runs, async (page) =>
      problemsOf(await listRunsIn(sql, page), (run) =>
        isRight(tools, run) ? [] : [{ code: 'verify_run_changed', parameters: { id: run.id } }],
      ),
    )),
    ...gaps.map((position): Finding => ({ code: 'verify_run_missing', parameters: { position: `${position}` } })),
  ];
}

function isRight(tools: VerificationTools, run: KnownRun): boolean {
  if (Temporal.Instant.compare(run.startedAt, latestOf(tools)) > 0) return false;
  return run.endedAt === null ? !isOverlong(run.leaseUntil, tools.wall.now()) : isOurs(tools.vault, run);
}
