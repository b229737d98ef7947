// What verify finds, as the command line says it.

import { findingSentences } from '../../contract/codes/english/findings.ts';
import { decisionSentences, parkSentences, statementSentences } from '../../contract/codes/english/parking.ts';
import type { Finding } from '../../contract/codes/findings.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import type { ParkReason, StatementFaultReason } from '../../contract/codes/parking.ts';
import { DecisionFault } from '../../src/banking/index.ts';

/** For `assert.rejects`: a decision that is not possible, with the reason that the command line gives. */
export function refusedWith(sentence: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof DecisionFault && sentence.test(sentenceOf(decisionSentences, error.why));
}

export function statementInWords(why: StatementFaultReason | null | undefined): string | null | undefined {
  return why && sentenceOf(statementSentences, why);
}

export function inWords(found: readonly Finding[]): string[] {
  return found.map((finding) => sentenceOf(findingSentences, finding));
}

/** Why something is parked. */
export function reasonInWords(why: ParkReason | undefined): string | undefined {
  return why && sentenceOf(parkSentences, why);
}
