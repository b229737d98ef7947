// The language of the bank's pages, and its format of amounts.

import { decimalText, type Money } from '../../kernel/index.ts';
import { type Language, languages } from './words.ts';

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

/** Longer than any real browser sends. */
const headerLengthAtMost = 200;

/** The language of the request to the bank; else the supported one that the browser prefers; English by default. */
export function languageOf(given: string | null, acceptLanguage: string | undefined): Language {
  return languages.find((language) => language === given) ?? languageFrom(acceptLanguage);
}

function languageFrom(acceptLanguage: string | undefined): Language {
  const header = (acceptLanguage ?? '').slice(0, headerLengthAtMost);
  const wishes = header.split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = languages.find((known) => known === tag.split('-', 1)[0]);
    const weight = Number(
      parameters
        .find((text) => text.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    );
    return language === undefined || !(weight > 0) ? [] : [{ language, weight }];
  });
  return wishes.sort((left, right) => right.weight - left.weight)[0]?.language ?? 'en';
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
