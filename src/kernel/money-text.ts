// Amounts as people read them. Pure.

import { decimalText, type Money } from './money.ts';

/** English as it is written here: 10 March, not March 10. */
export function localeOf(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

/** A few languages and currencies; making one costs more than a hundred uses. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * `1 234,50 zł`, `PLN 1,234.50`: exact to the last digit, because the formatter gets the decimal text; grouped in every
 * language, also four digits.
 */
export function amountText({ minor, currency }: Money, language: string): string {
  const key = `${language} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency, useGrouping: 'always' });
    formats.set(key, format);
  }
  return format.format(decimalText(minor) as Intl.StringNumericLiteral);
}
