// The languages to choose from, and the one before anybody is signed in: the last one used here, or the browser's.

import { languageNames, panelLanguages } from '../../../../contract/languages.ts';
import type { Language } from './text.ts';

const key = 'grosz-language';

/** Each by its own name. */
export const languageChoices = panelLanguages.map((value) => ({ value, label: languageNames[value] }));

/** English only if the browser names no other language that the panel has: many browsers name it without being asked. */
function ofBrowser(): Language | undefined {
  const others = panelLanguages.filter((language) => language !== 'en');
  const named = navigator.languages.map((name) => name.toLowerCase());
  return named.flatMap((name) => others.filter((language) => name.startsWith(language)))[0];
}

export function languageFrom(text: string | null): Language | undefined {
  return panelLanguages.find((language) => language === text);
}

export function guessedLanguage(): Language {
  return languageFrom(localStorage.getItem(key)) ?? ofBrowser() ?? 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(key, language);
  document.documentElement.lang = language;
}
