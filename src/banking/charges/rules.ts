// What a result means for a charge, whatever it is for. Pure: rooms decide whether a captured one counts, and how a
// declined one changes their rows.

import type { UnresolvedCode } from '../../../contract/codes/parking.ts';
import type { DeclineReason } from '../../acquirer/index.ts';
import { type Approval, judgeAmount, type LookReason, type Park } from '../rules.ts';
import type { ChargeState, OpenState } from '../table.ts';

/** What we learned about a charge from a response, a callback, a lookup or an operator. */
export type ChargeResult =
  | Approval
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** It will never capture, even if it reaches the bank later. */
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting'; readonly link: string | null }
  /**
   * Nothing left our side: the same key may be sent again immediately. `triesNext`: it will not be, because another
   * acquirer is asked under another key.
   */
  | { readonly kind: 'notReached'; readonly triesNext?: true }
  | { readonly kind: 'unknown' }
  /** A lookup had no result; look it up again. */
  | { readonly kind: 'again'; readonly notFound: boolean }
  | Park;

export interface ChargeFacts {
  readonly state: ChargeState;
  readonly amountMinor: bigint;
  /** Whether its money is already booked as surplus. */
  readonly surplusBooked: boolean;
  /** How many lookups reported a different amount. */
  readonly otherAmounts: number;
  readonly parked: boolean;
}

/** What the result says; a room makes a step of it. */
export type ChargeNews =
  | { readonly kind: 'none' }
  | { readonly kind: 'captured' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'notSent'; readonly triesNext: boolean }
  | { readonly kind: 'wait'; readonly link: string | null }
  | { readonly kind: 'look'; readonly because: LookReason }
  | Park;

/** The next step; `none` if the result changes nothing. */
export type ChargeStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'correct' }
  /**
   * Captured, but not needed: book it for the payer and return it. `final` is the charge's new state, if it was open.
   */
  | { readonly kind: 'giveBack'; readonly final: 'surplus' | undefined }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'wait'; readonly link: string | null }
  | { readonly kind: 'look'; readonly because: LookReason }
  | Park;

const openStates: readonly ChargeState[] = ['sent', 'waiting', 'unknown'];

/** Whether it has no final result yet. */
export function isOpen(state: ChargeState): state is OpenState {
  return openStates.includes(state);
}

/** Whether its money is accounted for: as the payment, or as surplus. */
function isBooked({ state, surplusBooked }: ChargeFacts): boolean {
  return state === 'correct' || state === 'surplus' || surplusBooked;
}

const none = { kind: 'none' } as const;

/**
 * Repeated and late results change nothing, except that captured money is never lost: if a charge that ended without
 * money is reported as approved, it is looked up until the result is certain.
 */
export function afterChargeResult(charge: ChargeFacts, result: ChargeResult): ChargeNews {
  if (isBooked(charge)) return none;
  if (result.kind === 'approved') return afterApproval(charge, result);
  if (result.kind === 'park') return parkOnce(charge, result.why);
  if (!isOpen(charge.state)) return result.kind === 'again' ? { kind: 'look', because: 'unknown' } : none;
  switch (result.kind) {
    case 'declined':
    case 'canceled':
      return result;
    case 'notReached':
      return { kind: 'notSent', triesNext: result.triesNext ?? false };
    case 'waiting':
      return { kind: 'wait', link: result.link };
    case 'unknown':
      return { kind: 'look', because: 'unknown' };
    case 'again':
      return { kind: 'look', because: result.notFound ? 'notFound' : 'unknown' };
  }
}

function afterApproval(charge: ChargeFacts, approval: Approval): ChargeNews {
  switch (judgeAmount(charge.amountMinor, approval, charge.otherAmounts)) {
    case 'askAgain':
      return { kind: 'look', because: approval.lookedUp ? 'otherAmount' : isOpen(charge.state) ? 'unknown' : 'doubt' };
    case 'park':
      return parkOnce(charge, 'other_amount');
    case 'believe':
      return { kind: 'captured' };
  }
}

function parkOnce({ parked }: ChargeFacts, why: UnresolvedCode): ChargeNews {
  return parked ? none : { kind: 'park', why };
}
