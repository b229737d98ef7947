// Days on which banks book payments. Pure: the feasts follow from the year, no list has to be kept up to date.

import type { Currency } from '../kernel/index.ts';

/** Each year on the same day. Christmas Eve has been a holiday since 2025. */
const fixedHolidays: Readonly<Record<Currency, readonly string[]>> = {
  PLN: ['01-01', '01-06', '05-01', '05-03', '08-15', '11-01', '11-11', '12-24', '12-25', '12-26'],
};

/** In days after Easter Sunday: Easter Monday and Corpus Christi. Easter and Pentecost are Sundays anyway. */
const movableHolidays: Readonly<Record<Currency, readonly number[]>> = { PLN: [1, 60] };

/** Easter Sunday of the Gregorian calendar, by the rule of Meeus, Jones and Butcher. */
export function easterOf(year: number): Temporal.PlainDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const leapCenturies = Math.floor(century / 4);
  const corrected = century - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + corrected - leapCenturies + 15) % 30;
  const week = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - moon - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * week) / 451);
  const days = moon + week - 7 * late + 114;
  return new Temporal.PlainDate(year, Math.floor(days / 31), (days % 31) + 1);
}

export function isBankDay(day: Temporal.PlainDate, currency: Currency): boolean {
  if (day.dayOfWeek > 5) return false;
  if (fixedHolidays[currency].includes(day.toString().slice(5))) return false;
  const easter = easterOf(day.year);
  return !movableHolidays[currency].some((days) => day.equals(easter.add({ days })));
}

/** The day itself, if it is a bank day, or the next one. */
export function bankDayFrom(day: Temporal.PlainDate, currency: Currency): Temporal.PlainDate {
  let found = day;
  while (!isBankDay(found, currency)) found = found.add({ days: 1 });
  return found;
}

/** So many bank days later; 0: the day itself, whatever it is. */
export function addBankDays(day: Temporal.PlainDate, count: number, currency: Currency): Temporal.PlainDate {
  let found = day;
  for (let left = count; left > 0; left -= 1) found = bankDayFrom(found.add({ days: 1 }), currency);
  return found;
}
