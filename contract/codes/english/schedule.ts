// The rules of a schedule, in English. Without Temporal, which not every browser has.

import type { Sentences } from '../message.ts';
import type { scheduleCodes } from '../schedule.ts';

function dayText(day: string, year?: 'numeric'): string {
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' });
  return format.format(new Date(day));
}

function ordinal(number: number): string {
  const suffixes: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${number}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)] ?? 'th'}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

const of = (total: number | null) => (total === null ? '' : ` of ${total}`);

export const scheduleSentences: Sentences<typeof scheduleCodes> = {
  first_charge: ({ total }) => `Charge 1${of(total)}: the first charge date.`,
  charge: ({ number, total, interval, unit, from, clampedTo, skippedTime, movedTo }) => {
    const every = interval === 1 ? unit.slice(0, -1) : counted(interval, unit);
    const clamped =
      clampedTo === null ? '' : `; the ${ordinal(new Date(from).getUTCDate())} clamped to ${dayText(clampedTo)}`;
    const moved = skippedTime === null ? '' : `; ${skippedTime} does not exist that day, moved to ${movedTo}`;
    return `Charge ${number}${of(total)}: every ${every} from ${dayText(from, 'numeric')}${clamped}${moved}.`;
  },
  retry: ({ number, total, delay, unit, policy }) =>
    `Retry ${number} of ${total}: ${counted(delay, unit)} after the failed attempt (${policy === 'own' ? 'own schedule' : 'default policy'}).`,
  retry_by_hand: () => 'Retry by hand: at once; the scheduled retries stay where they are.',
  retry_with_new_instrument: () => 'Retry with the new instrument: at once; the scheduled retries start anew.',
  if_attempt_fails: () => 'If the attempt before it fails.',
  if_decided_failed: () =>
    'If the operator decides that the attempt before it failed: the bank could not tell, and nothing is charged until then.',
  once_charge_made: ({ number }) => `Once charge ${number} is made.`,
  last_charge: ({ number }) => `Charge ${number} is the last.`,
  canceled: () => 'No retry and no charge: canceled.',
  finished: () => 'No retry and no charge: all charges were made.',
  failed: () => 'No retry and no charge: the last retry failed. A new payment instrument restores it.',
};
