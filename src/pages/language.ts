// The payer's language, and its formats of amounts and dates.

import { decimalText, type Money } from '../kernel/index.ts';

export const languages = ['pl', 'en', 'de', 'uk', 'fr', 'it', 'es', 'ru'] as const;
export type Language = (typeof languages)[number];

const locales: Readonly<Record<Language, string>> = {
  pl: 'pl-PL',
  en: 'en-GB',
  de: 'de-DE',
  uk: 'uk-UA',
  fr: 'fr-FR',
  it: 'it-IT',
  es: 'es-ES',
  ru: 'ru-RU',
};

/** Each in its own language: people look for the word that they know. */
export const languageNames: Readonly<Record<Language, string>> = {
  pl: 'Polski',
  en: 'English',
  de: 'Deutsch',
  uk: 'Українська',
  fr: 'Français',
  it: 'Italiano',
  es: 'Español',
  ru: 'Русский',
};

export function knownLanguage(tag: unknown): Language | undefined {
  return languages.find((language) => language === tag);
}

/**
 * The choice of payer or merchant, then the browser's preference. For those who want languages that we do not have: the
 * merchant's usual one, else English.
 */
export function chooseLanguage(
  given: string,
  acceptLanguage: string | undefined,
  usual: string | null = null,
): Language {
  if (given !== '') return knownLanguage(given) ?? 'en';
  const header = (acceptLanguage ?? '').slice(0, headerAtMost);
  let found = preferences.get(header);
  if (found === undefined) {
    found = preferred(header) ?? 'none';
    if (preferences.size >= preferencesAtMost) preferences.clear();
    preferences.set(header, found);
  }
  return found === 'none' ? (knownLanguage(usual) ?? 'en') : found;
}

const headerAtMost = 200;

/** Browsers send few different headers; each is parsed once. */
const preferences = new Map<string, Language | 'none'>();
const preferencesAtMost = 1_000;

/** The best of `pl-PL,pl;q=0.9,en;q=0.8` that we have; among equals the first. */
function preferred(header: string): Language | undefined {
  let best: Language | undefined;
  let bestWeight = 0;
  for (const part of header.split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = knownLanguage(tag.split('-', 1)[0] ?? '');
    const weight = weightOf(parameters);
    if (language && weight > bestWeight) {
      best = language;
      bestWeight = weight;
    }
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
  const weight = given === undefined ? 1 : Number(given);
  return Number.isNaN(weight) ? 0 : weight;
}

const amountFormats = new Map<string, Intl.NumberFormat>();

/** `1 234,50 zł`, `PLN 1,234.50`: exact to the last digit, because the formatter gets the decimal text. */
export function amountText(amount: Money, language: Language): string {
  const key = `${language} ${amount.currency}`;
  let format = amountFormats.get(key);
  if (!format) {
    const options = { style: 'currency', currency: amount.currency, useGrouping: 'always' } as const;
    format = new Intl.NumberFormat(locales[language], options);
    amountFormats.set(key, format);
  }
  return format.format(decimalText(amount.minor) as Intl.StringNumericLiteral);
}

const quantityFormats = new Map<Language, Intl.NumberFormat>();

/** `1 234,5`, from a decimal text with at most six places: exact as well. */
export function quantityIn(language: Language, decimal: string): string {
  let format = quantityFormats.get(language);
  if (!format) {
    format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 });
    quantityFormats.set(language, format);
  }
  return format.format(decimal as Intl.StringNumericLiteral);
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const dateFormatsAtMost = 1_000;

/** `10 marca 2026 14:05`, in the shop's time zone. */
export function dateText(at: Temporal.Instant, zone: string, language: Language): string {
  const key = `${language} ${zone}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
    if (dateFormats.size >= dateFormatsAtMost) dateFormats.clear();
    dateFormats.set(key, format);
  }
  return format.format(at.epochMilliseconds);
}
