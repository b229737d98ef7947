// The port to the acquirer, which moves the money: a real acquirer over HTTP, or the simulated bank.
//
// Every request carries an idempotency key, chosen before the first byte is sent and never changed: the acquirer acts
// once per key, however often it is asked. Every request has a deadline. A timeout is not a failure: it is `unknown`,
// and `find` returns the result of the key later.

import type { RefundDeclineReason } from '../../contract/codes/refund-declines.ts';
import type { MethodName, RedirectKind } from '../../contract/methods.ts';
import type { Currency, Money, Secret } from '../kernel/index.ts';

/** Why a payment was declined. The first five are the failure reasons shown by R2. */
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

/** Plaintext card data: in memory only, from the decrypting module to the acquirer. */
export interface CardData {
  readonly number: Secret;
  /** `MM/YY`. */
  readonly expiry: Secret;
  /** Empty for a saved card: the code is never stored. */
  readonly code: Secret;
}

/** The content of a wallet token: in memory only, on its way to the acquirer. */
export interface WalletCard {
  readonly network: 'Visa' | 'Mastercard';
  readonly number: Secret;
  /** `MM/YY`. */
  readonly expiry: Secret;
  readonly cryptogram: Secret;
  /** The electronic commerce indicator, if the network gave one. */
  readonly eci: string | null;
}

/** What the payer pays with. */
export type Instrument =
  /** `code` is null if the payer is known by one of the aliases: then the bank asks for confirmation in its app. */
  | { readonly kind: 'blik'; readonly code: Secret | null; readonly aliases: readonly BlikAlias[] }
  /** `recurring`: a card saved in our vault, charged by a recurring payment. */
  | { readonly kind: 'card'; readonly card: CardData; readonly recurring?: Turn }
  /** A card that the payer typed into the acquirer's own fields: what those made of it, for one charge. */
  | { readonly kind: 'fields'; readonly token: Secret; readonly save: boolean }
  /** The card of an earlier charge of the same merchant, typed into the acquirer's own fields and saved there. */
  | { readonly kind: 'saved'; readonly chargeKey: string; readonly recurring?: Turn }
  /** A card in a device wallet: its device number and the cryptogram of this payment. */
  | { readonly kind: 'wallet'; readonly card: WalletCard }
  /** `bank`: the one that the payer chose, if our page offered a choice. */
  | { readonly kind: 'transfer'; readonly bank?: string }
  /** Other methods whose payer continues on the acquirer's page. */
  | { readonly kind: Exclude<RedirectKind, 'transfer'> }
  | ({
      readonly kind: 'recurring';
      /** A token of the acquirer, or a BLIK alias. */
      readonly value: Secret;
      /** For a BLIK alias: how it may be charged. Null for a card token. */
      readonly blik: BlikModel | null;
    } & Turn);

/** Which charge of a recurring payment this is; both count from 1. */
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

/** A: charged without the payer. M: the payer confirms each charge. O: like A, within limits set by the payer. */
export interface BlikModel {
  readonly model: 'A' | 'M' | 'O';
  /** Charge immediately instead of when the bank chooses to; only for A and O. */
  readonly noDelay: boolean;
}

export interface ChargeRequest {
  readonly key: string;
  /**
   * Our reference of the merchant: a token or an alias may be charged only for the merchant that it was created for.
   */
  readonly merchant: string;
  /** Shown to the payer on the bank's page. */
  readonly merchantName?: string;
  /** In which the payer reads: `pl`. Without it the bank's page follows the browser. */
  readonly language?: string;
  /** `merchant`: nobody is present to confirm, so a card must be decided without 3-D Secure. */
  readonly initiator: 'payer' | 'merchant';
  readonly amount: Money;
  readonly instrument: Instrument;
  /** Shown to the payer in the banking app. */
  readonly description: string;
  /** Who pays, as far as it is known: some acquirers ask for it. */
  readonly payer?: { readonly email: string; readonly name: string };
  /** Where the bank's page returns the payer. */
  readonly returnUrl: string;
  readonly deadlineMilliseconds: number;
  /** The business time of the charge if it is not now: the sandbox clock jumps over many charges in one step. */
  readonly at?: Temporal.Instant;
}

/** `waiting`: accepted; the payer confirms elsewhere (at `link`, if any), and the result comes by callback. */
export type ChargeAnswer =
  | { readonly kind: 'approved'; readonly amount: Money }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'waiting'; readonly link: string | null }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

