// Verifying a world: one room's part, or all of them as `grosz verify` does.

import type { Finding } from '../../contract/codes/findings.ts';
import { readText, type Sql, type Verifying } from '../../src/database/index.ts';
import { readLedger } from '../../src/ledger/index.ts';
import type { Clock } from '../../src/runtime/index.ts';
import { verifyBooks } from '../../src/verification/index.ts';
import { namedIn } from '../../src/verification/standing.ts';
import { TestClock } from './clock.ts';
import { type RoomWorld, roomsOf } from './service.ts';

export function everythingOf(sql: Sql, now: Temporal.Instant): Verifying {
  return { sql, now, since: undefined, kinds: undefined, books: undefined, report: () => undefined };
}

/** Each problem of the ledger with its row; empty if it is correct. */
export async function verifyLedger(tools: Parameters<typeof readLedger>[0], verifying: Verifying): Promise<Finding[]> {
  return (await readLedger(tools, verifying)).found;
}

/** What each account of the ledger has. */
export function listTotals(sql: Sql): Promise<{ account: string; minor: bigint }[]> {
  return sql.many((row) => ({ account: readText(row, 'account'), minor: BigInt(readText(row, 'minor')) }))`
    select account, sum(amount_minor)::text as minor from entry group by account order by account`;
}

/** Everything there is, for a room's part of verify. */
export function whole({ db, clock }: { readonly db: { readonly sql: Sql }; readonly clock: Clock }): Verifying {
  return everythingOf(db.sql, latestOf(clock));
}

/** Of a test that moves its clock back, the latest it ever was: what is planned may be after now. */
function latestOf(clock: Clock): Temporal.Instant {
  return clock instanceof TestClock ? clock.latest : clock.now();
}

/** What a part finds in a run of what changed when nothing has: what is open, and what was found wrong before. */
export async function findingsAgain(
  world: RoomWorld,
  sql: Sql,
  { wrong, only }: { readonly wrong: readonly Finding[]; readonly only: string | undefined },
): Promise<readonly Finding[]> {
  const { ledger, capabilities } = await roomsOf(world);
  const { clock, log } = world;
  const since = latestOf(clock).add({ hours: 24 });
  const named = namedIn(wrong);
  const parts = capabilities.filter(({ name }) => name === only);
  return (await verifyBooks({ clock, db: { sql }, log }, ledger, parts, { since, named })).problems;
}

/** Every wrong row that any room names, or only the ledger and this room; over another connection than the world's, if given. */
export async function findingsOf(
  world: RoomWorld,
  sql: Sql = world.db.sql,
  only?: string,
): Promise<readonly Finding[]> {
  const { ledger, capabilities } = await roomsOf(world);
  const { clock, log } = world;
  const tools = { clock: { now: () => latestOf(clock) }, db: { sql }, log };
  const parts = capabilities.map(({ name, journalKinds = [], verify }) => ({
    name,
    journalKinds,
    ...(verify && (only === undefined || name === only) && { verify }),
  }));
  return (await verifyBooks(tools, ledger, parts, {})).problems;
}
