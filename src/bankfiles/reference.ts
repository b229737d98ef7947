// Our reference in the title of a transfer: the word, a space and an id. That is 32 characters, which fit into a line
// of 35.

import { isUlid } from '../kernel/index.ts';

const word = 'GROSZ';
const idLength = 26;

/** The ids that the text names, even if the bank broke a line inside one of them or wrote it in lowercase. */
export function referencesIn(text: string): string[] {
  const plain = text.toUpperCase().replaceAll(/\s/g, '');
  const ids = plain
    .split(word)
    .slice(1)
    .map((rest) => rest.slice(0, idLength));
  return [...new Set(ids.filter((id) => isUlid(id)))];
}
