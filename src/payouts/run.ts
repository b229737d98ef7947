// The run of a day: pays accounts by their schedules, in pages, each in one database transaction that also notes how far it
// has come. A run that was killed goes on after its last page, on any node; nobody is paid twice by it.

import type { PayoutStop } from '../../contract/codes/payouts.ts';
import { findBalances, lockBalances } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import { isBankDay } from './bank-days.ts';
import { createPayouts, type Planned } from './create.ts';
import type { Holding } from './due.ts';
import { accountsOf, dayOf, gateOf, holdingsOf, nothing, settingsOf } from './holdings.ts';
import type { Altered } from './model.ts';
import { bankZone, decided, runFromHour } from './rules.ts';
import { findAltered, reportAltered } from './signed.ts';
import {
  type Candidate,
  hasPlaces,
  hasRun,
  insertRun,
  listCandidates,
  lockCandidates,
  lockOpenRun,
  updateRun,
} from './store/run.ts';

export type RunTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'log' | 'vault'>;

export const runPage = 5_000;
/** When the next run begins by itself; null while nobody has a bank account. */
export async function nextRunAt({ clock, db }: Pick<RunTools, 'clock' | 'db'>): Promise<Temporal.Instant | null> {
  if (!(await hasPlaces(db.sql))) return null;
  let day = dayOf(clock.now());
  while (!isBankDay(day, 'PLN') || (await hasRun(db.sql, day))) day = day.add({ days: 1 });
  return day.toZonedDateTime({ timeZone: bankZone, plainTime: { hour: runFromHour } }).toInstant();
}

/** Begins the run of today if its time has come, and does a page; returns 0 if there is nothing to do. */
export async function runWhenDue(tools: RunTools): Promise<number> {
  const local = tools.clock.now().toZonedDateTimeISO(bankZone);
  if (local.hour >= runFromHour && (await hasPlaces(tools.db.sql))) await beginRun(tools);
  return runOnePage(tools);
}

/** Begins the run of today, whatever the hour; false if no bank is open today. */
export async function beginRun({ clock, db, ids }: Pick<RunTools, 'clock' | 'db' | 'ids'>): Promise<boolean> {
  const startedAt = clock.now();
  const day = dayOf(startedAt);
  if (!isBankDay(day, 'PLN')) return false;
  if (!(await hasRun(db.sql, day))) await insertRun(db.sql, { id: ids.ulid(startedAt), day, startedAt });
  return true;
}

/** Does the next page of the first run that has not ended; returns 0 if there is none or another node is at it. */
export function runOnePage(tools: RunTools, page = runPage): Promise<number> {
  return tools.db.atomic(async (sql) => {
    const run = await lockOpenRun(sql);
    if (!run) return 0;
    const candidates = await lockCandidates(sql, run.reached, page);
    const reached = candidates.at(-1)?.accountId;
    if (reached === undefined) {
      await updateRun(sql, { ...run, endedAt: tools.clock.now() });
      return 1;
    }
    const names = candidates.flatMap(({ accountId }) => accountsOf(accountId));
    const balances = await lockBalances(sql, names);
    const now = tools.clock.now();
    const holdings = await holdingsOf(sql, candidates, balances, now);
    const altered = await alteredAmong(tools, candidates, holdings);
    reportAltered(tools, altered);
    const planned = candidates.flatMap((one): Planned[] => {
      const amount = decide(one, { holdings, altered }, { now, day: run.day });
      if (typeof amount !== 'bigint' || !one.place) return [];
      return [{ accountId: one.accountId, runId: run.id, place: one.place, amountMinor: amount, feeMinor: 0n }];
    });
    const totalMinor = planned.reduce((sum, { amountMinor }) => sum + amountMinor, run.totalMinor);
    await updateRun(sql, { ...run, reached, payouts: run.payouts + planned.length, totalMinor, endedAt: null });
    await createPayouts(tools, sql, planned, now);
    return candidates.length;
  });
}

/** Of those that could be paid. */
const alteredAmong = (
  tools: Pick<RunTools, 'vault'>,
  candidates: readonly Candidate[],
  holdings: ReadonlyMap<string, Holding>,
) =>
  findAltered(
    tools,
    candidates.filter(({ accountId }) => holdings.has(accountId)),
  );

interface Known {
  readonly holdings: ReadonlyMap<string, Holding>;
  readonly altered: ReadonlyMap<string, Altered>;
}

function decide(
  one: Candidate,
  { holdings, altered }: Known,
  at: { readonly now: Temporal.Instant; readonly day: Temporal.PlainDate },
): bigint | PayoutStop {
  return decided(gateOf(one, altered), settingsOf(one), holdings.get(one.accountId) ?? nothing, at);
}

/** What a run of today would do with an account that has something. */
export interface Plan extends Pick<Candidate, 'accountId' | 'name'> {
  readonly availableMinor: bigint;
  /** What it would be paid, or why it would not. */
  readonly outcome: bigint | PayoutStop;
}

/** What a run would do now: nothing moves. In pages, so that memory does not grow with the accounts. */
export async function* planRun(tools: Pick<RunTools, 'clock' | 'db' | 'vault'>): AsyncGenerator<readonly Plan[]> {
  const { clock, db } = tools;
  for (let after = ''; ; ) {
    const candidates = await listCandidates(db.sql, after, runPage);
    const last = candidates.at(-1);
    if (!last) return;
    const names = candidates.flatMap(({ accountId }) => accountsOf(accountId));
    const now = clock.now();
    const holdings = await holdingsOf(db.sql, candidates, await findBalances(db.sql, names), now);
    const altered = await alteredAmong(tools, candidates, holdings);
    yield candidates.flatMap((one): Plan[] => {
      const holding = holdings.get(one.accountId);
      if (!holding) return [];
      const outcome = decide(one, { holdings, altered }, { now, day: dayOf(now) });
      return [{ accountId: one.accountId, name: one.name, availableMinor: holding.availableMinor, outcome }];
    });
    after = last.accountId;
  }
}
