// PaymentIntents: create, change, cancel, search.

import type { Stripe } from 'stripe';
import { amountFault, type Method, takesCurrency } from './amounts.ts';
import type { IntentRow } from './attempt.ts';
import { type ConfirmParams, confirmIntent } from './confirm.ts';
import { InvalidParameter, invalid, missing, wrongState } from './errors.ts';
import { emit } from './events.ts';
import { lettersOf } from './ids.ts';
import { fail, methodNamed } from './methods.ts';
import { scopeName } from './model.ts';
import { metadataOf, newIntent } from './shapes/intent.ts';
import { add, type Context, change, find, newId } from './world.ts';

/** Older versions of the API let the caller choose the methods. */
export type CreateParams = Stripe.PaymentIntentCreateParams & { readonly payment_method_types?: string[] };

const methods: readonly Method[] = ['card', 'blik', 'p24'];
const typesRefusedSince = '2026-09-30';
const onlyWithConfirm = [
  'return_url',
  'off_session',
  'mandate_data',
  'error_on_requires_action',
  'confirmation_token',
  'use_stripe_sdk',
] as const;

export function theIntent(context: Context, id: string): IntentRow {
  return find(context, 'payment_intent', id) ?? fail(missing('payment_intent', id, 'intent'));
}

export function createIntent(context: Context, params: CreateParams): Stripe.PaymentIntent {
  checkCreate(context, params);
  const types = typesOf(context, params);
  if (params.statement_descriptor !== undefined && types.includes('card'))
    throw new InvalidParameter('parameter_invalid', 'statement_descriptor', 'Cards take only a suffix.');
  const id = newId(context, 'pi');
  const intent = newIntent({
    id,
    clientSecret: `${id}_secret_${lettersOf(25, context.seed, 'secret', id)}`,
    created: context.now,
    livemode: context.scope.live,
    params,
  });
  const method = params.payment_method && !params.confirm ? methodNamed(context, params.payment_method) : null;
  const shown: Stripe.PaymentIntent = {
    ...intent,
    payment_method_types: types,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    payment_method: method?.object.id ?? null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
  };
  const row = add(context, 'payment_intent', shown, {
    attempt: 0,
    method: null,
    returnUrl: null,
    link: null,
    offSession: false,

    mandateAccepted: false,
  });
  emit(context, 'payment_intent.created', row.object);
  return params.confirm ? confirmIntent(context, row, params as ConfirmParams) : row.object;
}

function checkCreate(context: Context, params: CreateParams): void {
  const { amount, currency, customer } = params;
  if (!/^[a-z]{3}$/.test(currency)) throw new InvalidParameter('parameter_invalid', 'currency', 'No such currency.');
  const fault = amountFault(amount, currency);
  if (fault) throw new InvalidParameter(fault, 'amount', 'The amount is outside of what is charged.');
  if (customer !== undefined && !find(context, 'customer', customer)) throw missing('customer', customer, 'customer');
  const early = params.confirm ? undefined : onlyWithConfirm.find((name) => params[name] !== undefined);
  if (early) throw new InvalidParameter('parameter_invalid', early, `${early} is only for a confirmation.`);
  const blik = params.payment_method_options?.blik || undefined;
  if (blik?.code !== undefined && !params.confirm)
    throw new InvalidParameter(
      'parameter_invalid',
      'payment_method_options[blik][code]',
      'The code is only for a confirmation.',
    );
}

/** What can pay: of those that were asked for, the ones that fit. */
function typesOf(context: Context, params: CreateParams): string[] {
  const { settings, version } = context;
  const fits = (method: string): boolean =>
    methods.includes(method as Method) &&
    settings[method as Method] &&
    takesCurrency(method as Method, params.currency) &&
    !(method === 'p24' && params.setup_future_usage !== undefined);
  if (params.payment_method_types) {
    if (version.slice(0, typesRefusedSince.length) >= typesRefusedSince)
      throw new InvalidParameter(
        'payment_method_types_no_longer_supported',
        'payment_method_types',
        'Use allowed_payment_method_types.',
      );
    const bad = params.payment_method_types.find((type) => !fits(type));
    if (bad) throw invalid(`This account cannot take ${bad} here.`, { param: 'payment_method_types' });
    return params.payment_method_types;
  }
  if (params.allowed_payment_method_types && params.automatic_payment_methods)
    throw invalid('Either allowed_payment_method_types or automatic_payment_methods.', {
      param: 'allowed_payment_method_types',
    });
  const types = (params.allowed_payment_method_types ?? methods).filter(fits);
  if (types.length === 0)
    throw invalid('No payment method fits this PaymentIntent.', { param: 'allowed_payment_method_types' });
  return types;
}

export function updateIntent(
  context: Context,
  row: IntentRow,
  params: Stripe.PaymentIntentUpdateParams,
): Stripe.PaymentIntent {
  const changeable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
  if (params.amount !== undefined && !changeable.includes(row.object.status)) throw wrongState(row.object, 'changed');
  if (row.object.status === 'canceled') throw wrongState(row.object, 'changed');
  return change(context, 'payment_intent', row, {
    amount: params.amount ?? row.object.amount,
    description: params.description ?? row.object.description,
    metadata: { ...row.object.metadata, ...metadataOf(params.metadata) },
  }).object;
}

const cancelable = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'];

export function cancelIntent(
  context: Context,
  row: IntentRow,
  params: Stripe.PaymentIntentCancelParams,
): Stripe.PaymentIntent {
  if (!cancelable.includes(row.object.status)) throw wrongState(row.object, 'canceled');
  const canceled = change(
    context,
    'payment_intent',
    row,
    {
      status: 'canceled',
      canceled_at: context.now,
      cancellation_reason: params.cancellation_reason ?? null,
      next_action: null,
    },
    { attempt: row.hidden.attempt + 1, link: null },
  );
  emit(context, 'payment_intent.canceled', canceled.object);
  return canceled.object;
}

const clauseShape =
  /^(?:metadata\[["'](?<name>[^"']+)["']\]|(?<field>status|currency|customer)):["'](?<value>[^"']*)["']$/;

/** `metadata['name']:'value'` and some fields, joined by AND. It lags: what changed lately is not found. */
export function searchIntents(context: Context, query: string, limit: number): Stripe.PaymentIntent[] {
  const clauses = query.split(/\s+AND\s+/i).map((text) => clauseShape.exec(text.trim())?.groups);
  const [first, ...others] = clauses;
  if (!first || others.some((one) => !one)) throw new InvalidParameter('parameter_invalid', 'query', 'Cannot be read.');
  const { store, scope, now, settings } = context;
  const path = first.name === undefined ? `$.${first.field}` : `$.metadata."${first.name}"`;
  const before = now - settings.searchLagSeconds;
  const found = store.search('payment_intent', scopeName(scope), { path, value: first.value ?? '', before, limit });
  return found.filter((intent) => others.every((clause) => clause && matches(intent, clause)));
}

function matches(intent: Stripe.PaymentIntent, { name, field, value }: Record<string, string | undefined>): boolean {
  if (name !== undefined) return intent.metadata[name] === value;
  const fields: Readonly<Record<string, unknown>> = {
    status: intent.status,
    currency: intent.currency,
    customer: intent.customer,
  };
  return fields[field ?? ''] === value;
}
