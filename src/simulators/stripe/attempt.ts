// What a confirmation leads to: paid, declined, or waiting for the payer. An intent is paid at most once.

import type { Stripe } from 'stripe';
import type { Method } from './amounts.ts';
import { ApiError, type ErrorBody } from './errors.ts';
import { emit } from './events.ts';
import { lettersOf } from './ids.ts';
import { addChargeLine } from './lines.ts';
import type { Row } from './model.ts';
import { newCharge } from './shapes/charge.ts';
import { add, type Context, change, newId, plan } from './world.ts';

export type IntentRow = Row<'payment_intent'>;
export type MethodRow = Row<'payment_method'>;

const asyncSeconds = 1;
const disputeSeconds = 1;

/** Charges of cards and payments by other methods have ids of their own. */
function chargeId(context: Context, method: string): string {
  return newId(context, method === 'card' ? 'ch' : 'py');
}

export function succeed(context: Context, intent: IntentRow, method: MethodRow): IntentRow {
  const kept = keepMethod(context, intent, method);
  const asynchronous = intent.object.capture_method === 'automatic_async';
  const shown = newCharge({
    id: chargeId(context, method.object.type),
    created: context.now,
    intent: intent.object,
    method: kept.object,
    failure: null,
    balanceTransaction: null,
  });
  const charge = add(context, 'charge', shown, {
    method: method.object.type as Method,
    card: method.hidden.card,
  });
  if (asynchronous) plan(context, asyncSeconds, { kind: 'book', charge: shown.id });
  const booked = asynchronous ? charge : book(context, charge);
  const paid = change(
    context,
    'payment_intent',
    intent,
    {
      status: 'succeeded',
      amount_received: intent.object.amount,
      latest_charge: shown.id,
      next_action: null,
      processing: null,
      last_payment_error: null,
      payment_method: kept.object.id,
    },
    { link: null },
  );
  emit(context, 'charge.succeeded', booked.object);
  emit(context, 'payment_intent.succeeded', paid.object);
  if (method.hidden.card?.dispute)
    plan(context, disputeSeconds, { kind: 'dispute', charge: shown.id, reason: method.hidden.card.dispute });
  return paid;
}

/** The charge gets its line of the balance. */
export function book(context: Context, charge: Row<'charge'>): Row<'charge'> {
  const line = addChargeLine(context, charge);
  return change(context, 'charge', charge, { balance_transaction: line.id });
}

/** Saved to the customer for later, or spent. */
function keepMethod(context: Context, { object, hidden }: IntentRow, method: MethodRow): MethodRow {
  const { customer, setup_future_usage: usage } = object;
  const reuse = usage ?? object.payment_method_options?.blik?.setup_future_usage;
  if (method.object.customer !== null) return method;
  if (typeof customer !== 'string' || (reuse !== 'off_session' && reuse !== 'on_session'))
    return change(context, 'payment_method', method, {}, { spent: true });
  const mandate = method.object.type === 'blik' ? addMandate(context, method.object.id, hidden.mandateAccepted) : null;
  const kept = change(context, 'payment_method', method, { customer }, { setUp: true, mandate });
  emit(context, 'payment_method.attached', kept.object);
  return kept;
}

export function addMandate(context: Context, method: string, accepted: boolean): string {
  const mandate: Stripe.Mandate = {
    id: newId(context, 'mandate'),
    object: 'mandate',
    customer_acceptance: {
      accepted_at: accepted ? context.now : null,
      online: { ip_address: null, user_agent: null },
      type: 'online',
    },
    livemode: context.scope.live,
    multi_use: {},
    payment_method: method,
    payment_method_details: { type: 'blik', blik: { expires_at: null, type: 'off_session' } },
    status: 'active',
    type: 'multi_use',
  };
  add(context, 'mandate', mandate, null);
  return mandate.id;
}

export interface Failure {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

/** Back to the beginning: the intent may be confirmed again. */
export function decline(context: Context, intent: IntentRow, method: MethodRow, failure: Failure): IntentRow {
  // A payer who did not authenticate was never charged.
  const charged =
    failure.code !== 'payment_intent_authentication_failure' && failure.code !== 'authentication_required';
  const charge = charged ? addFailedCharge(context, intent, method, failure) : null;
  const declined = change(
    context,
    'payment_intent',
    intent,
    {
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      processing: null,
      latest_charge: charge?.id ?? intent.object.latest_charge,
      last_payment_error: {
        ...errorOf(failure),
        ...(charge && { charge: charge.id }),
        payment_method: method.object,
      },
    },
    { link: null, method: null },
  );
  if (method.object.customer === null) change(context, 'payment_method', method, {}, { spent: true });
  if (charge) emit(context, 'charge.failed', charge);
  emit(context, 'payment_intent.payment_failed', declined.object);
  return declined;
}

function errorOf({ type, code, decline_code, message }: Failure) {
  return { type, code, message, ...(decline_code !== undefined && { decline_code }) };
}

function addFailedCharge(context: Context, intent: IntentRow, method: MethodRow, failure: Failure): Stripe.Charge {
  const { code, message, decline_code = null } = failure;
  const shown = newCharge({
    id: chargeId(context, method.object.type),
    created: context.now,
    intent: intent.object,
    method: method.object,
    failure: { code, message, decline: decline_code },
    balanceTransaction: null,
  });
  return add(context, 'charge', shown, { method: method.object.type as Method, card: method.hidden.card }).object;
}

/** The response to a confirmation that was declined at once. */
export function declinedAnswer({ object }: IntentRow, failure: Failure, status = 402): ApiError {
  const error = object.last_payment_error;
  const body: ErrorBody = {
    ...errorOf(failure),
    ...(error?.charge && { charge: error.charge }),
    ...(error?.payment_method && { payment_method: error.payment_method }),
    payment_intent: object,
  };
  return new ApiError(status, body);
}

/** The payer goes on at a page of the provider, or in the app of the bank. */
export function wait(context: Context, intent: IntentRow, where: 'page' | 'app' | 'script'): IntentRow {
  const link = where === 'page' ? lettersOf(40, context.seed, 'link', intent.object.id, intent.hidden.attempt) : null;
  const waiting = change(
    context,
    'payment_intent',
    intent,
    { status: 'requires_action', next_action: actionOf(context, intent, where, link) },
    { link },
  );
  emit(context, 'payment_intent.requires_action', waiting.object);
  return waiting;
}

function actionOf(
  { pagesUrl }: Context,
  { hidden }: IntentRow,
  where: 'page' | 'app' | 'script',
  link: string | null,
): Stripe.PaymentIntent.NextAction {
  if (where === 'app') return { type: 'blik_authorize', blik_authorize: {} };
  if (where === 'script') return { type: 'use_stripe_sdk', use_stripe_sdk: {} };
  return {
    type: 'redirect_to_url',
    redirect_to_url: { return_url: hidden.returnUrl, url: `${pagesUrl}/redirect/${link}` },
  };
}
