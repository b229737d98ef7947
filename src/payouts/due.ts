// What of a balance can be paid out, and when the rest can. Pure.

import type { Currency } from '../kernel/index.ts';
import { addBankDays } from './bank-days.ts';

/** What was credited on one day. */
export interface Credited {
  readonly day: Temporal.PlainDate;
  readonly minor: bigint;
}

export interface Delay {
  readonly bankDays: number;
  readonly currency: Currency;
}

/** The first day whose credits are not due on `today`. Credits of earlier days are. */
export function firstDayNotDue(today: Temporal.PlainDate, { bankDays, currency }: Delay): Temporal.PlainDate {
  const isDue = (day: Temporal.PlainDate) =>
    Temporal.PlainDate.compare(addBankDays(day, bankDays, currency), today) <= 0;
  let day = today.add({ days: 1 });
  while (!isDue(day.subtract({ days: 1 }))) day = day.subtract({ days: 1 });
  return day;
}

export interface Holding {
  /** Of which `owed` is not the account's. */
  readonly availableMinor: bigint;
  readonly owedMinor: bigint;
  /** Since the first day that is not due, oldest first. */
  readonly credited: readonly Credited[];
}

export interface Due {
  readonly dueMinor: bigint;
  /** Oldest first; together with what is due and owed it is the balance. */
  readonly notYet: readonly Credited[];
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * What is left of the balance after what was credited lately. Money that left took the oldest first, because a refund counts
 * at once: of what is left the latest credits are the last to be due.
 */
export function dueOf({ availableMinor, owedMinor, credited }: Holding, delay: Delay): Due {
  let left = availableMinor > owedMinor ? availableMinor - owedMinor : 0n;
  const notYet: Credited[] = [];
  for (const { day, minor } of credited.toReversed()) {
    const part = least(minor, left);
    left -= part;
    const dueDay = addBankDays(day, delay.bankDays, delay.currency);
    const last = notYet.at(-1);
    if (last?.day.equals(dueDay)) notYet[notYet.length - 1] = { day: dueDay, minor: last.minor + part };
    else if (part > 0n) notYet.push({ day: dueDay, minor: part });
  }
  return { dueMinor: left, notYet: notYet.toReversed() };
}
