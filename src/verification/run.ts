// One verification: the ledger first, then every room's part.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Sql, sinceOf, type Verifying } from '../database/index.ts';
import type { ReadLedger } from '../ledger/index.ts';
import type { Clock } from '../runtime/index.ts';
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
  /** Reports which part is verified, and how many rows it has read so far. */
  readonly progress?: ((part: string, rows: number) => void) | undefined;
}

export interface Verified {
  readonly problems: readonly Finding[];
  /** Of the chain that were read. */
  readonly journals: bigint;
  readonly entries: bigint;
}

/** Database transactions that were open at the moment may end later, and clocks differ. */
const overlap = Temporal.Duration.from({ minutes: 5 });

export async function verifyBooks(
  tools: Pick<Tools, 'log'> & { readonly clock: Clock; readonly db: { readonly sql: Sql } },
  ledger: Ledger,
  parts: readonly VerifyPart[],
  { since, progress = () => undefined }: VerifyOptions,
): Promise<Verified> {
  // A replica cannot be written to: there the queue of the primary is seen as it is.
  await ledger.seal().catch((error) => tools.log.debug({ err: error }, 'journals could not be sealed'));
  const verifying = {
    sql: tools.db.sql,
    now: tools.clock.now(),
    since: since && sinceOf(since.subtract(overlap), []),
    kinds: new Set(parts.flatMap(({ journalKinds = [] }) => journalKinds)),
    books: undefined,
  };
  const read = await ledger.read({ ...verifying, tell: counting('ledger', progress) }, verifying.since?.id);
  const problems = [...read.found];
  const told = verifying.since && { ...verifying.since, sources: read.sources };
  const books = since ? undefined : read.books;
  for (const { name, verify } of parts) {
    if (!verify) continue;
    problems.push(...(await verify({ ...verifying, since: told, books, tell: counting(name, progress) })));
  }
  if (problems.length === 0)
    await read.keep().catch((error) => tools.log.debug({ err: error }, 'the checkpoint could not be kept'));
  return { problems, journals: read.journals, entries: read.entries };
}

function counting(part: string, progress: (part: string, rows: number) => void): (rows: number) => void {
  let all = 0;
  return (rows) => {
    all += rows;
    progress(part, all);
  };
}
