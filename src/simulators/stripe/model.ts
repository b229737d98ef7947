// What the fake keeps. Objects are those of the official SDK's types, with ids where the API may expand; what the API never
// shows is hidden beside them.

import type { Stripe } from 'stripe';
import type { Method } from './amounts.ts';
import type { BlikOutcome } from './blik.ts';
import type { TestCard } from './cards.ts';

export interface Objects {
  readonly payment_intent: Stripe.PaymentIntent;
  readonly setup_intent: Stripe.SetupIntent;
  readonly payment_method: Stripe.PaymentMethod;
  readonly confirmation_token: Stripe.ConfirmationToken;
  readonly customer: Stripe.Customer;
  readonly mandate: Stripe.Mandate;
  readonly charge: Stripe.Charge;
  readonly refund: Stripe.Refund;
  readonly dispute: Stripe.Dispute;
  readonly payout: Stripe.Payout;
  readonly balance_transaction: Stripe.BalanceTransaction;
  readonly event: Stripe.Event;
}

export type ObjectKind = keyof Objects;

export interface IntentHidden {
  /** Counts confirmations: what is due for an earlier one no longer happens. */
  readonly attempt: number;
  /** What the payer tries to pay with; the intent shows it until a decline. */
  readonly method: string | null;
  readonly returnUrl: string | null;
  /** The page where the payer approves or refuses. */
  readonly link: string | null;
  readonly offSession: boolean;
  readonly mandateAccepted: boolean;
}

export interface MethodHidden {
  readonly card: TestCard | null;
  /** Saved after the payer had authenticated. */
  readonly setUp: boolean;
  /** Used without a customer: it cannot be used again. */
  readonly spent: boolean;
  readonly mandate: string | null;
}

export interface TokenHidden {
  readonly method: string;
  readonly used: boolean;
}

export interface ChargeHidden {
  readonly method: Method;
  readonly card: TestCard | null;
}

export interface BalanceHidden {
  readonly payout: string | null;
}

interface Hiddens {
  readonly payment_intent: IntentHidden;
  readonly setup_intent: IntentHidden;
  readonly payment_method: MethodHidden;
  readonly confirmation_token: TokenHidden;
  readonly charge: ChargeHidden;
  readonly balance_transaction: BalanceHidden;
}

export type HiddenOf<Kind extends ObjectKind> = Kind extends keyof Hiddens ? Hiddens[Kind] : null;

export interface Row<Kind extends ObjectKind> {
  readonly object: Objects[Kind];
  readonly hidden: HiddenOf<Kind>;
}

/** Whose objects they are: an account has separate ones for test and live mode. */
export interface Scope {
  readonly account: string;
  readonly live: boolean;
}

/** What happens by itself at a time. */
export type DueAction =
  | { readonly kind: 'decide'; readonly intent: string; readonly attempt: number; readonly outcome: BlikOutcome }
  | { readonly kind: 'abandon'; readonly intent: string; readonly attempt: number }
  | { readonly kind: 'book'; readonly charge: string }
  | { readonly kind: 'refund succeeds'; readonly refund: string }
  | { readonly kind: 'refund fails'; readonly refund: string }
  | { readonly kind: 'dispute'; readonly charge: string; readonly reason: string }
  | { readonly kind: 'payout arrives'; readonly payout: string }
  | { readonly kind: 'pay out'; readonly automatic: true };

export function scopeName({ account, live }: Scope): string {
  return `${account}/${live ? 'live' : 'test'}`;
}

export function scopeNamed(name: string): Scope {
  const [account = '', mode] = name.split('/');
  return { account, live: mode === 'live' };
}
