// The schedule in words, for R7.

import type { Sentences } from '../../contract/codes/message.ts';
import type { scheduleCodes } from '../../contract/codes/schedule.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function dayText({ day, month }: Temporal.PlainDate): string {
  return `${day} ${months[month - 1]}`;
}

function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

const of = (total: number | null) => (total === null ? '' : ` of ${total}`);

export const scheduleSentences: Sentences<typeof scheduleCodes> = {
  first_charge: ({ total }) => `Charge 1${of(total)}: the first charge date.`,
  charge: ({ number, total, interval, unit, from, clampedTo, skippedTime, movedTo }) => {
    const first = Temporal.PlainDate.from(from);
    const every = interval === 1 ? unit.slice(0, -1) : counted(interval, unit);
    const clamped =
      clampedTo === null ? '' : `; the ${ordinal(first.day)} clamped to ${dayText(Temporal.PlainDate.from(clampedTo))}`;
    const moved = skippedTime === null ? '' : `; ${skippedTime} does not exist that day, moved to ${movedTo}`;
    return `Charge ${number}${of(total)}: every ${every} from ${dayText(first)} ${first.year}${clamped}${moved}.`;
  },
  retry: ({ number, total, delay, unit, policy }) =>
    `Retry ${number} of ${total}: ${counted(delay, unit)} after the failed attempt (${policy === 'own' ? 'own schedule' : 'default policy'}).`,
  retry_by_hand: () => 'Retry by hand: at once; the scheduled retries stay where they are.',
  retry_with_new_instrument: () => 'Retry with the new instrument: at once; the scheduled retries start anew.',
  if_attempt_fails: () => 'If the attempt before it fails.',
  once_charge_made: ({ number }) => `Once charge ${number} is made.`,
  last_charge: ({ number }) => `Charge ${number} is the last.`,
  canceled: () => 'No retry and no charge: canceled.',
  finished: () => 'No retry and no charge: all charges were made.',
  failed: () => 'No retry and no charge: the last retry failed. A new payment instrument restores it.',
};
