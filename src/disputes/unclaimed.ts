// Disputes of charges that no merchant was paid for: what is said about them is kept until the charge is paid, or until an
// operator says that we bear it ourselves.

import { confirmAmount, type Decision, openParking, type ParkedItem, type Parking } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import type { Currency } from '../kernel/index.ts';
import { disputeLossJournal, post } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import type { Facts, News, Unclaimed } from './model.ts';
import { afterNews, asLost, borneOf, isOurs, isToPark, patience } from './rules.ts';
import {
  findKept,
  findUnclaimedParked,
  insertLoss,
  insertUnclaimed,
  listUnclaimedParked,
  lockUnclaimed,
  lockUnclaimedById,
  updateUnclaimed,
} from './store/unclaimed.ts';

type HearTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'log'>;

export interface Heard {
  readonly acquirer: string;
  readonly key: string;
  readonly chargeKey: string;
  readonly currency: Currency;
}

/** Keeps what was said. */
export function hear(tools: HearTools, about: Heard, news: News): Promise<void> {
  return tools.db.atomic((sql) => hearIn(tools, sql, about, news));
}

export async function hearIn(tools: HearTools, sql: Sql, about: Heard, news: News): Promise<void> {
  const now = tools.clock.now();
  const begun = afterNews(undefined, news);
  if (begun.kind === 'step' && (await insertFirst(tools, sql, about, begun.facts, now))) return;
  const before = await lockUnclaimed(sql, about.acquirer, about.key);
  if (!before) return;
  const decided = afterNews(before, news);
  if (!('facts' in decided)) return;
  const next = { ...before, ...decided.facts };
  // What we bear is what was decided: if it is another amount now, an operator decides again.
  const isOther = before.lostMinor !== 0n && !isOurs(next);
  await updateUnclaimed(sql, isOther ? { ...next, parkedAt: now, parkedWhy: 'dispute_unclaimed' } : next);
}

/** False: it is known already. */
async function insertFirst(
  tools: HearTools,
  sql: Sql,
  about: Heard,
  facts: Facts,
  now: Temporal.Instant,
): Promise<boolean> {
  const first: Unclaimed = {
    ...facts,
    id: tools.ids.ulid(),
    ...about,
    heardAt: now,
    parkAt: now.add(patience),
    parkedAt: null,
    parkedWhy: null,
    lostMinor: 0n,
    claimedAt: null,
  };
  if (!(await insertUnclaimed(sql, first))) return false;
  tools.log.warn({ ...about }, 'a dispute is about a charge that no merchant was paid for');
  return true;
}

/** Parks those that nobody claimed in time; of a number of them, which the caller's database transaction has locked. */
export async function parkLate(tools: HearTools, sql: Sql, rows: readonly Unclaimed[]): Promise<number> {
  const now = tools.clock.now();
  const late = rows.filter((row) => isToPark(row, now));
  for (const row of late) {
    tools.log.error({ dispute: row.id, acquirer: row.acquirer, key: row.key }, 'dispute_unclaimed');
    await updateUnclaimed(sql, { ...row, parkedAt: now, parkedWhy: 'dispute_unclaimed' });
  }
  return late.length;
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
  confirmAmount(decision, keptMinor === undefined ? lostMinor : amountOf(amountMinor));
  const loss = { id: tools.ids.ulid(), unclaimedId: id, disputeId: null, amountMinor, at: now };
  await updateUnclaimed(sql, { ...(keptMinor === undefined ? over : asLost(over, keptMinor)), lostMinor });
  if (loss.amountMinor === 0n) return;
  await insertLoss(sql, loss);
  await post(sql, tools.ids, [disputeLossJournal(loss.id, row.currency, loss.amountMinor)], now);
}

function amountOf(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
