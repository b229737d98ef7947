// What verify finds, as the command line says it.

import type { Finding } from '../../contract/codes/findings.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { findingSentences } from '../../src/command/words/findings.ts';

export function inWords(found: readonly Finding[]): string[] {
  return found.map((finding) => sentenceOf(findingSentences, finding));
}
