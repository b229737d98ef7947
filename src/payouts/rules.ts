// Who is paid how much, and who is not and why. Pure.

import type { PayoutStop } from '../../contract/codes/payouts.ts';
import { type Currency, decimalText } from '../kernel/index.ts';
import { bankDayFrom, isBankDay } from './bank-days.ts';
import { dueOf, firstDayNotDue, type Holding } from './due.ts';
import type { Altered, PayoutAccount } from './model.ts';
import type { Settings } from './terms.ts';

/** Polish banks, whose days count. */
export const bankZone = 'Europe/Warsaw';
const currency: Currency = 'PLN';

const isChosen = ({ schedule, days }: Pick<Settings, 'schedule' | 'days'>, day: Temporal.PlainDate): boolean => {
  if (schedule === 'daily') return true;
  if (schedule === 'weekdays') return days.includes(day.dayOfWeek);
  const isLast = day.day === day.daysInMonth;
  return schedule === 'month_days' && days.some((one) => one === day.day || (isLast && one > day.day));
};

/** Whether a payout is scheduled on this bank day: on it, or on a day before it on which no bank was open. */
export function isScheduled(settings: Pick<Settings, 'schedule' | 'days'>, day: Temporal.PlainDate): boolean {
  if (!isBankDay(day, currency)) return false;
  for (let chosen = day; ; chosen = chosen.subtract({ days: 1 })) {
    if (isChosen(settings, chosen)) return true;
    if (isBankDay(chosen.subtract({ days: 1 }), currency)) return false;
  }
}

const searchedDays = 400;

/** The next bank day from this one on with a payout by schedule; undefined if there is none. */
export function nextScheduled(
  settings: Pick<Settings, 'schedule' | 'days'>,
  from: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  if (settings.schedule === 'manual') return undefined;
  let day = bankDayFrom(from, currency);
  for (let searched = 0; searched < searchedDays; searched += 1) {
    if (isScheduled(settings, day)) return day;
    day = bankDayFrom(day.add({ days: 1 }), currency);
  }
  return undefined;
}

/** What decides whether an account may be paid at all. */
export interface Gate {
  readonly isAccountBlocked: boolean;
  /** What of its rows is not what was signed. */
  readonly altered: Altered | undefined;
  readonly arePayoutsBlocked: boolean;
  readonly place: Pick<PayoutAccount, 'verifiedAt' | 'holdUntil'> | undefined;
}

const stop = (code: Exclude<PayoutStop['code'], 'bank_account_on_hold' | 'below_minimum'>): PayoutStop => ({
  code,
  parameters: {},
});

/** The rule that keeps an account from every payout; undefined: none. */
export function closedBy(
  { isAccountBlocked, altered, arePayoutsBlocked, place }: Gate,
  now: Temporal.Instant,
): PayoutStop | undefined {
  if (isAccountBlocked) return stop('account_blocked');
  if (altered) return stop(altered);
  if (arePayoutsBlocked) return stop('payouts_blocked');
  if (!place) return stop('bank_account_missing');
  // By another node, whose clock may be ahead.
  if (!place.verifiedAt || Temporal.Instant.compare(place.verifiedAt, now) > 0)
    return stop('bank_account_not_verified');
  if (Temporal.Instant.compare(place.holdUntil, now) <= 0) return undefined;
  return { code: 'bank_account_on_hold', parameters: { until: place.holdUntil.toString() } };
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);

/** What can be paid of what is due, when so much stays in the balance. */
export function payableOf(holding: Holding, { delayDays, keepBackMinor }: Settings): bigint {
  const { dueMinor } = dueOf(holding, { bankDays: delayDays, currency });
  const free = holding.availableMinor - holding.owedMinor - keepBackMinor;
  return free > 0n ? least(dueMinor, free) : 0n;
}

/** What a run pays, or the rule that stops it. */
export function decided(
  gate: Gate,
  settings: Settings,
  holding: Holding,
  at: { readonly now: Temporal.Instant; readonly day: Temporal.PlainDate },
): bigint | PayoutStop {
  const closed = closedBy(gate, at.now);
  if (closed) return closed;
  if (!isScheduled(settings, at.day)) return stop('not_scheduled');
  return enough(payableOf(holding, settings), settings);
}

/** What is paid on demand: all that can be, or this much of it. `payableMinor` is what an amount may not exceed. */
export function decidedOnDemand(
  gate: Gate,
  settings: Settings,
  holding: Holding,
  { now, askedMinor }: { readonly now: Temporal.Instant; readonly askedMinor: bigint | undefined },
): bigint | PayoutStop | { readonly payableMinor: bigint } {
  const closed = closedBy(gate, now);
  if (closed) return closed;
  const payableMinor = payableOf(holding, settings);
  if (payableMinor > 0n && askedMinor !== undefined && askedMinor > payableMinor) return { payableMinor };
  return enough(payableMinor > 0n ? (askedMinor ?? payableMinor) : 0n, settings);
}

function enough(minor: bigint, settings: Settings): bigint | PayoutStop {
  if (minor === 0n) return stop('nothing_due');
  if (minor >= settings.minimumMinor) return minor;
  return {
    code: 'below_minimum',
    parameters: { due: decimalText(minor), minimum: decimalText(settings.minimumMinor) },
  };
}

/** In Warsaw, when everybody's yesterday is over and no bank has closed yet. */
export const runFromHour = 5;

/** What would be there on a later day if nothing else happened. */
function holdingOn(day: Temporal.PlainDate, holding: Holding, { delayDays }: Settings): Holding {
  const first = firstDayNotDue(day, { bankDays: delayDays, currency });
  const credited = holding.credited.filter((one) => Temporal.PlainDate.compare(one.day, first) >= 0);
  return { ...holding, credited };
}

export interface NextPayout {
  /** Undefined: the schedule has none. */
  readonly day: Temporal.PlainDate | undefined;
  readonly minor: bigint;
  readonly stop: PayoutStop | undefined;
}

/** Those that end by themselves as days go by, if something is due later. */
const passing = new Set<PayoutStop['code']>(['nothing_due', 'below_minimum', 'bank_account_on_hold']);

/**
 * The next payout by the schedule if nothing else happens, from this day on: the first day on which no rule stops it, or
 * else the last that was looked at, with the rule.
 */
export function nextPayout(
  gate: Gate,
  settings: Settings,
  holding: Holding,
  { now, from }: { readonly now: Temporal.Instant; readonly from: Temporal.PlainDate },
): NextPayout {
  let found: NextPayout | undefined;
  for (let day = nextScheduled(settings, from); day; day = nextScheduled(settings, day.add({ days: 1 }))) {
    const begins = day.toZonedDateTime({ timeZone: bankZone, plainTime: { hour: runFromHour } }).toInstant();
    const at = Temporal.Instant.compare(begins, now) > 0 ? begins : now;
    const there = holdingOn(day, holding, settings);
    const outcome = decided(gate, settings, there, { now: at, day });
    if (typeof outcome === 'bigint') return { day, minor: outcome, stop: undefined };
    found = { day, minor: payableOf(there, settings), stop: outcome };
    const isLast = there.credited.length === 0 && outcome.code !== 'bank_account_on_hold';
    if (isLast || !passing.has(outcome.code)) return found;
  }
  const minor = payableOf(holding, settings);
  return found ?? { day: undefined, minor, stop: closedBy(gate, now) ?? stop('not_scheduled') };
}
