// Confirming a PaymentIntent: which method, whether it may be used, and what it leads to.

import type { Stripe } from 'stripe';
import { decline, declinedAnswer, type Failure, type IntentRow, type MethodRow, succeed, wait } from './attempt.ts';
import {
  type BlikOutcome,
  blikError,
  blikSeconds,
  isBlikCode,
  isImmediate,
  outcomeOfEmail,
  recurringMinorAtMost,
  secondsUntil,
} from './blik.ts';
import { type CardDecline, type TestCard, testCardInLiveMode } from './cards.ts';
import { InvalidParameter, invalid, missing, wrongState } from './errors.ts';
import { addMethod, fail, type MethodData, methodNamed, spentMethod, useToken } from './methods.ts';
import { type Context, change, find, plan } from './world.ts';

export type ConfirmParams = Stripe.PaymentIntentConfirmParams;

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function confirmIntent(context: Context, row: IntentRow, params: ConfirmParams): Stripe.PaymentIntent {
  if (!confirmable.includes(row.object.status)) throw wrongState(row.object, 'confirmed');
  const { method, returnUrl, usage } = methodFor(context, row, params);
  checkMethod(context, row.object, method);
  checkMandate(row.object, method, params, usage);
  const blik = params.payment_method_options?.blik || undefined;
  const intent = change(
    context,
    'payment_intent',
    row,
    {
      payment_method: method.object.id,
      last_payment_error: null,
      next_action: null,
      setup_future_usage: usage ?? row.object.setup_future_usage,
      receipt_email: params.receipt_email || row.object.receipt_email,
      payment_method_options: optionsOf(method.object.type, blik?.setup_future_usage || undefined),
    },
    {
      attempt: row.hidden.attempt + 1,
      method: method.object.id,
      returnUrl,
      link: null,
      offSession: params.off_session !== undefined && params.off_session !== false,
      mandateAccepted: Boolean(params.mandate_data),
    },
  );
  if (method.object.type === 'blik') return confirmBlik(context, intent, method, blik?.code);
  if (method.object.type === 'p24') return confirmP24(context, intent, method);
  return confirmCard(context, intent, method, params);
}

interface Chosen {
  readonly method: MethodRow;
  readonly returnUrl: string | null;
  readonly usage: Stripe.PaymentIntent.SetupFutureUsage | null;
}

function methodFor(context: Context, row: IntentRow, params: ConfirmParams): Chosen {
  const usage = params.setup_future_usage || null;
  const returnUrl = params.return_url ?? null;
  if ([params.confirmation_token, params.payment_method, params.payment_method_data].filter(Boolean).length > 1)
    throw invalid('Name the payment method once.', { param: 'payment_method' });
  if (params.confirmation_token) {
    const token = useToken(context, params.confirmation_token, row.object.id);
    const method = find(context, 'payment_method', token.hidden.method) ?? fail(spentMethod());
    const wished = token.object.setup_future_usage;
    return { method, returnUrl: returnUrl ?? token.object.return_url, usage: usage ?? wished };
  }
  if (params.payment_method_data) {
    const method = addMethod(context, params.payment_method_data as MethodData, context.settings);
    return { method, returnUrl, usage };
  }
  const named = params.payment_method ?? row.object.payment_method;
  if (typeof named !== 'string')
    throw invalid('The PaymentIntent has no payment method.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: row.object,
    });
  return { method: methodNamed(context, named), returnUrl, usage };
}

function checkMethod(context: Context, intent: Stripe.PaymentIntent, { object, hidden }: MethodRow): void {
  if (!intent.payment_method_types.includes(object.type))
    throw invalid(`This PaymentIntent takes no ${object.type}.`, {
      code: 'payment_intent_incompatible_payment_method',
      param: 'payment_method',
    });
  if (hidden.spent) throw spentMethod();
  if (object.customer !== null && object.customer !== intent.customer)
    throw invalid('This PaymentMethod belongs to a customer: name that customer on the PaymentIntent.', {
      param: 'payment_method',
    });
  if (typeof intent.customer === 'string' && !find(context, 'customer', intent.customer))
    throw missing('customer', intent.customer, 'customer');
}

/** An agreement for later is accepted only where there is something to agree to. */
function checkMandate(
  intent: Stripe.PaymentIntent,
  { object }: MethodRow,
  params: ConfirmParams,
  usage: Chosen['usage'],
): void {
  if (object.type !== 'blik') return;
  const options = params.payment_method_options?.blik || undefined;
  const later = options?.setup_future_usage || usage || intent.setup_future_usage;
  if (params.mandate_data && later !== 'off_session')
    throw invalid('A mandate needs setup_future_usage=off_session.', { param: 'mandate_data' });
  if (later === 'off_session' && intent.customer === null)
    throw invalid('Saving BLIK needs a customer.', { param: 'customer' });
}

