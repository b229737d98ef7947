// SetupIntents: saving a card or BLIK without paying.

import type { Stripe } from 'stripe';
import { addMandate } from './attempt.ts';
import { type BlikOutcome, isBlikCode, isImmediate, outcomeOfEmail } from './blik.ts';
import { ApiError, InvalidParameter, invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { lettersOf } from './ids.ts';
import { addMethod, fail, type MethodData, methodNamed, spentMethod, useToken } from './methods.ts';
import type { Row } from './model.ts';
import { newSetup } from './shapes/intent.ts';
import { add, type Context, change, find, newId, plan } from './world.ts';

type SetupRow = Row<'setup_intent'>;

const open = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function theSetup(context: Context, id: string): SetupRow {
  return find(context, 'setup_intent', id) ?? fail(missing('setupintent', id, 'intent'));
}

export function createSetup(context: Context, params: Stripe.SetupIntentCreateParams): Stripe.SetupIntent {
  if (params.customer !== undefined && !find(context, 'customer', params.customer))
    throw missing('customer', params.customer, 'customer');
  const { settings } = context;
  const wanted: readonly string[] = params.allowed_payment_method_types ?? ['card', 'blik'];
  const types = wanted.filter((type) => (type === 'card' && settings.card) || (type === 'blik' && settings.blik));
  if (types.length === 0)
    throw invalid('No payment method fits this SetupIntent.', { param: 'allowed_payment_method_types' });
  const id = newId(context, 'seti');
  const clientSecret = `${id}_secret_${lettersOf(25, context.seed, 'secret', id)}`;
  const { live: livemode } = context.scope;
  const row = add(
    context,
    'setup_intent',
    newSetup({ id, clientSecret, created: context.now, livemode, params, types }),
    { attempt: 0, method: null, returnUrl: null, link: null, offSession: false, mandateAccepted: false },
  );
  emit(context, 'setup_intent.created', row.object);
  return params.confirm ? confirmSetup(context, row, params as Stripe.SetupIntentConfirmParams) : row.object;
}

export function confirmSetup(
  context: Context,
  row: SetupRow,
  params: Stripe.SetupIntentConfirmParams,
): Stripe.SetupIntent {
  if (!open.includes(row.object.status)) throw wrongSetup(row.object);
  const method = methodOf(context, row, params);
  if (!row.object.payment_method_types.includes(method.object.type))
    throw invalid(`This SetupIntent takes no ${method.object.type}.`, { param: 'payment_method' });
  const begun = change(
    context,
    'setup_intent',
    row,
    { payment_method: method.object.id, last_setup_error: null },
    {
      attempt: row.hidden.attempt + 1,
      method: method.object.id,
      returnUrl: params.return_url ?? null,
      mandateAccepted: Boolean(params.mandate_data),
    },
  );
  if (method.object.type === 'blik')
    return confirmBlik(context, begun, method, params.payment_method_options?.blik?.code);
  if (method.hidden.card?.decline) return failNow(context, begun, method, method.hidden.card.decline.decline_code);
  if (method.hidden.card?.authentication && begun.hidden.returnUrl !== null) return sendToPage(context, begun);
  return finish(context, begun).object;
}

function methodOf(context: Context, row: SetupRow, params: Stripe.SetupIntentConfirmParams): Row<'payment_method'> {
  if (params.confirmation_token) {
    const token = useToken(context, params.confirmation_token, row.object.id);
    return find(context, 'payment_method', token.hidden.method) ?? fail(spentMethod());
  }
  if (params.payment_method_data) return addMethod(context, params.payment_method_data as MethodData, context.settings);
  return methodNamed(context, params.payment_method ?? '');
}

function confirmBlik(
  context: Context,
  row: SetupRow,
  method: Row<'payment_method'>,
  code: string | undefined,
): Stripe.SetupIntent {
  if (code === undefined || !isBlikCode(code))
    throw new InvalidParameter(
      code === undefined ? 'parameter_missing' : 'parameter_invalid',
      'payment_method_options[blik][code]',
      'A BLIK code has six digits.',
    );
  const outcome = outcomeOfEmail(method.object.billing_details.email) ?? context.settings.blikOutcome;
  if (isImmediate(outcome)) return failNow(context, row, method, outcome);
  const seconds = context.settings.blikSeconds;
  const action = { kind: 'decide', intent: row.object.id, attempt: row.hidden.attempt, outcome } as const;
  if (seconds !== null) plan(context, seconds, action);
  const next_action: Stripe.SetupIntent.NextAction = { type: 'blik_authorize', blik_authorize: {} };
  return change(context, 'setup_intent', row, { status: 'requires_action', next_action }).object;
}

function sendToPage(context: Context, row: SetupRow): Stripe.SetupIntent {
  const link = lettersOf(40, context.seed, 'link', row.object.id, row.hidden.attempt);
  const url = `${context.pagesUrl}/redirect/${link}`;
  const next_action: Stripe.SetupIntent.NextAction = {
    type: 'redirect_to_url',
    redirect_to_url: { return_url: row.hidden.returnUrl, url },
  };
  return change(context, 'setup_intent', row, { status: 'requires_action', next_action }, { link }).object;
}

function finish(context: Context, row: SetupRow): SetupRow {
  const method = find(context, 'payment_method', row.hidden.method ?? '') ?? fail(spentMethod());
  const isBlik = method.object.type === 'blik';
  const mandate = isBlik ? addMandate(context, method.object.id, row.hidden.mandateAccepted) : null;
  const { customer } = row.object;
  const kept = change(
    context,
    'payment_method',
    method,
    { customer: typeof customer === 'string' ? customer : null },
    { setUp: true, mandate },
  );
  if (customer !== null) emit(context, 'payment_method.attached', kept.object);
  const done = change(
    context,
    'setup_intent',
    row,
    { status: 'succeeded', next_action: null, mandate },
    { link: null },
  );
  emit(context, 'setup_intent.succeeded', done.object);
  return done;
}

/** Does nothing for one that no longer waits. */
export function decideSetup(context: Context, row: SetupRow, outcome: BlikOutcome): Stripe.SetupIntent {
  if (row.object.status !== 'requires_action') return row.object;
  return outcome === 'approve' ? finish(context, row).object : failSetup(context, row, outcome).object;
}

function failSetup(context: Context, row: SetupRow, decline_code: string): SetupRow {
  const failed = change(
    context,
    'setup_intent',
    row,
    {
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_setup_error: { type: 'card_error', code: 'setup_attempt_failed', decline_code, message: 'Not saved.' },
    },
    { link: null },
  );
  emit(context, 'setup_intent.setup_failed', failed.object);
  return failed;
}

function failNow(
  context: Context,
  row: SetupRow,
  { object }: Row<'payment_method'>,
  decline_code = 'generic_decline',
): never {
  const failed = failSetup(context, row, decline_code);
  throw new ApiError(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code,
    message: 'The payment method was declined.',
    setup_intent: failed.object,
    payment_method: object,
  });
}

export function cancelSetup(context: Context, row: SetupRow): Stripe.SetupIntent {
  if (!open.includes(row.object.status)) throw wrongSetup(row.object);
  const canceled = change(context, 'setup_intent', row, { status: 'canceled', next_action: null }, { link: null });
  emit(context, 'setup_intent.canceled', canceled.object);
  return canceled.object;
}

function wrongSetup(setup: Stripe.SetupIntent): ApiError {
  return invalid(`The status of this SetupIntent is ${setup.status}.`, {
    code: 'setup_intent_unexpected_state',
    setup_intent: setup,
  });
}
