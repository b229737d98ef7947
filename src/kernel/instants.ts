// Instants and how the wire spells them. `yyyy-mm-dd hh:mm:ss` is local time of the account's zone (docs/decisions.md 3).

import { joined } from './text.ts';

const quarterHour = 900_000;

/** Offsets change only on quarter hours, so one lookup serves all instants of that quarter. Bounded; cleared when full. */
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

/** ISO text, for the database. Everything that happens in one moment shares its instant, so it is spelled once. */
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

/** `2026-03-29 03:00:00`: what a wall clock in the zone shows. Most of what is shown happened in this second: it is spelled once. */
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

// Seconds end at 59 here, because Temporal would read a leap second, 60, as the second before it.
const localShape = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:[0-5]\d)$/;

/** From inclusive, to exclusive. */
export interface Span {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/**
 * While a clock in the zone shows this second, or undefined when there is no such date. When clocks go back it is shown
 * twice: the span goes from the first to the end of the second. What clocks skip is an empty span at the change.
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

/** Whether the runtime knows this time zone by name. */
export function isZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
