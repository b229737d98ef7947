import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, constantFrom, integer, property } from 'fast-check';
import { instantText, isZone, localText, spanFromLocal } from './instants.ts';

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
    ['x2026-01-01 10:00:00'],
    ['2026-01-01 10:00:00x'],
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

  // Guarantee: the last text is repeated only for the same second of the same zone.
  test('texts of one second after the other, of one zone after the other', () => {
    const at = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);
    for (const [milliseconds, zone, text] of [
      [1_000, 'UTC', '1970-01-01 00:00:01'],
      [1_999, 'UTC', '1970-01-01 00:00:01'],
      [2_000, 'UTC', '1970-01-01 00:00:02'],
      [2_001, 'UTC', '1970-01-01 00:00:02'],
      [2_001, warsaw, '1970-01-01 01:00:02'],
      [2_001, 'UTC', '1970-01-01 00:00:02'],
      [1_001, 'UTC', '1970-01-01 00:00:01'],
      [0, 'UTC', '1970-01-01 00:00:00'],
      [-1, 'UTC', '1969-12-31 23:59:59'],
    ] as const) {
      assert.equal(localText(at(milliseconds), zone), text);
    }
  });

  test('instantText is the ISO text, the second time too', () => {
    const at = Temporal.Instant.from('2026-03-29T01:00:00.5Z');
    assert.deepEqual([instantText(at), instantText(at)], ['2026-03-29T01:00:00.5Z', '2026-03-29T01:00:00.5Z']);
  });

  // Guarantee: the zone is asked once for a quarter hour, as long as there are at most 5,000 of them.
  test('offsets are looked up once', () => {
    const { prototype } = Temporal.Instant;
    const lookUp = prototype.toZonedDateTimeISO;
    let asked = 0;
    prototype.toZonedDateTimeISO = function counted(zone) {
      asked += 1;
      return lookUp.call(this, zone);
    };
    try {
      const quarter = (number: number) =>
        localText(Temporal.Instant.fromEpochMilliseconds((number + 3_000_000) * 900_000), 'Asia/Tokyo');
      const askedBy = (...numbers: number[]) => {
        asked = 0;
        for (const number of numbers) quarter(number);
        return asked;
      };
      const many = Array.from({ length: 5_000 }, (_, index) => index);
      // Whatever other tests left there is gone now, and the last 5,000 are in it, or the last ones of them.
      askedBy(...many.map((number) => number + 10_000));
      let first = 0;
      while (askedBy(first) === 1 && askedBy(10_000 + 4_999) === 0) first += 1;
      // It was cleared: the last question filled it with two.
      assert.equal(askedBy(...many.slice(0, 4_997).map((number) => number + 20_000)), 4_997);
      assert.equal(askedBy(...many.slice(0, 4_997).map((number) => number + 20_000)), 0, 'all are known');
      assert.equal(askedBy(30_000), 1);
      assert.equal(askedBy(20_000, 30_000), 0, 'there was still room');
      assert.equal(askedBy(30_001, 20_000), 2, 'it was full, and is cleared');
    } finally {
      prototype.toZonedDateTimeISO = lookUp;
    }
  });

  test('the text of a second and the text of an instant are made once', () => {
    const { toISOString } = Date.prototype;
    const { toString: toText } = Temporal.Instant.prototype;
    let made = 0;
    Date.prototype.toISOString = function counted() {
      made += 1;
      return toISOString.call(this);
    };
    Temporal.Instant.prototype.toString = function counted(options) {
      made += 1;
      return toText.call(this, options);
    };
    try {
      const at = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);
      for (const milliseconds of [5_000, 5_001, 5_999]) localText(at(milliseconds), 'UTC');
      assert.equal(made, 1);
      const instant = at(7);
      for (const time of [instant, instant, instant]) instantText(time);
      assert.equal(made, 2);
    } finally {
      Date.prototype.toISOString = toISOString;
      Temporal.Instant.prototype.toString = toText;
    }
  });

  // Guarantee: a fault of the code is not taken for a date or a zone that does not exist.
  test('only values out of range do not exist', () => {
    const noText = { toString: () => 'UTC' } as unknown as string;
    assert.throws(() => spanFromLocal('2026-01-15 12:00:00', noText), TypeError);
    assert.throws(() => isZone(noText), TypeError);
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
