// Pure rules about cards.

import { brandOf } from '../kernel/index.ts';

export interface PlainCard {
  readonly number: string;
  /** `MM/YY`. */
  readonly expiry: string;
  /** Empty if it was not given. */
  readonly code: string;
}

/** The maximum that RSA with a 4096-bit key can carry. */
const plainLengthAtMost = 512;
const plainShape = /^\s*([\d ]{12,23})\s*\|\s*(0[1-9]|1[0-2])\/?(\d{2})\s*\|\s*(\d{3,4})?\s*(?:\|.*)?$/;

/** Reads `number|MM/YY|code`, ignoring what a client appends; undefined if it has another format. */
export function readPlainCard(text: string): PlainCard | undefined {
  const match = text.length > plainLengthAtMost ? null : plainShape.exec(text);
  const [, spaced = '', month = '', year = '', code = ''] = match ?? [];
  const number = spaced.replaceAll(' ', '');
  if (!match || number.length < 12 || number.length > 19 || !passesLuhn(number)) return undefined;
  return { number, expiry: `${month}/${year}`, code };
}

/** Whether the text has a card number in it, however its digits are grouped. Ciphertext in base64 practically never has. */
export function isPlain(text: string): boolean {
  return text.length <= plainLengthAtMost && /\d(?:[ ._-]{0,3}\d){11}/.test(text);
}

/** The Luhn check digit of card numbers. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index += 1) {
    const digit = Number(number[number.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** What may be shown of a card. */
export interface ShownCard {
  readonly brand: string;
  readonly tail: string;
}

/** A card whose number nobody here knows. */
export interface DatedCard extends ShownCard {
  /** `MM/YY`. */
  readonly expiry: string;
}

export function shownOf(number: string): ShownCard {
  return { brand: brandOf(number)?.name ?? 'Card', tail: number.slice(-4) };
}

/** A card from a form: encrypted by the page's script, or field by field without a script. */
export interface CardForm {
  readonly encrypted: string;
  readonly number: string;
  readonly expiry: string;
  readonly code: string;
}

export interface CardFormFault {
  readonly field: 'number' | 'expiry' | 'code';
  /** `long`: a code of this brand has four digits. */
  readonly why: 'missing' | 'invalid' | 'expired' | 'long';
}

const expiryShape = /^\s*(0?[1-9]|1[0-2])\s*[/.-]?\s*(?:20)?(\d{2})\s*$/;

/** More than any field needs, including the spaces that people type. */
const fieldLengthAtMost = 64;

/**
 * The card from a form without a script, however its digits are spaced; `cardFaults` reports empty fields. An overlong
 * field is treated as empty, because `expiryShape` takes quadratic time in its spaces.
 */
export function cardFromFields(form: Omit<CardForm, 'encrypted'>): PlainCard {
  const [number, expiry, code] = [form.number, form.expiry, form.code].map((text) =>
    text.length > fieldLengthAtMost ? '' : text,
  ) as [string, string, string];
  const [, month = '', year = ''] = expiryShape.exec(expiry) ?? [];
  return {
    number: number.replaceAll(/[\s-]/g, ''),
    expiry: month === '' ? '' : `${month.padStart(2, '0')}/${year}`,
    code: code.trim(),
  };
}

/** Every reason not to send a payer's card to the bank. A card is valid until the end of its month. */
export function cardFaults({ number, expiry, code }: PlainCard, now: Temporal.Instant): CardFormFault[] {
  const faults: CardFormFault[] = [];
  if (number === '') faults.push({ field: 'number', why: 'missing' });
  else if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) faults.push({ field: 'number', why: 'invalid' });
  const end = monthAfter(expiry);
  if (!end) faults.push({ field: 'expiry', why: 'invalid' });
  else if (Temporal.Instant.compare(now, end) >= 0) faults.push({ field: 'expiry', why: 'expired' });
  const hasLongCode = brandOf(number)?.codeDigits === 4;
  if (!(hasLongCode ? /^\d{4}$/ : /^\d{3,4}$/).test(code))
    faults.push({ field: 'code', why: hasLongCode ? 'long' : 'invalid' });
  return faults;
}

function monthAfter(expiry: string): Temporal.Instant | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry) ?? [];
  if (month === undefined) return undefined;
  return Temporal.PlainDate.from(`20${year}-${month}-01`).add({ months: 1 }).toZonedDateTime('UTC').toInstant();
}
