// Amounts, dates and currencies as banks write them.

import { isIsoDate } from './dates.ts';
import { FileFault, notValid, tooLong } from './fault.ts';
import { type FileCurrency, fileCurrencies } from './model.ts';

/** An amount of ISO 20022, such as 1234.5: up to five decimal places, of which the last three are zeros. */
export function isoAmountFrom(text: string, what: string): bigint {
  return minorFrom(withPoint.exec(text), text, what);
}

/** An amount of SWIFT, such as 1234,5: always with a comma. */
export function swiftAmountFrom(text: string, what: string): bigint {
  return minorFrom(withComma.exec(text), text, what);
}

function minorFrom(found: RegExpExecArray | null, text: string, what: string): bigint {
  const [, whole = '', places = ''] = found ?? [];
  if (whole === '') throw notValid(what, text);
  return BigInt(whole + places.padEnd(2, '0'));
}

const withPoint = /^\+?(\d{1,15})(?:\.(\d{0,2})0{0,3})?$/;
const withComma = /^0{0,9}(\d{1,15}),(\d{0,2})$/;

const afterDate = /^(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** The date of 2026-11-19, or of a time on that day, in the bank's own time zone. */
export function dateFrom(text: string, what: string): string {
  const date = text.slice(0, 10);
  const isDate = isIsoDate(date) && afterDate.test(text.slice(10));
  if (!isDate) throw notValid(what, text);
  return date;
}

/** The date that is written as 261119. By the rule of SWIFT, years from 80 on are of the last century. */
export function shortDateFrom(text: string, what: string): string {
  const date = `${text < '80' ? '20' : '19'}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  if (!/^\d{6}$/.test(text) || !isIsoDate(date)) throw notValid(what, text);
  return date;
}

/**
 * A value date. Where a bank counts interest by months of 30 days, it writes 29 and 30 February in every year: both are the
 * last day of the month.
 */
export function shortValueDateFrom(text: string, what: string): string {
  if (!/^\d\d02(?:29|30)$/.test(text)) return shortDateFrom(text, what);
  const [year, isLeap] = [text.slice(0, 2), isIsoDate(`20${text.slice(0, 2)}-02-29`)];
  return shortDateFrom(`${year}02${isLeap ? 29 : 28}`, what);
}

/** Banks write at most 35 characters. What is looked for by its name must fit into an index. */
const nameAtMost = 255;

/** What a statement or a payment is called. */
export function nameFrom(text: string): string {
  if (text.length > nameAtMost) throw tooLong();
  return text;
}

export function currencyOf(text: string): FileCurrency {
  const found = fileCurrencies.find((currency) => currency === text);
  if (!found) throw new FileFault({ code: 'currency_not_kept', parameters: { currency: text } });
  return found;
}
