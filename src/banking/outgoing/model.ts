// Money that goes back to payers, whatever for.

import type { UnresolvedCode } from '../../../contract/codes/parking.ts';
import type { RefundDeclineReason } from '../../../contract/codes/refund-declines.ts';
import type { RowOf } from '../../database/index.ts';
import type { LookReason, Park } from '../rules.ts';
import type { outgoingRefundTable } from '../table.ts';

export type { OutgoingState, Purpose } from '../table.ts';

export type Outgoing = RowOf<typeof outgoingRefundTable>;

/** What an outgoing refund begins with. `nextTryAt`: when it is sent. */
export type NewOutgoing = Pick<
  Outgoing,
  'id' | 'acquirer' | 'merchantId' | 'currency' | 'amountMinor' | 'chargeKey' | 'purpose' | 'subjectId' | 'createdAt'
> & { readonly nextTryAt: Temporal.Instant };

/** A result for an outgoing refund: from the bank, a lookup, its room, the merchant or an operator. */
export type OutgoingResult =
  | { readonly kind: 'approved' }
  /** `why`: if the bank said so. */
  | { readonly kind: 'declined'; readonly why?: RefundDeclineReason }
  /** It was paid, and the money came back. */
  | { readonly kind: 'cameBack' }
  /** Accepted; the bank will confirm it. */
  | { readonly kind: 'waiting' }
  /** Unknown; to be asked again. */
  | { readonly kind: 'again'; readonly otherAmount?: boolean }
  | Park
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' }
  | { readonly kind: 'cancel'; readonly by: 'merchant' | 'operator' }
  /** Its payer got the money by a dispute. */
  | { readonly kind: 'withdraw' };

/** The effect of a result. */
export type OutgoingStep =
  | { readonly kind: 'none' }
  /** Too late: it was sent, or has ended. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'held' }
  /** To be sent, now. */
  | { readonly kind: 'released' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'look'; readonly because: LookReason }
  | Park
  | { readonly kind: 'done' }
  /** It ended, and the payer does not get it. */
  | { readonly kind: 'returned'; readonly by: 'merchant' | 'operator' | 'bank' }
  /** It is not sent: its payer got the money by a dispute. */
  | { readonly kind: 'withdrawn' }
  /** The bank paid out what had ended without money; an operator is told why. */
  | { readonly kind: 'paidLate'; readonly why: UnresolvedCode }
  /** The bank had paid it out, and has the money again; `first`: that it was paid is news too. An operator is told. */
  | { readonly kind: 'cameBack'; readonly first: 'done' | 'paidLate' | null; readonly why: UnresolvedCode };

/** A step that changes something. */
export type Change<Step extends OutgoingStep> = Exclude<Step, { kind: 'none' | 'refused' }>;

export interface OutgoingSettlement {
  /** The key at the acquirer. */
  readonly key: string;
  readonly result: OutgoingResult;
  /** Who says so, if it came by itself: about what another acquirer is to pay it changes nothing. */
  readonly acquirer?: string;
  /** When the bank was asked, if not now: the sandbox clock jumps over many lookups in one step. */
  readonly lookedAt?: Temporal.Instant;
}

/** The outgoing refund afterwards, and the effect of the result; undefined if the key is unknown. */
export type SettledOutgoing = { readonly outgoing: Outgoing; readonly step: OutgoingStep } | undefined;
