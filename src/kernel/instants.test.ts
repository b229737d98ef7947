import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, constantFrom, integer, property } from 'fast-check';
import { instantFromLocal, isZone, localText } from './instants.ts';

const warsaw = 'Europe/Warsaw';

suite('instants', () => {
  // Guarantee: what the wire shows is what a wall clock in the account's zone shows, on both sides of every change.
  for (const [instant, zone, text] of [
    ['2026-01-15T11:00:00Z', warsaw, '2026-01-15 12:00:00'],
    ['2026-07-15T11:00:00Z', warsaw, '2026-07-15 13:00:00'],
    ['2026-03-29T00:59:59Z', warsaw, '2026-03-29 01:59:59'],
    ['2026-03-29T01:00:00Z', warsaw, '2026-03-29 03:00:00'],
    ['2026-10-25T00:59:59Z', warsaw, '2026-10-25 02:59:59'],
    ['2026-10-25T01:00:00Z', warsaw, '2026-10-25 02:00:00'],
    ['2026-12-31T23:00:00Z', warsaw, '2027-01-01 00:00:00'],
    ['2026-01-15T11:00:00.999Z', warsaw, '2026-01-15 12:00:00'],
    ['2026-01-15T11:00:00Z', 'Asia/Kathmandu', '2026-01-15 16:45:00'],
    ['2026-01-15T11:00:00Z', 'UTC', '2026-01-15 11:00:00'],
    ['1969-12-31T23:59:59Z', 'UTC', '1969-12-31 23:59:59'],
  ] as const) {
    test(`${instant} in ${zone} is ${text}`, () => assert.equal(localText(Temporal.Instant.from(instant), zone), text));
  }

  // Guarantee: a time that DST skips moves forward, one that comes twice is its first, and no other date is made up.
  for (const [text, instant] of [
    ['2026-01-15 12:00:00', '2026-01-15T11:00:00Z'],
    ['2026-03-29 01:59:59', '2026-03-29T00:59:59Z'],
    ['2026-03-29 02:00:00', '2026-03-29T01:00:00Z'],
    ['2026-03-29 02:30:00', '2026-03-29T01:30:00Z'],
    ['2026-03-29 03:00:00', '2026-03-29T01:00:00Z'],
    ['2026-10-25 02:00:00', '2026-10-25T00:00:00Z'],
    ['2026-10-25 02:59:59', '2026-10-25T00:59:59Z'],
    ['2026-10-25 03:00:00', '2026-10-25T02:00:00Z'],
    ['2024-02-29 00:00:00', '2024-02-28T23:00:00Z'],
    ['2026-02-29 00:00:00', undefined],
    ['2026-04-31 00:00:00', undefined],
    ['2026-13-01 00:00:00', undefined],
    ['2026-00-10 00:00:00', undefined],
    ['2026-01-01 24:00:00', undefined],
    ['2026-01-01 10:60:00', undefined],
    ['2026-01-01 10:00:60', undefined],
    ['2026-01-01T10:00:00', undefined],
    ['2026-01-01 10:00', undefined],
    ['2026-01-01', undefined],
    ['', undefined],
  ] as const) {
    test(`"${text}" in Warsaw is ${instant}`, () => assert.equal(instantFromLocal(text, warsaw)?.toString(), instant));
  }

  // Guarantee: the cached offsets give the same text as the runtime's own calendar, in zones with odd offsets too.
  test('localText equals what Temporal shows', () => {
    const seconds = integer({ min: 0, max: 4_102_444_800 });
    const zones = constantFrom(warsaw, 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    assertProperty(
      property(seconds, zones, (second, zone) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(second * 1_000);
        const shown = instant.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' });
        assert.equal(localText(instant, zone), shown.replace('T', ' '));
      }),
    );
  });

  for (const [zone, is] of [
    [warsaw, true],
    ['UTC', true],
    ['Europe/Krakow', false],
    ['', false],
  ] as const) {
    test(`isZone("${zone}") is ${is}`, () => assert.equal(isZone(zone), is));
  }
});
