// The payer's language, and its formats of amounts and dates.

import { type Language, languages } from '../../contract/languages.ts';
import { languageHeaderAtMost, preferredLanguage } from '../http/index.ts';
import { localeOf } from '../kernel/index.ts';

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
  const header = (acceptLanguage ?? '').slice(0, languageHeaderAtMost);
  let found = preferences.get(header);
  if (found === undefined) {
    found = preferredLanguage(header, languages) ?? 'none';
    if (preferences.size >= preferencesAtMost) preferences.clear();
    preferences.set(header, found);
  }
  return found === 'none' ? (knownLanguage(usual) ?? 'en') : found;
}

/** Browsers send few different headers; each is parsed once. */
const preferences = new Map<string, Language | 'none'>();
const preferencesAtMost = 1_000;

const quantityFormats = new Map<Language, Intl.NumberFormat>();

/** `1 234,5`, from a decimal text with at most six places: exact as well. */
export function quantityIn(language: Language, decimal: string): string {
  let format = quantityFormats.get(language);
  if (!format) {
    format = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 6 });
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
    format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
    if (dateFormats.size >= dateFormatsAtMost) dateFormats.clear();
    dateFormats.set(key, format);
  }
  return format.format(at.epochMilliseconds);
}
