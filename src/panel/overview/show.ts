// What the first screen shows.

import type { Merchant } from '../../accounts/index.ts';
import { findBalance, ledgerAccounts } from '../../ledger/index.ts';
import type { Tools } from '../../tools.ts';
import { sixHourBucketsOf } from '../../transactions/index.ts';
import type { DayRow } from '../counts/store.ts';
import { type DaySums, netOf, sumsByPoint, sumsOf } from '../counts/sums.ts';
import { type Compared, type Days, instantsOf, type OverviewPeriod, periodsOf, pointsOf } from './rules.ts';
import {
  type AttentionItem,
  countCreated,
  findOpening,
  listDays,
  listDisputesToAnswer,
  listExhausted,
  listExpiring,
  listFailingEndpoints,
  listParkedOf,
  listWithoutSecondFactor,
  type StatusCounts,
} from './store.ts';

/** Sums of some days, and the balance at their end. */
export interface Point extends Days {
  readonly sums: DaySums;
  readonly balanceMinor: bigint;
}

export interface PeriodShown extends Point {
  readonly created: StatusCounts;
  readonly points: readonly Point[];
}

export interface Overview {
  readonly current: PeriodShown;
  readonly before: PeriodShown;
}

export function todayOf({ clock }: Pick<Tools, 'clock'>, zone: string): Temporal.PlainDate {
  return clock.now().toZonedDateTimeISO(zone).toPlainDate();
}

export async function showOverview(
  tools: Pick<Tools, 'db' | 'clock'>,
  { id, zone }: Pick<Merchant, 'id' | 'zone'>,
  period: OverviewPeriod,
): Promise<Overview> {
  const compared = periodsOf(period, todayOf(tools, zone));
  const { before, current } = compared;
  const { sql } = tools.db;
  const created = (days: Days) => countCreated(sql, id, sixHourBucketsOf(instantsOf(days, zone)));
  const [opening, sums, createdBefore, createdNow] = await Promise.all([
    findOpening(sql, id, before.from),
    listDays(sql, id, { from: before.from, to: current.to }),
    created(before),
    created(current),
  ]);
  const shown = (days: Days, counts: StatusCounts, from: bigint): PeriodShown => {
    const points = pointsWith(pointsOf(days, compared.step), sums, from);
    const total = sumsOf(points.map((point) => point.sums));
    return { ...days, sums: total, balanceMinor: from + netOf(total), created: counts, points };
  };
  const earlier = shown(before, createdBefore, opening);
  const between = daysBetween(before, current);
  const gapMinor = between ? netOf(sumsOf(sumsByPoint([between], sums).map((point) => point.sums))) : 0n;
  return { before: earlier, current: shown(current, createdNow, earlier.balanceMinor + gapMinor) };
}

/** In twelve months, the days of the year before that are after the same day of the year. */
function daysBetween(before: Compared['before'], current: Compared['current']): Days | undefined {
  const [from, to] = [before.to.add({ days: 1 }), current.from.subtract({ days: 1 })];
  return Temporal.PlainDate.compare(from, to) <= 0 ? { from, to } : undefined;
}

function pointsWith(points: readonly Days[], days: readonly DayRow[], from: bigint): Point[] {
  let balanceMinor = from;
  return sumsByPoint(points, days).map(({ sums, ...point }) => {
    balanceMinor += netOf(sums);
    return { ...point, sums, balanceMinor };
  });
}

const warnedBefore = { days: 30 } as const;
const lowBalanceDays = 7;

/** What needs attention, most urgent kinds first. */
export async function showAttention(
  tools: Pick<Tools, 'db' | 'clock' | 'wall'>,
  account: Pick<Merchant, 'id' | 'zone'>,
  isOwner: boolean,
): Promise<readonly AttentionItem[]> {
  const { sql } = tools.db;
  const today = todayOf(tools, account.zone);
  // Certificates end by the wall clock.
  const soon = tools.wall.now().add({ hours: 24 * warnedBefore.days });
  const [disputes, parked, failing, exhausted, expiring, people, balance, days] = await Promise.all([
    listDisputesToAnswer(sql, account.id, tools.clock.now()),
    listParkedOf(sql, account.id),
    listFailingEndpoints(sql, account.id),
    listExhausted(sql, account.id),
    listExpiring(sql, account.id, soon),
    isOwner ? listWithoutSecondFactor(sql, account.id) : [],
    findBalance(sql, ledgerAccounts.available(account.id)),
    listDays(sql, account.id, { from: today.subtract({ days: lowBalanceDays - 1 }), to: today }),
  ]);
  return [
    ...disputes,
    ...parked,
    ...lowBalance(balance, sumsOf(days)),
    ...failing,
    ...exhausted,
    ...expiring,
    ...people,
  ];
}

/** A balance that does not cover the refunds of another week. */
function lowBalance(balanceMinor: bigint, { refundsMinor, refundFeesMinor }: DaySums): AttentionItem[] {
  const neededMinor = -(refundsMinor + refundFeesMinor);
  if (balanceMinor >= neededMinor) return [];
  const nothing = {
    subject: null,
    since: null,
    until: null,
    why: null,
    error: null,
    merchantIdentifier: null,
    reason: null,
  };
  return [{ ...nothing, kind: 'low_balance', count: 1, amountMinor: neededMinor }];
}
