// Our reference in the text of a transfer: the word and an id, 32 characters, which one line of a title of 35 holds.

import { isUlid } from '../kernel/index.ts';

const word = 'GROSZ';
const idLength = 26;

/** The ids that the text names, also if the bank broke the line in one of them or wrote it in small letters. */
export function referencesIn(text: string): string[] {
  const plain = text.toUpperCase().replaceAll(/\s/g, '');
  const ids = plain
    .split(word)
    .slice(1)
    .map((rest) => rest.slice(0, idLength));
  return [...new Set(ids.filter((id) => isUlid(id)))];
}
