// What the service says in codes, in words. Such a dictionary is three files beside the screen that shows it, like the
// words of a screen: sentences.en.ts, sentences.pl.ts, and sentences.ts, which finds them. A language is one file per
// dictionary. What one lacks does not compile, is named by test/panel/words.test.ts, and is shown in English.

import { useCallback } from 'react';
import { type Codes, type Message, type Sentences, sentenceOf } from '../../../../contract/codes/message.ts';
import { type Language, useLanguage } from './text.ts';

/** English has every code. */
export type CodeWords<C extends Codes> = { readonly en: Sentences<C> } & Readonly<
  Partial<Record<Language, Sentences<C>>>
>;

/** The sentences of a folder by language, from the files `./sentences.*.ts` that Vite found there. */
export function codeWords<C extends Codes>(files: Readonly<Record<string, unknown>>): CodeWords<C> {
  return Object.fromEntries(
    Object.entries(files).map(([file, sentences]) => [file.split('.').at(-2), sentences]),
  ) as unknown as CodeWords<C>;
}

/** A message in the user's language. A page that is older than the service may not know a code: then it is shown itself. */
export function useSentence<C extends Codes>(words: CodeWords<C>): (message: Message<C>) => string {
  const language = useLanguage();
  return useCallback(
    (message) => {
      const own: Sentences<C> = { ...words.en, ...words[language] };
      return own[message.code] === undefined ? message.code : sentenceOf(own, message);
    },
    [language, words],
  );
}