function optionsOf(
  type: string,
  blikUsage: Stripe.PaymentIntent.PaymentMethodOptions.Blik.SetupFutureUsage | undefined,
): Stripe.PaymentIntent.PaymentMethodOptions {
  if (type === 'blik') return { blik: blikUsage ? { setup_future_usage: blikUsage } : {} };
  if (type === 'p24') return { p24: {} };
  return { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' } };
}

function confirmCard(
  context: Context,
  intent: IntentRow,
  method: MethodRow,
  params: ConfirmParams,
): Stripe.PaymentIntent {
  const card = method.hidden.card ?? fail(spentMethod());
  const refused = declineOf(context, card);
  if (refused) return declineNow(context, intent, method, cardFailure(refused));
  const asks = card.authentication === 'always' || (card.authentication === 'unless set up' && !method.hidden.setUp);
  if (!asks) return succeed(context, intent, method).object;
  if (intent.hidden.offSession || params.error_on_requires_action)
    return declineNow(context, intent, method, authenticationRequired);
  const where = intent.hidden.returnUrl !== null && params.use_stripe_sdk !== true ? 'page' : 'script';
  planAbandon(context, intent);
  return wait(context, intent, where).object;
}

function declineOf({ scope }: Context, card: TestCard): CardDecline | undefined {
  const isReal = card.decline?.decline_code === 'test_mode_live_card';
  if (!scope.live) return card.decline;
  return isReal ? undefined : testCardInLiveMode;
}

export function cardFailure({ code, decline_code }: CardDecline): Failure {
  return { type: 'card_error', code, ...(decline_code && { decline_code }), message: 'The card was declined.' };
}

const authenticationRequired: Failure = {
  type: 'card_error',
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'The bank asks for the authentication of the payer.',
};

function declineNow(context: Context, intent: IntentRow, method: MethodRow, failure: Failure, status = 402): never {
  throw declinedAnswer(decline(context, intent, method, failure), failure, status);
}

function planAbandon(context: Context, { object, hidden }: IntentRow): void {
  const action = { kind: 'abandon', intent: object.id, attempt: hidden.attempt } as const;
  plan(context, context.settings.abandonedSeconds, action);
}

function confirmP24(context: Context, intent: IntentRow, method: MethodRow): Stripe.PaymentIntent {
  if (method.object.billing_details.email === null)
    throw new InvalidParameter(
      'parameter_missing',
      'billing_details[email]',
      'Przelewy24 needs the email of the payer.',
    );
  if (intent.hidden.returnUrl === null)
    throw new InvalidParameter('parameter_missing', 'return_url', 'The payer must be able to return: return_url.');
  planAbandon(context, intent);
  return wait(context, intent, 'page').object;
}

function confirmBlik(
  context: Context,
  intent: IntentRow,
  method: MethodRow,
  code: string | undefined,
): Stripe.PaymentIntent {
  if (intent.hidden.offSession) return chargeMandate(context, intent, method);
  const param = 'payment_method_options[blik][code]';
  if (code === undefined) throw new InvalidParameter('parameter_missing', param, 'BLIK needs the code of the payer.');
  if (!isBlikCode(code)) throw new InvalidParameter('parameter_invalid', param, 'A BLIK code has six digits.');
  const asked = outcomeOfEmail(method.object.billing_details.email);
  const outcome = asked ?? context.settings.blikOutcome;
  if (isImmediate(outcome)) {
    const failure = blikFailure(context, outcome);
    return declineNow(context, intent, method, failure, context.settings.blikWrongCodeStatus);
  }
  planBlik(context, intent, outcome, asked === undefined ? context.settings.blikSeconds : secondsUntil(asked));
  return wait(context, intent, 'app').object;
}

/** Without a time a person decides, within the time that BLIK gives them. */
function planBlik(context: Context, { object, hidden }: IntentRow, outcome: BlikOutcome, seconds: number | null): void {
  const inTime = seconds !== null && (seconds <= blikSeconds || context.settings.blikLate);
  if (seconds === null && context.settings.blikLate) return;
  const decided = inTime ? outcome : 'customer_timeout';
  const action = { kind: 'decide', intent: object.id, attempt: hidden.attempt, outcome: decided } as const;
  plan(context, inTime ? seconds : blikSeconds, action);
}

/** A charge without the payer, by the agreement that they gave before. */
function chargeMandate(context: Context, intent: IntentRow, method: MethodRow): Stripe.PaymentIntent {
  const mandate = method.hidden.mandate === null ? undefined : find(context, 'mandate', method.hidden.mandate);
  if (mandate?.object.status !== 'active')
    throw invalid('There is no active mandate for this payment method.', {
      code: 'payment_intent_mandate_invalid',
      payment_intent: intent.object,
    });
  const { blikOutcome, blikRecurringSeconds: seconds } = context.settings;
  const outcome = intent.object.amount > recurringMinorAtMost ? 'limit_exceeded' : blikOutcome;
  if (seconds !== null) {
    const action = { kind: 'decide', intent: intent.object.id, attempt: intent.hidden.attempt, outcome } as const;
    plan(context, seconds, action);
    return change(context, 'payment_intent', intent, { status: 'processing' }).object;
  }
  if (outcome === 'approve') return succeed(context, intent, method).object;
  return declineNow(context, intent, method, blikFailure(context, outcome));
}

export function blikFailure({ version }: Context, outcome: Exclude<BlikOutcome, 'approve'>): Failure {
  return { ...blikError(outcome, version), message: `BLIK: ${outcome.replaceAll('_', ' ')}.` };
}
