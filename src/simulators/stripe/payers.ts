// What payers do: in the app of their bank, and on the pages of the provider.

import type { Stripe } from 'stripe';
import { decline, type Failure, type IntentRow, succeed } from './attempt.ts';
import type { BlikOutcome } from './blik.ts';
import { blikFailure, cardFailure } from './confirm.ts';
import { fail, spentMethod } from './methods.ts';
import type { Row } from './model.ts';
import { type Context, find } from './world.ts';

const unauthenticated: Failure = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message: 'The payer did not authenticate.',
};
const refusedAtBank: Failure = {
  type: 'invalid_request_error',
  code: 'payment_intent_payment_attempt_failed',
  message: 'The payer did not pay at the bank.',
};

function isWaiting({ object }: IntentRow): boolean {
  return object.status === 'requires_action' || object.status === 'processing';
}

function methodOf(context: Context, { hidden }: IntentRow): Row<'payment_method'> {
  return find(context, 'payment_method', hidden.method ?? '') ?? fail(spentMethod());
}

/** Does nothing for an intent that no longer waits. */
export function decideBlik(context: Context, intent: IntentRow, outcome: BlikOutcome): Stripe.PaymentIntent {
  if (!isWaiting(intent)) return intent.object;
  const method = methodOf(context, intent);
  if (outcome === 'approve') return succeed(context, intent, method).object;
  return decline(context, intent, method, blikFailure(context, outcome)).object;
}

/** On the page of 3-D Secure or of Przelewy24; also for those who never come back. */
export function decidePage(context: Context, intent: IntentRow, approves: boolean): Stripe.PaymentIntent {
  if (!isWaiting(intent)) return intent.object;
  const method = methodOf(context, intent);
  if (!approves) {
    const failure = method.object.type === 'card' ? unauthenticated : refusedAtBank;
    return decline(context, intent, method, failure).object;
  }
  const late = method.hidden.card?.declineAfterwards;
  if (late) return decline(context, intent, method, cardFailure(late)).object;
  return succeed(context, intent, method).object;
}

/** Whatever the intent waits for. */
export function decide(context: Context, intent: IntentRow, outcome: BlikOutcome): Stripe.PaymentIntent {
  return intent.object.next_action?.type === 'blik_authorize' || intent.object.status === 'processing'
    ? decideBlik(context, intent, outcome)
    : decidePage(context, intent, outcome === 'approve');
}
