// One verification: the ledger first, then every room's part.

import type { Finding } from '../../contract/codes/findings.ts';
import { DatabaseAway, type Sql, sinceOf, type Verifying, withSources } from '../database/index.ts';
import type { ReadLedger } from '../ledger/index.ts';
import { type Clock, inParallel } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';

/** What a room verifies, and the kinds of journals that it posts. */
export interface VerifyPart {
  readonly name: string;
  readonly journalKinds?: readonly string[];
  readonly verify?: (verifying: Verifying) => Promise<Finding[]>;
}

/** The ledger's part. */
export interface Ledger {
  seal(): Promise<void>;
  read(verifying: Verifying, sinceId?: string): Promise<ReadLedger>;
}

export interface VerifyOptions {
  /** What was made or moved since, by the wall clock; undefined: everything. */
  readonly since?: Temporal.Instant | undefined;
  /** What is read again beside it. */
  readonly named?: readonly string[];
  /** Reports which part is verified, and how many rows it has read so far. */
  readonly progress?: ((part: string, rows: number) => void) | undefined;
}

export interface Verified {
  readonly problems: readonly Finding[];
  /** Of the chain that were read. */
  readonly journals: bigint;
  readonly entries: bigint;
}

/** How far apart the clocks of nodes may be. A time further ahead comes from a wrong clock, or is made up. */
export const skew = Temporal.Duration.from({ minutes: 10 });

/** Database transactions that were open at the moment may end later, and the clock of their node may be behind. */
const overlap = skew.add({ minutes: 5 });

/** Parts of a run of what changed wait for the database more than it works for them. One of everything leaves it to others. */
const changedPartsAtOnce = 2;

/**
 * One row that cannot be read ends its own part only: whoever damages a row must not hide the others. Without the database
 * there is no result at all.
 */
export async function verifyBooks(
  tools: Pick<Tools, 'log'> & { readonly clock: Clock; readonly db: { readonly sql: Sql } },
  ledger: Ledger,
  parts: readonly VerifyPart[],
  { since, named = [], progress = () => undefined }: VerifyOptions,
): Promise<Verified> {
  // A replica cannot be written to: there the queue of the primary is seen as it is.
  await ledger.seal().catch((error) => tools.log.debug({ err: error }, 'journals could not be sealed'));
  const verifying = {
    sql: tools.db.sql,
    now: tools.clock.now(),
    since: since && sinceOf(since.subtract(overlap), named),
    kinds: new Set(parts.flatMap(({ journalKinds = [] }) => journalKinds)),
    books: undefined,
  };
  const problems: Finding[] = [];
  const attempt = async <T>(part: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DatabaseAway) throw error;
      tools.log.error({ err: error, part }, 'a part of the books could not be verified');
      problems.push({ code: 'part_not_verified', parameters: { part } });
      return undefined;
    }
  };
  const read = await attempt('ledger', () =>
    ledger.read({ ...verifying, report: counting('ledger', progress) }, verifying.since?.id),
  );
  problems.push(...(read?.found ?? []));
  const changed = verifying.since && withSources(verifying.since, read?.sources ?? []);
  const books = since ? undefined : read?.books;
  const found = await inParallel(parts, since ? changedPartsAtOnce : 1, async ({ name, verify }) => {
    const report = counting(name, progress);
    return verify && attempt(name, () => verify({ ...verifying, since: changed, books, report }));
  });
  problems.push(...found.flatMap((ofPart) => ofPart ?? []));
  if (read && problems.length === 0)
    await read.keep().catch((error) => tools.log.debug({ err: error }, 'the checkpoint could not be kept'));
  return { problems, journals: read?.journals ?? 0n, entries: read?.entries ?? 0n };
}

function counting(part: string, progress: (part: string, rows: number) => void): (rows: number) => void {
  let all = 0;
  return (rows) => {
    all += rows;
    progress(part, all);
  };
}
