// The panel's texts. A dictionary is three files beside the screen that shows it: words.en.ts, words.pl.ts, and words.ts,
// which finds them. A language is one file per dictionary, so that adding one changes no other file, and words.ts finds
// its own files instead of one list for all, so that a screen loads only its own words. What a language lacks does not
// compile, is named by test/panel/words.test.ts, and is shown in English.

import { createContext, useCallback, useContext } from 'react';
import type { PanelLanguage } from '../../../../contract/languages.ts';

export type Language = PanelLanguage;

/** By the plural rules of the language: Polish has one, few, many. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
export type Words = Readonly<Record<string, string | Plural>>;

/** The same keys in another language; plural where the English is. */
export type Translation<W extends Words> = {
  readonly [K in keyof W]: W[K] extends string ? string : Plural;
};
/** English has every key. */
export type Dictionary<W extends Words = Words> = { readonly en: W } & Readonly<
  Partial<Record<Exclude<Language, 'en'>, Words>>
>;
export type KeyOf<D extends Dictionary> = keyof D['en'];

/** Values in braces, as in `Invited by {name}`. */
type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<E extends string | Plural> = E extends string
  ? Record<NamesIn<E>, string | number>
  : { readonly count: number } & Record<Exclude<NamesIn<E[keyof E]>, 'count'>, string | number>;
type Values<E extends string | Plural> = [keyof ValuesOf<E>] extends [never] ? [] : [values: ValuesOf<E>];

export type Translate<D extends Dictionary> = <K extends KeyOf<D>>(key: K, ...values: Values<D['en'][K]>) => string;

/** The words of a folder by language, from the files `./words.*.ts` that Vite found there. */
export function dictionary<W extends Words>(files: Readonly<Record<string, unknown>>): Dictionary<W> {
  return Object.fromEntries(
    Object.entries(files).map(([file, words]) => [file.split('.').at(-2), words]),
  ) as unknown as Dictionary<W>;
}

type Given = Readonly<Record<string, string | number>>;

/** Values are inserted as they are: React escapes them. */
function fill(text: string, values: Given): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** undefined if there is no such key. */
export function translate(language: Language, texts: Dictionary, key: string, values: Given = {}): string | undefined {
  const text = texts[language]?.[key] ?? texts.en[key];
  if (text === undefined || typeof text === 'string') return text && fill(text, values);
  const count = Number(values.count);
  const form = text[new Intl.PluralRules(language).select(count)] ?? text.other;
  return fill(form, { ...values, count: new Intl.NumberFormat(language).format(count) });
}

export const LanguageContext = createContext<Language>('en');

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function useText<D extends Dictionary>(texts: D): Translate<D> {
  const known = useKnown(texts);
  return useCallback((key, ...[values]) => known(String(key), values) ?? String(key), [known]);
}

/** For names that the service gives: the words for one, or undefined. */
export function useKnown(texts: Dictionary): (key: string, values?: Given) => string | undefined {
  const language = useLanguage();
  return useCallback((key, values) => translate(language, texts, key, values), [language, texts]);
}
