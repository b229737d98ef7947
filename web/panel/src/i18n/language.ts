// The language before anybody is signed in: the last one used here, or the browser's.

import type { Language } from './text.ts';

const key = 'grosz-language';

export function guessedLanguage(): Language {
  const kept = localStorage.getItem(key);
  if (kept === 'pl' || kept === 'en') return kept;
  return navigator.languages.some((name) => name.toLowerCase().startsWith('pl')) ? 'pl' : 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(key, language);
  document.documentElement.lang = language;
}
