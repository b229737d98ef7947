// Amounts of the marketplace are whole cents. They change their form here, never their value: only digits are moved.

import { type Decimal, useFormat } from './format.ts';

export function decimalOfCents(cents: number): Decimal {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as Decimal;
}

/** What people type, such as 12,5 or 12.50; not a number if it is something else. */
export function centsOfText(text: string): number {
  const [, whole = '', part = ''] = /^(\d{1,11})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  return whole ? Number(`${whole}${part.padEnd(2, '0')}`) : Number.NaN;
}

export function useCents(): (cents: number, currency: string) => string {
  const format = useFormat();
  return (cents, currency) => format.amount(decimalOfCents(cents), currency);
}
