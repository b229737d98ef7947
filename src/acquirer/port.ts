// The port to the acquirer, which moves the money: a real acquirer over HTTP, or the simulated bank.
//
// Every request carries our key, chosen before the first byte leaves and never changed: the acquirer does one thing for
// one key, however often it is asked. Every request has a deadline. A timeout is not a failure: it is `unknown`, and
// `find` returns the result of the key later.

import type { Money, Secret } from '../kernel/index.ts';

/** Why a payment was declined. The first five are the failure reasons that R2 shows. */
export const declineReasons = [
  'insufficient funds',
  'instrument invalid',
  'instrument rejected',
  'payer rejected',
  'internal error',
  'wrong code',
  'timed out',
  'authentication failed',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** A card in the clear: in memory only, on its way from the decrypting module to the acquirer. */
export interface CardData {
  readonly number: Secret;
  /** `MM/YY`. */
  readonly expiry: Secret;
  /** Empty for a card that was saved: the code is never kept. */
  readonly code: Secret;
}

/** What the payer pays with. */
export type Instrument =
  | { readonly kind: 'blik'; readonly code: Secret; readonly aliases: readonly BlikAlias[] }
  /** `recurring`: a saved card of our own vault, charged by a recurring payment. */
  | { readonly kind: 'card'; readonly card: CardData; readonly recurring?: Turn }
  | { readonly kind: 'transfer' }
  | { readonly kind: 'onlineWallet' }
  | ({
      readonly kind: 'recurring';
      /** A token of the acquirer's, or a BLIK alias. */
      readonly value: Secret;
      /** For a BLIK alias: how it may be charged. Null for a card token. */
      readonly blik: BlikModel | null;
    } & Turn);

/** Which charge of a recurring payment it is; both count from 1. */
export interface Turn {
  readonly iteration: number;
  readonly attempt: number;
}

/** A name under which the payer's bank may be charged later; registered when the payment with the code succeeds. */
export interface BlikAlias {
  readonly value: Secret;
  readonly type: 'UID' | 'PAYID';
  readonly label: string;
}

/** A: charged without the payer. M: the payer confirms each charge. O: as A, within limits that the payer set. */
export interface BlikModel {
  readonly model: 'A' | 'M' | 'O';
  /** Charge at once instead of when the bank sees fit; only for A and O. */
  readonly noDelay: boolean;
}

export interface ChargeRequest {
  readonly key: string;
  /** Our reference of the merchant that is paid: a token or an alias may be charged only for the merchant it was made for. */
  readonly merchant: string;
  /** `merchant`: nobody is there to confirm anything, so a card must be decided without 3-D Secure. */
  readonly initiator: 'payer' | 'merchant';
  readonly amount: Money;
  readonly instrument: Instrument;
  /** The payer sees it in the bank's application. */
  readonly description: string;
  /** Where the bank's page sends the payer afterwards. */
  readonly returnUrl: string;
  readonly deadlineMilliseconds: number;
  /** The business time of the charge, when it is not the present: the sandbox's clock jumps over many at once. */
  readonly at?: Temporal.Instant;
}

/** `waiting`: accepted; the payer confirms elsewhere (at `link`, if there is one) and the result comes by callback. */
export type ChargeAnswer =
  | { readonly kind: 'approved'; readonly amount: Money }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'waiting'; readonly link: string | null }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

export interface RefundRequest {
  readonly key: string;
  /** The key of the charge whose money goes back. */
  readonly chargeKey: string;
  readonly amount: Money;
  readonly deadlineMilliseconds: number;
}

export type RefundAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

/** `canceled`: the charge of this key will never capture, even if it arrives later. `tooLate`: it is final already. */
export type CancelAnswer =
  | { readonly kind: 'canceled' }
  | { readonly kind: 'tooLate' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

/** What the acquirer knows of a key. `notFound`: it never heard of it, or has not yet. */
export type FindAnswer =
  | { readonly kind: 'approved'; readonly amount: Money }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'waiting'; readonly link: string | null }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

export interface KeyRequest {
  readonly key: string;
  readonly deadlineMilliseconds: number;
}

/** None of these ever throws for what the other side does: each outcome is one of the kinds above. */
export interface Acquirer {
  /** As the ledger names it: `acquirer:{name}:receivable`. */
  readonly name: string;
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  refund(request: RefundRequest): Promise<RefundAnswer>;
  cancel(request: KeyRequest): Promise<CancelAnswer>;
  findCharge(request: KeyRequest): Promise<FindAnswer>;
  findRefund(request: KeyRequest): Promise<FindAnswer>;
}

/** A final result that comes by itself. It may come twice, late, in another order, or before the answer to the request. */
export type Callback =
  | {
      readonly kind: 'charge';
      readonly key: string;
      readonly result:
        | { kind: 'approved'; amount: Money }
        | { kind: 'declined'; reason: DeclineReason }
        | { kind: 'canceled' };
    }
  | { readonly kind: 'refund'; readonly key: string; readonly result: { kind: 'approved' } | { kind: 'declined' } };

/** Told once the callback is durable on our side; a throw makes the acquirer send it again. */
export type OnCallback = (callback: Callback) => Promise<void>;
