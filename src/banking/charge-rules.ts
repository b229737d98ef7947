// What a result means for a charge of a payment or a recurring payment. Pure: the rooms decide how a captured or
// declined charge changes their rows.

import type { DeclineReason } from '../acquirer/index.ts';
import { type Approval, judgeAmount, type LookReason, otherAmountWhy, type Park } from './rules.ts';

/** What we learned about a charge from a response, a callback, a lookup or an operator. */
export type ChargeResult =
  | Approval
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** It will never capture, even if it reaches the bank later. */
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting'; readonly link: string | null }
  /** Nothing left our side: the same key may be sent again immediately. */
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' }
  /** A lookup had no result; look it up again. */
  | { readonly kind: 'again'; readonly notFound: boolean }
  | Park;

export interface ChargeFacts {
  /** Whether it has no final result yet. */
  readonly open: boolean;
  /** Whether its money is in the ledger. */
  readonly booked: boolean;
  readonly amountMinor: bigint;
  /** How many lookups reported a different amount. */
  readonly otherAmounts: number;
  readonly parked: boolean;
}

/** The next step; `none` if the result changes nothing. */
export type ChargeStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'captured' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'notSent' }
  | { readonly kind: 'wait'; readonly link: string | null }
  | { readonly kind: 'look'; readonly because: LookReason }
  | Park;

const none = { kind: 'none' } as const;

/**
 * Repeated and late results change nothing, except that captured money is never lost: if a charge that ended without
 * money is reported as approved, it is looked up until the result is certain.
 */
export function afterChargeResult(charge: ChargeFacts, result: ChargeResult): ChargeStep {
  if (charge.booked) return none;
  if (result.kind === 'approved') return afterApproval(charge, result);
  if (result.kind === 'park') return parkOnce(charge, result.why);
  if (!charge.open) return result.kind === 'again' ? { kind: 'look', because: 'unknown' } : none;
  switch (result.kind) {
    case 'declined':
    case 'canceled':
      return result;
    case 'notReached':
      return { kind: 'notSent' };
    case 'waiting':
      return { kind: 'wait', link: result.link };
    case 'unknown':
      return { kind: 'look', because: 'unknown' };
    case 'again':
      return { kind: 'look', because: result.notFound ? 'notFound' : 'unknown' };
  }
}

function afterApproval(charge: ChargeFacts, approval: Approval): ChargeStep {
  switch (judgeAmount(charge.amountMinor, approval, charge.otherAmounts)) {
    case 'askAgain':
      return { kind: 'look', because: approval.lookedUp ? 'otherAmount' : charge.open ? 'unknown' : 'doubt' };
    case 'park':
      return parkOnce(charge, otherAmountWhy);
    case 'believe':
      return { kind: 'captured' };
  }
}

function parkOnce({ parked }: ChargeFacts, why: string): ChargeStep {
  return parked ? none : { kind: 'park', why };
}
