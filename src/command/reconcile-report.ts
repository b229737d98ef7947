// What grosz reconcile prints about a run. Pure.

import { statementSentences } from '../../contract/codes/english/parking.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { decimalText } from '../kernel/index.ts';
import type { Run, Total } from '../reconciliation/index.ts';

function counted(count: bigint | number, name: string): string {
  return `${count} ${name}${BigInt(count) === 1n ? '' : 's'}`;
}

/** What the statement contains, a line for each kind; kinds that few statements have, only if they occur. */
export function movedTexts(run: Run, totals: readonly Total[]): string[] {
  const { captures, refunds, payouts } = run;
  const sumOf = (wanted: Total['kind']) => totals.find(({ kind }) => kind === wanted)?.bankMinor ?? 0n;
  const further = [
    [run.feesMinor, 'fees of'],
    [sumOf('dispute'), 'disputes of'],
    [sumOf('other'), 'other lines totaling'],
  ] as const;
  return [
    `${counted(captures, 'capture')} of ${decimalText(run.capturedMinor)}`,
    `${counted(refunds, 'refund')} of ${decimalText(run.refundedMinor)}`,
    `${counted(payouts, 'payout')} of ${decimalText(run.paidOutMinor)}`,
    ...further.filter(([minor]) => minor !== 0n).map(([minor, text]) => `${text} ${decimalText(minor)}`),
    ...totals.filter(({ bankMinor, ourMinor }) => bankMinor !== ourMinor).map(totalText),
    ...(run.applied > 0 ? [`${counted(run.applied, 'result')} passed on to payments, refunds and disputes`] : []),
  ];
}

/** A sum of the books that is not that of the statement, and why. */
function totalText({ kind, bankMinor, ourMinor, elsewhereMinor, namedMinor, unexplainedMinor }: Total): string {
  const parts = [
    [elsewhereMinor, 'booked in another period'],
    [namedMinor, 'in open differences'],
    [unexplainedMinor, 'not explained'],
  ] as const;
  const why = parts.filter(([minor]) => minor !== 0n).map(([minor, text]) => `${decimalText(minor)} ${text}`);
  const sums = `the statement has ${decimalText(bankMinor)}, the books have ${decimalText(ourMinor)}`;
  return `sum of ${sumNames[kind]}: ${sums}; ${why.join(', ')}`;
}

const sumNames = {
  capture: 'captures',
  refund: 'refunds',
  payout: 'payouts',
  fee: 'fees',
  dispute: 'disputes',
  other: 'other lines',
} as const satisfies Record<Total['kind'], string>;

/** What is not as it should be; undefined if the books agree with the bank. */
export function faultText(run: Run): string | undefined {
  const { state, found, open, why } = run;
  if (state === 'incomplete')
    return `Not complete: ${why ? sentenceOf(statementSentences, why) : ''} ${counted(found, 'difference')} so far.`;
  if (found > 0 && open === 0) return `${counted(found, 'new difference')}, already closed; the log has the keys.`;
  if (found > 0)
    return `${counted(found, 'new difference')}. ${found === 1 ? 'It is' : 'They are'} parked: grosz parked list`;
  if (open > 0) return `Nothing new; ${counted(open, 'difference')} open: grosz parked list`;
  return state === 'differs' ? 'The statement needs a look: ask the bank about it.' : undefined;
}
