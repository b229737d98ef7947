// The languages of payers and of the panel. Without a schema, so that browsers can load it too.

export const languages = ['pl', 'en', 'de', 'fr', 'it', 'es', 'uk', 'ru'] as const;
export type Language = (typeof languages)[number];

export function isLanguage(text: string): text is Language {
  return languages.some((one) => one === text);
}

/** Each in its own language: people look for the word that they know. */
export const languageNames: Readonly<Record<Language, string>> = {
  pl: 'Polski',
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  es: 'Español',
  uk: 'Українська',
  ru: 'Русский',
};

/** The languages of the panel. English first: it has every text. */
export const panelLanguages = ['en', 'pl'] as const satisfies readonly Language[];
export type PanelLanguage = (typeof panelLanguages)[number];
