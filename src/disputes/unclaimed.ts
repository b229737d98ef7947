// Disputes of charges that no merchant was paid for: what is said about them is kept until the charge is paid, or until an
// operator says that we bear it ourselves.

import {
  confirmAmount,
  type Decision,
  openParking,
  type ParkedItem,
  type Parking,
  type Unsent,
} from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { type Currency, Unavailable } from '../kernel/index.ts';
import { disputeLossJournal, post } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import type { About, Facts, News, Unclaimed } from './model.ts';
import { afterNews, asLost, borneOf, covered, coveredOf, isOurs, isToPark, patience } from './rules.ts';
import { findDisputed } from './store/disputes.ts';
import {
  findKept,
  findUnclaimedParked,
  findUncovered,
  insertLoss,
  insertUnclaimed,
  isPaidBack,
  listUnclaimedParked,
  lockLate,
  lockUnclaimed,
  lockUnclaimedById,
  lockUnclaimedOf,
  updateUnclaimed,
} from './store/unclaimed.ts';

type HearTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'log'>;

export interface Heard extends About {
  readonly currency: Currency;
}

/** Keeps what was said. False: its charge was paid meanwhile. */
export function hear(tools: HearTools, about: Heard, news: News): Promise<boolean> {
  return tools.db.atomic((sql) => hearIn(tools, sql, about, news));
}

/** The same in the caller's database transaction. */
export async function hearIn(tools: HearTools, sql: Sql, about: Heard, news: News): Promise<boolean> {
  const now = tools.clock.now();
  const charge = await findDisputed(sql, about.acquirer, about.key);
  if (charge !== undefined) return charge !== about.chargeKey && saidOfAnother(tools, about, charge);
  const begun = afterNews(undefined, news);
  if (begun.kind === 'step' && (await insertFirst(tools, sql, about, begun.facts, now))) return true;
  const before = await lockUnclaimed(sql, about.acquirer, about.key);
  // It is a dispute by now; or nothing was taken after all of what nobody has heard of.
  if (!before) return begun.kind !== 'step' && (await findDisputed(sql, about.acquirer, about.key)) === undefined;
  if (before.chargeKey !== about.chargeKey) return hearOfAnother(tools, sql, about, before);
  const decided = afterNews(before, news);
  if (!('facts' in decided)) return true;
  const next = { ...before, ...decided.facts };
  // What we bear is what was decided: if it is another amount now, an operator decides again.
  const isOther = before.lostMinor !== 0n && !isOurs(next);
  await updateUnclaimed(sql, isOther ? asked(next, now) : next);
  return true;
}

const asked = (row: Unclaimed, now: Temporal.Instant): Unclaimed => ({
  ...row,
  parkedAt: now,
  parkedWhy: 'dispute_unclaimed',
});

/** A dispute is about one charge: what is said of another one under its key changes nothing. */
export function saidOfAnother(tools: HearTools, { acquirer, key, chargeKey }: About, charge: string): true {
  const about = { acquirer, key, chargeKey };
  tools.log.error({ ...about, of: charge }, 'a dispute is about another charge than before');
  return true;
}

/** Whose it is only an operator can find out: nobody bears it by itself. */
async function hearOfAnother(tools: HearTools, sql: Sql, about: Heard, before: Unclaimed): Promise<true> {
  if (before.parkedAt === null && !isOurs(before)) await updateUnclaimed(sql, asked(before, tools.clock.now()));
  return saidOfAnother(tools, about, before.chargeKey);
}

/** False: it is known already. */
async function insertFirst(
  tools: HearTools,
  sql: Sql,
  about: Heard,
  facts: Facts,
  now: Temporal.Instant,
): Promise<boolean> {
  // While it can be contested, an operator is to know that the payer has it already.
  const isSoon = await isPaidBack(sql, about.acquirer, about.chargeKey);
  const first: Unclaimed = {
    ...facts,
    id: tools.ids.ulid(),
    ...about,
    heardAt: now,
    parkAt: isSoon ? now : now.add(patience),
    parkedAt: null,
    parkedWhy: null,
    lostMinor: 0n,
    coveredMinor: 0n,
    claimedAt: null,
  };
  if (!(await insertUnclaimed(sql, first))) return false;
  tools.log.warn({ ...about }, 'a dispute is about a charge that no merchant was paid for');
  return true;
}

