// What a result means for a charge, whether it belongs to a payment or to a recurring one. Pure: the rooms decide what a
// captured or declined charge does to their rows.

import type { DeclineReason } from '../acquirer/index.ts';
import { type Approval, judgeAmount, type LookReason, otherAmountWhy, type Park } from './rules.ts';

/** What we learned of a charge, from an answer, a callback, a lookup or an operator. */
export type ChargeResult =
  | Approval
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** It will never capture, even if it arrives at the bank later. */
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting'; readonly link: string | null }
  /** Nothing left our side: the same key may be sent again at once. */
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' }
  /** Looked up without a result; to be asked again. */
  | { readonly kind: 'again'; readonly notFound: boolean }
  | Park;

export interface ChargeFacts {
  /** Whether it has not ended yet. */
  readonly open: boolean;
  /** Whether its money is in the books. */
  readonly booked: boolean;
  readonly amountMinor: bigint;
  /** How many lookups named another amount. */
  readonly otherAmounts: number;
  readonly parked: boolean;
}

/** What follows; `none` when the result says nothing new. */
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
 * Repeats and results that come too late change nothing, except that captured money is never forgotten: a charge that had
 * ended without money and is then called approved is looked up until it is certain.
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
