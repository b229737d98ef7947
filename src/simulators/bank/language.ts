// The language of the bank's pages, and its format of amounts.

import { type Language, languages } from '../../../contract/languages.ts';
import { preferredLanguage } from '../../http/index.ts';
import { decimalText, type Money } from '../../kernel/index.ts';

const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  pl: 'pl-PL',
  de: 'de-DE',
  uk: 'uk-UA',
  fr: 'fr-FR',
  it: 'it-IT',
  es: 'es-ES',
  ru: 'ru-RU',
};

/** The language of the request to the bank; else the supported one that the browser prefers; English by default. */
export function languageOf(given: string | null, acceptLanguage: string | undefined): Language {
  return languages.find((language) => language === given) ?? preferredLanguage(acceptLanguage, languages) ?? 'en';
}

/** `12,34 zł` or `PLN 12.34`, exact to the last digit. */
export function amountText(amount: Money, language: Language): string {
  const format = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency: amount.currency,
    useGrouping: 'always',
  });
  return format.format(decimalText(amount.minor) as Intl.StringNumericLiteral);
}
