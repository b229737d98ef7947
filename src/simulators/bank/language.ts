// The language of the bank's pages.

import { type Language, languages } from '../../../contract/languages.ts';
import { preferredLanguage } from '../../http/index.ts';

/** The language of the request to the bank; else the supported one that the browser prefers; English by default. */
export function languageOf(given: string | null, acceptLanguage: string | undefined): Language {
  return languages.find((language) => language === given) ?? preferredLanguage(acceptLanguage, languages) ?? 'en';
}
