// Lists of the panel: newest first, from a place on, within days of the account's time zone.

import { notValid } from '../../../contract/codes/english/values.ts';
import { type Period, refuseFault } from '../../kernel/index.ts';

/** A place in a list: the row that the page before it ended with. */
export interface Place {
  /** Null where ids alone are the order. */
  readonly at: Temporal.Instant | null;
  readonly id: string;
}

export function formatPlace({ at, id }: Place): string {
  return at === null ? id : `${at}_${id}`;
}

/** In a list that is ordered by ids alone. */
export const idPlace = (id: string | null | undefined): Place | null => (id ? { at: null, id } : null);

const placeShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)_([0-9A-Z]{0,26})$/;

/** Refuses what formatPlace does not make. */
export function parsePlace(text: string, field = 'before'): Place & { readonly at: Temporal.Instant } {
  const [, at = '', id = ''] = placeShape.exec(text) ?? [];
  try {
    return { at: Temporal.Instant.from(at), id };
  } catch (error) {
    if (error instanceof RangeError) return refuseFault(notValid(field, 'of_a_page'));
    throw error;
  }
}

/** For queries whose index needs both ends. */
export const always = {
  from: Temporal.Instant.fromEpochMilliseconds(0),
  to: Temporal.Instant.from('9999-01-01T00:00:00Z'),
};

/** The instants of days of the account, both inclusive. Refuses days that do not exist. */
export function readDays({ from, to }: { readonly from?: string; readonly to?: string }, zone: string): Period {
  const first = readDay(from, 'from');
  const last = readDay(to, 'to');
  return {
    from: first && startOf(first, zone),
    to: last && startOf(last.add({ days: 1 }), zone),
  };
}

/** The first instant of a day: where midnight is skipped, the change. */
export function startOf(day: Temporal.PlainDate, zone: string): Temporal.Instant {
  return day.toZonedDateTime(zone).toInstant();
}

/** Within the years that every column and format can have. */
export function readDay(text: string | undefined, field: string): Temporal.PlainDate | null {
  if (text === undefined) return null;
  try {
    const day = Temporal.PlainDate.from(text, { overflow: 'reject' });
    if (day.year >= 1970 && day.year < 9_999) return day;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return refuseFault(notValid(field, 'existing_day'));
}
