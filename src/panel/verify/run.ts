// Verifying the books from the panel: in the background, one run at a time over all nodes.

import type { Finding } from '../../../contract/codes/findings.ts';
import { ulid } from '../../kernel/index.ts';
import { countBooks } from '../../ledger/index.ts';
import type { Tools } from '../../tools.ts';
import { endRun, insertRun, lockLastRun, type VerifyRun } from './store.ts';

/** A run whose node died counts as ended after this time. */
const lease = Temporal.Duration.from({ hours: 6 });

/** What each room verifies. */
export type Verify = () => Promise<Finding[]>;

/** What a run of the command line found, so that the panel shows it too. A replica cannot keep it, and needs not. */
export async function keepRun(
  tools: Tools,
  found: Pick<VerifyRun, 'startedAt' | 'problems' | 'journals' | 'entries'>,
): Promise<void> {
  const endedAt = tools.wall.now();
  const id = ulid(found.startedAt.epochMilliseconds, tools.random.bytes(16));
  try {
    await insertRun(tools.db.sql, { ...found, id, startedBy: 'grosz verify', leaseUntil: endedAt, endedAt });
  } catch (error) {
    tools.log.warn({ err: error }, 'the result of this run could not be kept');
  }
}

/** Starts a run, or returns the one in progress. */
export async function startVerify(tools: Tools, verifies: readonly Verify[], startedBy: string): Promise<VerifyRun> {
  const startedAt = tools.wall.now();
  const run: VerifyRun = {
    id: ulid(startedAt.epochMilliseconds, tools.random.bytes(16)),
    startedBy,
    startedAt,
    leaseUntil: startedAt.add(lease),
    endedAt: null,
    problems: [],
    journals: null,
    entries: null,
  };
  const current = await tools.db.atomic(async (sql) => {
    const last = await lockLastRun(sql);
    const runs = last && last.endedAt === null && Temporal.Instant.compare(last.leaseUntil, startedAt) > 0;
    if (runs) return last;
    await insertRun(sql, run);
    return run;
  });
  if (current.id === run.id) void verifyAll(tools, verifies, run);
  return current;
}

async function verifyAll(tools: Tools, verifies: readonly Verify[], run: VerifyRun): Promise<void> {
  try {
    const problems: Finding[] = [];
    for (const verify of verifies) problems.push(...(await verify()));
    const { journals, entries } = await countBooks(tools.db.sql);
    await endRun(tools.db.sql, { ...run, endedAt: tools.wall.now(), problems, journals, entries });
  } catch (error) {
    tools.log.error({ err: error }, 'the books could not be verified');
    const problems: Finding[] = [{ code: 'verification_failed', parameters: {} }];
    await endRun(tools.db.sql, { ...run, endedAt: tools.wall.now(), problems }).catch(() => undefined);
  }
}
