// Dictionaries of what the service writes for people of the panel, in their language. One is three files: words.en.ts has
// every text, words.pl.ts the same keys, and words.ts, which never changes, loads them. A language is one file per
// dictionary; test/panel/words.test.ts names what it lacks.

import { type PanelLanguage, panelLanguages } from '../../contract/languages.ts';

/** The same keys in another language. */
export type TranslationOf<W> = { readonly [K in keyof W]: string };

export type WordsOf<W> = Readonly<Record<PanelLanguage, TranslationOf<W>>>;

/** The words beside a file, by language. One that is missing stops the start. */
export async function wordsBeside<W>(file: string): Promise<WordsOf<W>> {
  const load = async (language: PanelLanguage) => {
    const { default: words } = await import(new URL(`words.${language}.ts`, file).href);
    return [language, words] as const;
  };
  return Object.fromEntries(await Promise.all(panelLanguages.map(load))) as WordsOf<W>;
}
