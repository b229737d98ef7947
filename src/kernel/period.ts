// The period of a list, from a request.

import { type Span, spanFromLocal } from './instants.ts';
import { type Fault, Refusal } from './refusal.ts';

/** From inclusive, to exclusive; null is open. */
export interface Period {
  readonly from: Temporal.Instant | null;
  readonly to: Temporal.Instant | null;
}

interface PeriodQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Earlier than any data. */
const beginning = Temporal.Instant.fromEpochMilliseconds(0);
/** Its end cannot be written with a four-digit year. */
const lastYear = 9999;

const noSuchDate = {
  message: 'Must be an existing date and time.',
  rule: { code: 'existing_time', parameters: {} },
} as const;
const tooLate = {
  message: `Must be before the year ${lastYear}.`,
  rule: { code: 'before_year', parameters: { year: lastYear } },
} as const;

/**
 * From local times of the account's zone: from the first instant at which a clock shows `from` to the end of the last
 * one at which it shows `to`. Refuses invalid times together with the request's other faults; `names` are the fields of
 * the request.
 */
export function periodOf(
  query: PeriodQuery,
  zone: string,
  others: readonly Fault[] = [],
  names: Readonly<Record<'from' | 'to', string>> = { from: 'from', to: 'to' },
): Period {
  const faults: Fault[] = [...others];
  function span(field: 'from' | 'to'): Span | null {
    const text = query[field];
    if (text === undefined) return null;
    const year = Number(text.slice(0, 4));
    const read = year === 0 ? undefined : spanFromLocal(text, zone);
    const late = read && field === 'from' && year === lastYear;
    if (!read || late) faults.push({ code: 'not_valid', field: names[field], ...(late ? tooLate : noSuchDate) });
    // As an end, the last year means no end.
    return !read || year === lastYear ? null : read;
  }
  const [from, to] = [span('from'), span('to')];
  if (faults.length > 0) throw new Refusal(faults);
  return { from: from && notBeforeAll(from.from), to: to && notBeforeAll(to.to) };
}

function notBeforeAll(at: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(at, beginning) < 0 ? beginning : at;
}
