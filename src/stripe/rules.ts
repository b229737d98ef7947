// What the provider's objects mean, before anything is decided. Pure.

import type { Stripe } from 'stripe';
import type { CardShown, DisputeStage, TokenAnswer } from '../acquirer/index.ts';
import { type Money, money, ulidTime } from '../kernel/index.ts';
import { codeOf, reasonOf, refundWhy } from './declines.ts';
import type { Decline, RefundDecline } from './model.ts';

/**
 * `idle`: no confirmation has arrived. `failed`: the only confirmation was declined; the intent could be confirmed again,
 * which we never do. `strange`: nothing that our requests can lead to.
 */
export type IntentState =
  | { readonly kind: 'approved'; readonly amount: Money }
  | { readonly kind: 'failed'; readonly decline: Decline }
  | { readonly kind: 'waiting'; readonly link: string | null }
  | { readonly kind: 'canceled'; readonly decline: Decline | undefined }
  | { readonly kind: 'idle' }
  | { readonly kind: 'strange'; readonly what: string };

export function readIntent(intent: Stripe.PaymentIntent): IntentState {
  const failure = intent.last_payment_error;
  const decline = failure ? { reason: reasonOf(failure), code: codeOf(failure) } : undefined;
  switch (intent.status) {
    case 'succeeded':
      if (intent.currency !== 'pln') return { kind: 'strange', what: `paid in ${intent.currency}` };
      return { kind: 'approved', amount: money(BigInt(intent.amount_received), 'PLN') };
    case 'requires_payment_method':
    case 'requires_confirmation':
      return decline ? { kind: 'failed', decline } : { kind: 'idle' };
    case 'processing':
      return { kind: 'waiting', link: null };
    case 'requires_action':
      return readAction(intent.next_action);
    case 'canceled':
      return { kind: 'canceled', decline };
    default:
      return { kind: 'strange', what: intent.status };
  }
}

function readAction(action: Stripe.PaymentIntent.NextAction | null): IntentState {
  if (action?.redirect_to_url?.url) return { kind: 'waiting', link: action.redirect_to_url.url };
  // The payer confirms in the app of the bank.
  if (action?.type === 'blik_authorize') return { kind: 'waiting', link: null };
  return { kind: 'strange', what: `requires_action ${action?.type ?? ''}`.trim() };
}

/** What the provider's fields made: of this mode, of a card, and not used. */
export function readToken(token: Stripe.ConfirmationToken, live: boolean): TokenAnswer {
  const card = token.payment_method_preview?.card;
  if (token.livemode !== live || token.payment_intent !== null || token.setup_intent !== null || !card)
    return { kind: 'refused' };
  return { kind: 'found', card: shownOf(card) };
}

const brandNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  visa: 'Visa',
};

function shownOf({
  brand,
  last4,
  exp_month: month,
  exp_year: year,
}: Stripe.ConfirmationToken.PaymentMethodPreview.Card): CardShown {
  const expiry = `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`;
  return { brand: brandNames[brand] ?? 'Card', tail: last4, expiry };
}

/** A card that the provider keeps for charges without the payer, and for whom. */
export interface SavedCard {
  readonly customer: string;
  readonly paymentMethod: string;
}

/** Undefined unless it was paid and its payer let the card be kept. */
export function readSaved(intent: Stripe.PaymentIntent): SavedCard | undefined {
  if (intent.status !== 'succeeded' || intent.setup_future_usage !== 'off_session') return undefined;
  const [customer, paymentMethod] = [idOf(intent.customer), idOf(intent.payment_method)];
  return customer !== undefined && paymentMethod !== undefined ? { customer, paymentMethod } : undefined;
}

function idOf(given: string | { readonly id: string } | null): string | undefined {
  return typeof given === 'string' ? given : given?.id;
}

/** `failed` may also be money that came back: whoever knows what was said before decides that. */
export type RefundState =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly decline: RefundDecline };

export function readRefund({ status, failure_reason: reason }: Stripe.Refund): RefundState {
  if (status === 'succeeded') return { kind: 'succeeded' };
  if (status === 'failed' || status === 'canceled')
    return { kind: 'failed', decline: { why: refundWhy(reason), code: reason ?? status } };
  return { kind: 'waiting' };
}

/** An early warning is no dispute: no money has moved, and none is asked for. */
export function readStage(status: Stripe.Dispute.Status): DisputeStage | undefined {
  if (status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  return status === 'needs_response' || status === 'under_review' ? 'opened' : undefined;
}

/** What the bank shows the payer: two lines in the app. */
const descriptionLength = 70;

/** Undefined for a text without any character, which the provider refuses. */
export function descriptionOf(text: string): string | undefined {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain === '' ? undefined : [...plain].slice(0, descriptionLength).join('').trim();
}

const forgottenMilliseconds = 3_600_000;

/**
 * Whether a key without a row may be one that a restored database has lost: then the provider is searched before anything
 * is sent. The search is up to date for what is older than an hour; what is younger has its idempotency key.
 */
export function mayBeForgotten(key: string, now: Temporal.Instant): boolean {
  const madeAt = ulidTime(key);
  return Number.isNaN(madeAt) || now.epochMilliseconds - madeAt >= forgottenMilliseconds;
}

/** From the least to the most, after those that are canceled. */
const stages = ['idle', 'failed', 'waiting', 'strange', 'approved'];

/** Of several intents with one key, all but one of which were never confirmed: the one that got furthest. */
export function furthest(intents: readonly Stripe.PaymentIntent[]): Stripe.PaymentIntent | undefined {
  const stageOf = (intent: Stripe.PaymentIntent) => stages.indexOf(readIntent(intent).kind);
  return [...intents].sort((one, other) => stageOf(other) - stageOf(one))[0];
}
