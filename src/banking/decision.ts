// What an operator found out by other means about something that is parked.

import { decimalText } from '../kernel/index.ts';
import type { ChargeResult } from './charge-rules.ts';

/** Whether the bank moved the money, and how much: it may have named another amount than was asked for. */
export type Decision = 'not-captured' | { readonly capturedMinor: bigint };

/** The operator's decision is not possible; nothing was changed. */
export class DecisionFault extends Error {}

/** Throws unless the amount that the operator names is the one that was asked for: no other is ever booked. */
export function confirmAmount(decision: Decision, askedMinor: bigint): void {
  if (decision === 'not-captured' || decision.capturedMinor === askedMinor) return;
  const [asked, named] = [decimalText(askedMinor), decimalText(decision.capturedMinor)];
  throw new DecisionFault(
    `${asked} was asked for, not ${named}. Have the bank move the difference and decide captured ${asked}, ` +
      'or have it undo all of it and decide not-captured.',
  );
}

/** The decision about a charge as the bank would have said it. */
export function decidedResult(decision: Decision): ChargeResult {
  return decision === 'not-captured'
    ? { kind: 'declined', reason: 'internal error' }
    : { kind: 'approved', amountMinor: decision.capturedMinor, lookedUp: true };
}
