// The panel's texts. Each screen has a file here with both languages side by side; a key that lacks a language or a
// value that is not given does not compile.

import { createContext, useCallback, useContext } from 'react';
import type { PanelLanguage } from '../../../../contract/panel/shared.ts';

export type Language = PanelLanguage;

/** By the plural rules of the language: Polish has one, few, many. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
type Entry = Readonly<Record<Language, string | Plural>>;
export type Dictionary = Readonly<Record<string, Entry>>;

/** Values in braces, as in `Invited by {name}`. */
type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<E extends Entry> = E['en'] extends string
  ? Record<NamesIn<E['en']>, string | number>
  : { readonly count: number } & Record<Exclude<NamesIn<E['en'][keyof E['en']]>, 'count'>, string | number>;
type Values<E extends Entry> = [keyof ValuesOf<E>] extends [never] ? [] : [values: ValuesOf<E>];

export type Translate<D extends Dictionary> = <K extends keyof D>(key: K, ...values: Values<D[K]>) => string;

export function dictionary<const D extends Dictionary>(texts: D): D {
  return texts;
}

/** Values are inserted as they are: React escapes them. */
function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function translate(
  language: Language,
  entry: Entry,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = entry[language];
  if (typeof text === 'string') return fill(text, values);
  const count = Number(values.count);
  const form = text[new Intl.PluralRules(language).select(count)] ?? text.other;
  return fill(form, { ...values, count: new Intl.NumberFormat(language).format(count) });
}

export const LanguageContext = createContext<Language>('en');

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function useText<D extends Dictionary>(texts: D): Translate<D> {
  const language = useLanguage();
  return useCallback(
    (key, ...[values]) => {
      const entry = texts[key];
      return entry === undefined ? String(key) : translate(language, entry, values);
    },
    [language, texts],
  );
}
