import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, constantFrom, integer, property } from 'fast-check';
import { isZone, localText, spanFromLocal } from './instants.ts';

const warsaw = 'Europe/Warsaw';

suite('instants', () => {
  // Guarantee: the wire shows what a wall clock in the account's zone shows, on both sides of every DST change.
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

  // Guarantee: the span of a second is all the time that a clock shows it: twice when clocks go back, empty when they
  // skip it.
  for (const [text, from, to] of [
    ['2026-01-15 12:00:00', '2026-01-15T11:00:00Z', '2026-01-15T11:00:01Z'],
    ['2026-03-29 01:59:59', '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29 02:00:00', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29 02:30:00', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29 02:59:59', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29 03:00:00', '2026-03-29T01:00:00Z', '2026-03-29T01:00:01Z'],
    ['2026-10-25 01:59:59', '2026-10-24T23:59:59Z', '2026-10-25T00:00:00Z'],
    ['2026-10-25 02:00:00', '2026-10-25T00:00:00Z', '2026-10-25T01:00:01Z'],
    ['2026-10-25 02:59:59', '2026-10-25T00:59:59Z', '2026-10-25T02:00:00Z'],
    ['2026-10-25 03:00:00', '2026-10-25T02:00:00Z', '2026-10-25T02:00:01Z'],
    ['2024-02-29 00:00:00', '2024-02-28T23:00:00Z', '2024-02-28T23:00:01Z'],
    ['2026-02-29 00:00:00'],
    ['2026-04-31 00:00:00'],
    ['2026-13-01 00:00:00'],
    ['2026-00-10 00:00:00'],
    ['2026-01-01 24:00:00'],
    ['2026-01-01 10:60:00'],
    ['2026-01-01 10:00:60'],
    ['2026-01-01T10:00:00'],
    ['2026-01-01 10:00'],
    ['2026-01-01'],
    [''],
  ] as const) {
    test(`"${text}" in Warsaw is ${from ?? 'no time'}`, () => {
      const span = spanFromLocal(text, warsaw);
      assert.deepEqual([span?.from.toString(), span?.to.toString()], [from, to]);
    });
  }

  // Guarantee: every instant is in the span of the second that it is shown as, even in zones with unusual changes.
  test('every instant is in its span', () => {
    const seconds = integer({ min: 0, max: 4_102_444_800 });
    const zones = constantFrom(warsaw, 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC');
    assertProperty(
      property(seconds, zones, (second, zone) => {
        const at = Temporal.Instant.fromEpochMilliseconds(second * 1_000);
        const span = spanFromLocal(localText(at, zone), zone);
        assert.ok(span && Temporal.Instant.compare(span.from, at) <= 0 && Temporal.Instant.compare(at, span.to) < 0);
      }),
    );
  });

  // Guarantee: cached offsets give the same text as Temporal, even in zones with unusual offsets.
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
    ['Etc/GMT+5', true],
    ['+01:00', false],
    ['2026-01-01T00:00Z', false],
    ['2026-01-01T00:00[Europe/Warsaw]', false],
  ] as const) {
    test(`isZone("${zone}") is ${is}`, () => assert.equal(isZone(zone), is));
  }
});
