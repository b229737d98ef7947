// Instants and their format on the wire. `yyyy-mm-dd hh:mm:ss` is local time of the account's zone
// (docs/decisions/0003).

import { joined } from './text.ts';

const quarterHour = 900_000;

/**
 * Offsets change only on quarter hours, so one lookup serves all instants of that quarter hour. Bounded; cleared when
 * full.
 */
const offsets = new Map<string, number>();
const offsetsAtMost = 5_000;

function offsetMilliseconds(epochMilliseconds: number, zone: string): number {
  const quarter = Math.floor(epochMilliseconds / quarterHour);
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const start = Temporal.Instant.fromEpochMilliseconds(quarter * quarterHour);
  const offset = start.toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
  if (offsets.size >= offsetsAtMost) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

const texts = new WeakMap<Temporal.Instant, string>();

/**
 * ISO text, for the database. Everything that happens at the same moment has the same instant, so the last text is
 * cached.
 */
export function instantText(at: Temporal.Instant): string {
  let text = texts.get(at);
  if (text === undefined) {
    text = at.toString();
    texts.set(at, text);
  }
  return text;
}

let latestSecond = Number.NaN;
let latestZone = '';
let latestText = '';

/**
 * `2026-03-29 03:00:00`: what a wall clock in the zone shows. Most instants shown are of the current second, so the
 * last text is cached.
 */
export function localText(instant: Temporal.Instant, zone: string): string {
  const at = instant.epochMilliseconds;
  const second = Math.floor(at / 1_000);
  if (second === latestSecond && zone === latestZone) return latestText;
  const shown = new Date(at + offsetMilliseconds(at, zone)).toISOString();
  latestSecond = second;
  latestZone = zone;
  latestText = joined(shown.slice(0, 10), ' ', shown.slice(11, 19));
  return latestText;
}

// Seconds end at 59, because Temporal would read a leap second, 60, as 59.
const localShape = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:[0-5]\d)$/;

/** From inclusive, to exclusive. */
export interface Span {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/**
 * The span in which a clock in the zone shows this second; undefined if there is no such date. When clocks go back it
 * is shown twice: the span then reaches from the first to the end of the second. For a time that clocks skip, the span
 * is empty, at the change.
 */
export function spanFromLocal(text: string, zone: string): Span | undefined {
  const match = localShape.exec(text);
  if (!match) return undefined;
  try {
    const shown = Temporal.PlainDateTime.from(`${match[1]}T${match[2]}`, { overflow: 'reject' });
    const first = shown.toZonedDateTime(zone, { disambiguation: 'earlier' });
    const last = shown.toZonedDateTime(zone, { disambiguation: 'later' });
    const change = first.toPlainDateTime().equals(shown) ? null : first.getTimeZoneTransition('next');
    if (change) return { from: change.toInstant(), to: change.toInstant() };
    return { from: first.toInstant(), to: last.toInstant().add({ seconds: 1 }) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Names begin with a letter; Temporal would also read the zone out of a date, which nothing else does. */
const zoneShape = /^[A-Za-z][A-Za-z0-9/_+-]*$/;

/** Whether the runtime knows this time zone by name, for times and for texts of mails. */
export function isZone(zone: string): boolean {
  if (!zoneShape.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
