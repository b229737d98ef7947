// What an operator found out about a parked item.

import type { DecisionFaultReason } from '../../contract/codes/parking.ts';
import { decimalText } from '../kernel/index.ts';
import type { ChargeResult } from './charges/rules.ts';

/** Whether the bank moved the money, and how much: it may have reported a different amount than requested. */
export type Decision = 'not-captured' | { readonly capturedMinor: bigint };

/** The operator's decision is not possible; nothing was changed. */
export class DecisionFault extends Error {
  readonly why: DecisionFaultReason;

  constructor(why: DecisionFaultReason) {
    super(why.code);
    this.name = 'DecisionFault';
    this.why = why;
  }
}

/**
 * Throws unless the operator's amount is the requested one: no other is ever booked. `isMoved`: nobody requested
 * it, or nothing is left to decide, and the bank need not move anything.
 */
export function confirmAmount(decision: Decision, askedMinor: bigint, isMoved = false): void {
  if (decision === 'not-captured' || decision.capturedMinor === askedMinor) return;
  const [asked, named] = [decimalText(askedMinor), decimalText(decision.capturedMinor)];
  throw new DecisionFault(
    isMoved
      ? { code: 'not_about', parameters: { amount: asked, named } }
      : { code: 'not_requested', parameters: { asked, named } },
  );
}

/** The decision about a charge, as if the bank had reported it. */
export function decidedResult(decision: Decision): ChargeResult {
  return decision === 'not-captured'
    ? { kind: 'declined', reason: 'internal error' }
    : { kind: 'approved', amountMinor: decision.capturedMinor, lookedUp: true };
}