export interface RefundRequest {
  readonly key: string;
  /** The key of the charge to refund. */
  readonly chargeKey: string;
  readonly amount: Money;
  readonly deadlineMilliseconds: number;
}

export type RefundAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly why?: RefundDeclineReason }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

/** `canceled`: the charge of this key will never capture, even if it arrives later. `tooLate`: it is already final. */
export type CancelAnswer =
  | { readonly kind: 'canceled' }
  | { readonly kind: 'tooLate' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

/** What the acquirer knows about a key. `notFound`: it has not received it, or not yet. */
export type FindAnswer =
  | { readonly kind: 'approved'; readonly amount: Money }
  /** `why`: of a refund, if it is known. */
  | { readonly kind: 'declined'; readonly reason: DeclineReason; readonly why?: RefundDeclineReason }
  | { readonly kind: 'waiting'; readonly link: string | null }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

export interface KeyRequest {
  readonly key: string;
  readonly deadlineMilliseconds: number;
}

/** A page of what the acquirer moved in a period, from `from` (inclusive) to `to` (exclusive) by its own clock. */
export interface StatementRequest {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  /** `next` of the page before; null for the first one. */
  readonly after: string | null;
  readonly limit: number;
  readonly deadlineMilliseconds: number;
}

interface MovedLine {
  readonly key: string;
  readonly amount: Money;
  readonly at: Temporal.Instant;
}

/** `key` of a capture, a refund and a returned refund is ours; that of other lines is the acquirer's reference. */
export type StatementLine =
  | ({ readonly kind: 'capture' } & MovedLine)
  | ({ readonly kind: 'refund'; readonly chargeKey: string } & MovedLine)
  /** What it paid to our bank account, and the fee that it kept: together they leave the receivable account. */
  | ({ readonly kind: 'payout'; readonly fee: Money } & MovedLine)
  | FurtherLine;

/** What not every acquirer has. */
export type FurtherLine =
  /** What it kept for itself: for one charge, or alone. */
  | ({ readonly kind: 'fee'; readonly chargeKey: string | null } & MovedLine)
  /** A refund that it had paid came back: `key` is that of the refund. It owes us the money again. */
  | ({ readonly kind: 'refundReturned'; readonly chargeKey: string } & MovedLine)
  /** The payer's bank took the money of a charge: `key` is the acquirer's reference of the dispute. */
  | ({ readonly kind: 'dispute'; readonly chargeKey: string } & MovedLine)
  /** A dispute that was won: the money is ours again. */
  | ({ readonly kind: 'disputeWon'; readonly chargeKey: string } & MovedLine)
  /** A payout did not reach our bank account: `key` is that of the payout. */
  | ({ readonly kind: 'payoutReturned' } & MovedLine)
  /** Anything else that moved, in the acquirer's own word; `taken` from what it owes us, or added to it. */
  | ({ readonly kind: 'other'; readonly what: string; readonly taken: boolean } & MovedLine);

/** `unreadable`: places of lines in the page, from 1, that are not lines of a statement; `lines` has the others, in order. */
export type StatementAnswer =
  | {
      readonly kind: 'page';
      readonly lines: readonly StatementLine[];
      readonly unreadable?: readonly number[];
      readonly next: string | null;
    }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

/** How a recurring payment can be charged: a saved card, or a BLIK alias of one of the models. */
export type RecurringKind = 'card' | BlikModel['model'];

/** To keep an alias of this type; `known`: to charge a payer who is known by an alias and gives no code. */
export type AliasWish = BlikAlias['type'] | 'known';

/** A method that an acquirer takes, and for which amounts. */
export interface Offer {
  readonly method: MethodName;
  readonly currency: Currency;
  readonly leastMinor: bigint;
  readonly mostMinor: bigint;
  /** `vendor`: the payer types the data into the acquirer's own fields, never into ours. */
  readonly fields: 'own' | 'vendor';
  readonly recurring: readonly RecurringKind[];
  /** Of BLIK: what it takes besides a code, or instead of one; undefined: all of it. */
  readonly aliases?: readonly AliasWish[];
  /** It charges payers only if it is sent their email address: only of methods that redirect, whose forms ask for it. */
  readonly asksEmail?: true;
}

/** Whose card fields a page shows, and what a browser needs for that. */
export interface CardFields {
  /** Which of our scripts speaks with that of the acquirer. */
  readonly kind: 'stripe';
  /** The acquirer's script. */
  readonly script: string;
  /** Known to everybody: with it the script makes tokens of this account. */
  readonly publicKey: string;
  /** Origins that a page with the fields must let in. */
  readonly origins: {
    readonly scripts: readonly string[];
    readonly frames: readonly string[];
    readonly requests: readonly string[];
  };
}

/** What may be shown of a card. */
export interface CardShown {
  readonly brand: string;
  /** The last four digits. */
  readonly tail: string;
  /** `MM/YY`. */
  readonly expiry: string;
}

/** `refused`: it is no token of ours, or was used before, or is too old: the payer types the card again. */
export type TokenAnswer =
  | { readonly kind: 'found'; readonly card: CardShown }
  | { readonly kind: 'refused' }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

export interface TokenRequest {
  readonly token: Secret;
  readonly deadlineMilliseconds: number;
}

/** What a value for trying leads to. */
export type TestOutcome =
  | 'approved'
  | 'later'
  | 'wrong code'
  | 'insufficient funds'
  | 'payer rejected'
  | 'timed out'
  | 'declined by amount';

/** A value for trying, and what it leads to, or what belongs to it. */
export type TestValue = readonly [
  value: string,
  leadsTo: { readonly outcome: TestOutcome } | { readonly with: string },
];

/** What payers are shown of an acquirer. */
export interface ShownToPayers {
  /** How long they can confirm BLIK in the app of their bank. */
  readonly blikSeconds?: number;
  /** Banks that a transfer may name; without them its own page asks. */
  readonly banks?: readonly string[];
  /** Whose page asks for the bank of a transfer, as payers know it. */
  readonly transferPage?: string;
  /** Values for trying, where no real money moves. */
  readonly testValues?: Readonly<Partial<Record<MethodName, readonly TestValue[]>>>;
}

/** None of these throws because of what the other side does: every outcome is one of the kinds above. */
export interface Acquirer {
  /** Its name in the ledger: `acquirer:{name}:receivable`. */
  readonly name: string;
  /** What can be paid through it, which may change; undefined: every method, in every currency and amount of ours. */
  readonly offers?: readonly Offer[] | undefined;
  readonly shown?: ShownToPayers;
  /** Its own card fields, if it offers cards with `fields: 'vendor'`. */
  readonly cardFields?: CardFields;
  /** Which card a token of its fields stands for, before anything is charged. */
  findToken?(request: TokenRequest): Promise<TokenAnswer>;
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  refund(request: RefundRequest): Promise<RefundAnswer>;
  cancel(request: KeyRequest): Promise<CancelAnswer>;
  findCharge(request: KeyRequest): Promise<FindAnswer>;
  findRefund(request: KeyRequest): Promise<FindAnswer>;
  /** What it moved in a period. The order of the lines is its own; each is given once. */
  statement(request: StatementRequest): Promise<StatementAnswer>;
}

/** `opened`: the payer's bank asks for the money back. */
export const disputeStages = ['opened', 'won', 'lost'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/** What the acquirer says about a dispute; the money moves with lines of the statement. */
export interface DisputeNews {
  readonly kind: DisputeStage;
  readonly chargeKey: string;
  /** What is disputed of the charge. */
  readonly amount: Money;
  /** The acquirer's word for why. */
  readonly reason: string;
  /** Until when evidence is taken; null if none is. */
  readonly respondUntil: Temporal.Instant | null;
  /** Since when it is so, by the acquirer's clock: of two ends the later one counts. */
  readonly at?: Temporal.Instant;
}

/**
 * A result pushed by the acquirer. It may arrive twice, late, out of order, or before the response to the request.
 * `lookedUp`: it was not believed, but fetched again by its key.
 */
export type Callback =
  | {
      readonly kind: 'charge';
      readonly key: string;
      readonly lookedUp?: true;
      readonly result:
        | { kind: 'approved'; amount: Money }
        | { kind: 'declined'; reason: DeclineReason }
        | { kind: 'canceled' };
    }
  | {
      readonly kind: 'refund';
      readonly key: string;
      /** `returned`: it was paid, and the money came back. */
      readonly result: { kind: 'approved' } | { kind: 'declined'; why?: RefundDeclineReason } | { kind: 'returned' };
    }
  /**
   * `key` is the acquirer's reference of the dispute. `moved`: a line of its statement says so, so the amount is what
   * it took or gave back; never said by a message.
   */
  | { readonly kind: 'dispute'; readonly key: string; readonly moved?: true; readonly result: DisputeNews };

/** Resolves when the callback is durable on our side; if it throws, the acquirer retries. */
export type OnCallback = (callback: Callback) => Promise<void>;