/** Parks those that nobody claimed in time, at most `limit`; returns how many. */
export function parkLate(tools: HearTools, limit: number): Promise<number> {
  return tools.db.atomic(async (sql) => {
    const now = tools.clock.now();
    const late = (await lockLate(sql, now, limit)).filter((row) => isToPark(row, now));
    for (const { id, acquirer, key } of late) tools.log.error({ dispute: id, acquirer, key }, 'dispute_unclaimed');
    await updateUnclaimed(sql, ...late.map((row) => asked(row, now)));
    return late.length;
  });
}

/** What nobody claimed: we bear it, or the acquirer is to take it back. */
export function unclaimedParking(tools: HearTools): Parking {
  return openParking<ParkedItem>({
    list: () => listUnclaimedParked(tools.db.sql),
    find: (id) => findUnclaimedParked(tools.db.sql, id),
    decide: ({ id }, decision) => tools.db.atomic((sql) => decide(tools, sql, id, decision)),
  });
}

async function decide(tools: HearTools, sql: Sql, id: string, decision: Decision): Promise<void> {
  const row = await lockUnclaimedById(sql, id);
  if (!row || row.parkedAt === null) return;
  const now = tools.clock.now();
  const over = { ...row, parkedAt: null, parkedWhy: null };
  if (decision === 'not-captured') {
    await updateUnclaimed(sql, { ...over, parkAt: now.add(patience) });
    return;
  }
  const keptMinor = row.parkedWhy === 'dispute_unsettled' ? await findKept(sql, id) : undefined;
  const lostMinor = keptMinor ?? borneOf(row);
  const amountMinor = lostMinor - row.lostMinor;
  confirmAmount(decision, keptMinor === undefined ? lostMinor : amountOf(amountMinor), true);
  // What the payer was not sent pays for it first, also if it is lost after the others.
  const coveredMinor = coveredOf(lostMinor, row.coveredMinor + (await findUncovered(sql, row)));
  const decided = { ...(keptMinor === undefined ? over : asLost(over, keptMinor)), lostMinor, coveredMinor };
  await writeDecided(tools, sql, row, decided, now);
}

/** Writes what was decided, and books what we bear more or less by it than before. */
async function writeDecided(
  tools: HearTools,
  sql: Sql,
  before: Unclaimed,
  decided: Unclaimed,
  at: Temporal.Instant,
): Promise<void> {
  await updateUnclaimed(sql, decided);
  const amountMinor = decided.lostMinor - before.lostMinor;
  const coveredMinor = decided.coveredMinor - before.coveredMinor;
  if (amountMinor === 0n && coveredMinor === 0n) return;
  const id = tools.ids.ulid();
  await insertLoss(sql, { id, unclaimedId: before.id, disputeId: null, amountMinor, coveredMinor, at });
  await post(sql, tools.ids, [disputeLossJournal(id, before.currency, amountMinor, coveredMinor)], at);
}

/** Ends the disputes by which a payer got money that is not sent for that reason: it is the payer's, and no loss of ours. */
export async function coverIn(tools: HearTools, sql: Sql, { acquirer, chargeKey, amountMinor }: Unsent): Promise<void> {
  const before = await lockUnclaimedOf(sql, acquirer, chargeKey);
  // What was read before may have changed: the operator decides again.
  if (before.length === 0 || before.some(({ state }) => state === 'opened'))
    throw new Unavailable('service_unavailable');
  const now = tools.clock.now();
  for (const [index, after] of covered(before, amountMinor).entries()) {
    const over = after.parkedWhy === 'dispute_unsettled' ? after : { ...after, parkedAt: null, parkedWhy: null };
    await writeDecided(tools, sql, before[index] ?? after, over, now);
  }
}

function amountOf(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
