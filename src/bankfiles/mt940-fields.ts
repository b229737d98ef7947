// Fields 60 to 62 of MT940: balances and movements.

import { isIsoDate } from './dates.ts';
import { notValid } from './fault.ts';
import type { FileCurrency, StatementLine } from './model.ts';
import type { Details } from './mt940-details.ts';
import { currencyOf, shortDateFrom, shortValueDateFrom, swiftAmountFrom } from './values.ts';

export interface Balance {
  readonly minor: bigint;
  readonly date: string;
  readonly currency: FileCurrency;
}

const balancePattern = /^([CD])(\d{6})([A-Z]{3})(\d+,\d*)$/;

export function balanceFrom(text: string, tag: string): Balance {
  const [, sign, date = '', currency = '', amount = ''] = balancePattern.exec(text.trim()) ?? [];
  if (sign === undefined) throw notValid(`:${tag}:`, text);
  const minor = swiftAmountFrom(amount, `:${tag}:`);
  return {
    minor: sign === 'D' ? -minor : minor,
    date: shortDateFrom(date, `:${tag}:`),
    currency: currencyOf(currency),
  };
}

/**
 * Value date, booking date, direction, funds code, amount, kind, the reference for the owner of the account, which may be
 * the payer's, behind the last `//` that of the bank, and the lines below.
 */
const movementPattern =
  /^(\d{6})(\d{4})?(C|D|RC|RD|EC|ED)([A-Z])?(\d+,\d*) ?([A-Z][A-Z0-9]{3})([^\n]*?)(?:\/\/((?:(?!\/\/)[^\n])*))?(?:\n([\s\S]*))?$/;

/** The booking date has no year: it gets the year that brings it nearest to the value date. */
function bookingDate(valueOn: string, monthAndDay: string | undefined): string {
  if (monthAndDay === undefined) return valueOn;
  const months = Number(monthAndDay.slice(0, 2)) - Number(valueOn.slice(5, 7));
  const year = Number(valueOn.slice(0, 4)) + (months > 6 ? -1 : months < -6 ? 1 : 0);
  const date = `${year}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2)}`;
  if (!isIsoDate(date)) throw notValid(':61:', date.replaceAll('-', '').slice(2));
  return date;
}

const noReference = new Set(['', 'NONREF', 'NOTPROVIDED']);
const referenceOf = (text: string | undefined) =>
  text === undefined || noReference.has(text.trim()) ? null : text.trim();

/** `supplement`: what the bank writes in the lines below the movement. */
export type Movement = Omit<StatementLine, keyof Details> & {
  readonly supplement: string;
  readonly isExpected: boolean;
  /** The bank took it back, or says that it came back (`RTI`). */
  readonly isReturn: boolean;
};

export function movementFrom(text: string, entry: number): Movement {
  const [, value = '', booked, sign = '', , amount = '', kind = '', own, theirs, below = ''] =
    movementPattern.exec(text) ?? [];
  if (sign === '') throw notValid(':61:', text);
  const valueOn = shortValueDateFrom(value, ':61:');
  const minor = swiftAmountFrom(amount, ':61:');
  // A reversed credit leaves the account, a reversed debit comes back to it.
  const comes = sign === 'C' || sign === 'RD';
  const isReversal = sign.startsWith('R');
  return {
    entry,
    part: 0,
    amountMinor: comes ? minor : -minor,
    isReversal,
    bookedOn: bookingDate(valueOn, booked),
    valueOn,
    bankReference: referenceOf(theirs),
    batchId: referenceOf(own),
    payments: 1,
    kind,
    supplement: below.replaceAll('\n', ' ').trim(),
    isExpected: sign.startsWith('E'),
    isReturn: isReversal || kind.endsWith('RTI'),
  };
}
