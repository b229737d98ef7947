// Our reference in the title of a transfer: the word, a space and an id. That is 32 characters, which fit into a line
// of 35.

import { isUlid } from '../kernel/index.ts';

const word = 'GROSZ';
const idLength = 26;

/** A title that begins with the reference, so that the first line of a statement contains all of it. */
export function titleOf(id: string, words: string): string {
  return `${word} ${id} ${words}`.trimEnd();
}

const wordAnywhere = /g\s*r\s*o\s*s\s*z/i;

/** Whether the title begins with this reference, and nobody who reads it, however it is broken, finds another one in it. */
export function namesOnly(id: string, title: string): boolean {
  const first = titleOf(id, '');
  if (title !== first && !title.startsWith(`${first} `)) return false;
  // Nearly every title: much faster than to look for all references.
  if (!wordAnywhere.test(title.slice(word.length))) return true;
  const found = referencesIn(title);
  return found.length === 1 && found[0] === id;
}

/** The ids that the text names, even if the bank broke a line inside one of them or wrote it in lowercase. */
export function referencesIn(text: string): string[] {
  if (!wordAnywhere.test(text)) return [];
  const plain = text.toUpperCase().replaceAll(/\s/g, '');
  const ids = plain
    .split(word)
    .slice(1)
    .map((rest) => rest.slice(0, idLength));
  return [...new Set(ids.filter((id) => isUlid(id)))];
}
