// The days on which banks book.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addBankDays, bankDayFrom, easterOf, isBankDay } from './bank-days.ts';

const day = (text: string) => Temporal.PlainDate.from(text);

suite('bank days', () => {
  // Guarantee: Easter, from which holidays follow, is that of the calendars.
  for (const date of ['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2030-04-21', '2038-04-25', '2285-03-22'])
    test(`Easter of ${date}`, () => assert.equal(easterOf(day(date).year).toString(), date));

  /** By another rule: that of Lilius and Clavius, as Knuth wrote it down. */
  function knuthEaster(year: number): string {
    const golden = (year % 19) + 1;
    const century = Math.floor(year / 100) + 1;
    const leaps = Math.floor((3 * century) / 4) - 12;
    const moons = Math.floor((8 * century + 5) / 25) - 5;
    const sunday = Math.floor((5 * year) / 4) - leaps - 10;
    const epact = (((11 * golden + 20 + moons - leaps) % 30) + 30) % 30;
    const adjusted = epact === 24 || (epact === 25 && golden > 11) ? epact + 1 : epact;
    const full = adjusted > 23 ? 74 - adjusted : 44 - adjusted;
    return day(`${year}-03-01`)
      .add({ days: full + 6 - ((sunday + full) % 7) })
      .toString();
  }
  test('Easter of every year until 9999', () => {
    for (let year = 1583; year <= 9999; year += 1) assert.equal(easterOf(year).toString(), knuthEaster(year));
  });

  // Guarantee: banks are closed at weekends and on every Polish public holiday, Christmas Eve included.
  for (const [date, what] of [
    ['2026-01-01', 'New Year'],
    ['2026-01-06', 'Epiphany'],
    ['2026-04-06', 'Easter Monday'],
    ['2026-05-01', 'Labor Day'],
    ['2027-05-03', 'Constitution Day'],
    ['2026-06-04', 'Corpus Christi'],
    ['2028-08-15', 'Assumption'],
    ['2027-11-01', 'All Saints'],
    ['2026-11-11', 'Independence Day'],
    ['2026-12-24', 'Christmas Eve'],
    ['2026-12-25', 'Christmas'],
    ['2028-12-26', 'the second day of Christmas'],
    ['2026-11-21', 'a Saturday'],
    ['2026-11-22', 'a Sunday'],
  ] as const) {
    test(`not on ${what}`, () => assert.equal(isBankDay(day(date), 'PLN'), false));
  }
  for (const date of ['2026-04-03', '2026-04-07', '2026-06-05', '2026-12-23', '2026-12-31', '2026-11-20'])
    test(`on ${date}`, () => assert.equal(isBankDay(day(date), 'PLN'), true));

  // Guarantee: a payout is never dated on a day on which banks are closed.
  for (const [from, to] of [
    ['2026-12-24', '2026-12-28'],
    ['2026-12-23', '2026-12-23'],
    ['2026-04-04', '2026-04-07'],
    ['2026-11-20', '2026-11-20'],
  ] as const) {
    test(`from ${from}: ${to}`, () => assert.equal(bankDayFrom(day(from), 'PLN').toString(), to));
  }

  // Guarantee: a delay counts only days on which banks are open.
  for (const [from, count, to] of [
    ['2026-11-20', 0, '2026-11-20'],
    ['2026-11-21', 0, '2026-11-21'],
    ['2026-11-20', 1, '2026-11-23'],
    ['2026-11-21', 1, '2026-11-23'],
    ['2026-12-23', 1, '2026-12-28'],
    ['2026-12-23', 3, '2026-12-30'],
    ['2026-12-30', 2, '2027-01-04'],
  ] as const) {
    test(`${count} after ${from}: ${to}`, () => assert.equal(addBankDays(day(from), count, 'PLN').toString(), to));
  }
});
