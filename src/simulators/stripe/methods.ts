// Payment methods, confirmation tokens and customers.

import type { Stripe } from 'stripe';
import { isCardNumber, namedCard, type TestCard, testCard } from './cards.ts';
import { ApiError, InvalidParameter, invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import type { Row } from './model.ts';
import { blikMethod, cardMethod, cardOf, type NewMethod, p24Method } from './shapes/charge.ts';
import { metadataOf } from './shapes/intent.ts';
import { add, type Context, change, find, newId } from './world.ts';

/** What creates a payment method, alone or inside a confirmation. */
export type MethodData = Pick<
  Stripe.PaymentMethodCreateParams,
  'type' | 'card' | 'p24' | 'blik' | 'billing_details' | 'metadata'
>;

type GivenCard = Exclude<Stripe.PaymentMethodCreateParams['card'], undefined>;

const tokenShape = /^tok_(\w+)$/;
const nobody: Stripe.PaymentMethod.BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

function billingOf(given: MethodData['billing_details']): Stripe.PaymentMethod.BillingDetails {
  if (!given) return nobody;
  const { email, name, phone } = given;
  return { ...nobody, email: email || null, name: name || null, phone: phone || null };
}

export interface MethodRules {
  /** Numbers typed into the provider's own fields. */
  readonly rawCards: boolean;
}

export function addMethod(context: Context, data: MethodData, rules: MethodRules): Row<'payment_method'> {
  const given: NewMethod = {
    id: newId(context, 'pm'),
    created: context.now,
    livemode: context.scope.live,
    billing: billingOf(data.billing_details),
    metadata: metadataOf(data.metadata),
  };
  const hidden = { card: null, setUp: false, spent: false, mandate: null };
  if (data.type === 'blik') return add(context, 'payment_method', blikMethod(given), hidden);
  if (data.type === 'p24') return add(context, 'payment_method', p24Method(given, data.p24?.bank ?? null), hidden);
  if (data.type !== 'card' || !data.card)
    throw new InvalidParameter('parameter_missing', 'card', 'A card needs its details.');
  const { card, month, year } = cardFrom(context, data.card, rules);
  return add(context, 'payment_method', cardMethod(given, cardOf(card, month, year)), { ...hidden, card });
}

interface ReadCard {
  readonly card: TestCard;
  readonly month: number;
  readonly year: number;
}

function cardFrom(context: Context, given: GivenCard, rules: MethodRules): ReadCard {
  if ('token' in given) {
    const [, name] = tokenShape.exec(given.token) ?? [];
    const card = context.scope.live ? undefined : namedCard(`pm_card_${name}`);
    if (!card) throw missing('token', given.token, 'card[token]');
    return { card, month: 12, year: yearOf(context) + 4 };
  }
  if (!rules.rawCards)
    throw new ApiError(402, {
      type: 'invalid_request_error',
      message: 'This account may not send card numbers from its server. Use the fields of the provider.',
    });
  const number = String(given.number ?? '').replaceAll(/[ -]/g, '');
  if (!isCardNumber(number)) throw cardError('incorrect_number', 'number');
  const [month, year] = [Number(given.exp_month), Number(given.exp_year)];
  if (!(month >= 1 && month <= 12)) throw cardError('invalid_expiry_month', 'exp_month');
  const fullYear = year < 100 ? 2_000 + year : year;
  if (!(fullYear >= yearOf(context) && fullYear < yearOf(context) + 50))
    throw cardError('invalid_expiry_year', 'exp_year');
  if (given.cvc !== undefined && !/^\d{3,4}$/.test(given.cvc)) throw cardError('invalid_cvc', 'cvc');
  const known = testCard(number);
  const card = known ?? { brand: number.startsWith('5') ? 'mastercard' : 'visa', last4: number.slice(-4), ...notATest };
  return { card, month, year: fullYear };
}

const notATest = { decline: { code: 'card_declined', decline_code: 'test_mode_live_card' } } as const;

function yearOf({ now }: Context): number {
  return Temporal.Instant.fromEpochMilliseconds(now * 1_000).toZonedDateTimeISO('UTC').year;
}

function cardError(code: string, field: string): ApiError {
  return new ApiError(402, { type: 'card_error', code, param: field, message: `The card's ${field} is not right.` });
}

/** By id, or `pm_card_visa` and its like, which make a new one each time. */
export function methodNamed(context: Context, id: string): Row<'payment_method'> {
  const card = context.scope.live ? undefined : namedCard(id);
  if (!card) return find(context, 'payment_method', id) ?? fail(missing('PaymentMethod', id, 'payment_method'));
  const given: NewMethod = {
    id: newId(context, 'pm'),
    created: context.now,
    livemode: false,
    billing: nobody,
    metadata: {},
  };
  const shown = cardMethod(given, cardOf(card, 8, yearOf(context) + 1));
  return add(context, 'payment_method', shown, { card, setUp: false, spent: false, mandate: null });
}

export function attach(context: Context, row: Row<'payment_method'>, customer: string): Row<'payment_method'> {
  if (!find(context, 'customer', customer)) throw missing('customer', customer, 'customer');
  if (row.object.customer === customer) return row;
  if (row.object.customer !== null) throw invalid('This PaymentMethod belongs to another customer.');
  if (row.hidden.spent) throw spentMethod();
  const attached = change(context, 'payment_method', row, { customer });
  emit(context, 'payment_method.attached', attached.object);
  return attached;
}

export function spentMethod(): ApiError {
  return invalid('This PaymentMethod was used without a customer, or was detached, and cannot be used again.');
}

export function detach(context: Context, row: Row<'payment_method'>): Row<'payment_method'> {
  if (row.object.customer === null) throw invalid('This PaymentMethod belongs to no customer.');
  const detached = change(context, 'payment_method', row, { customer: null }, { spent: true });
  emit(context, 'payment_method.detached', detached.object);
  if (row.hidden.mandate) endMandate(context, row.hidden.mandate);
  return detached;
}

export function endMandate(context: Context, id: string): Stripe.Mandate {
  const row = find(context, 'mandate', id) ?? fail(missing('mandate', id));
  const ended = change(context, 'mandate', row, { status: 'inactive' });
  emit(context, 'mandate.updated', ended.object);
  return ended.object;
}

const tokenSeconds = 12 * 3_600;

export interface TokenOrder {
  readonly method: Row<'payment_method'>;
  readonly returnUrl: string | null;
  readonly setupFutureUsage: 'off_session' | 'on_session' | null;
}

export function addToken(context: Context, { method, returnUrl, setupFutureUsage }: TokenOrder) {
  const { billing_details, card, type } = method.object;
  const token: Stripe.ConfirmationToken = {
    id: newId(context, 'ctoken'),
    object: 'confirmation_token',
    created: context.now,
    expires_at: context.now + tokenSeconds,
    livemode: context.scope.live,
    mandate_data: null,
    metadata: null,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: {
      billing_details,
      ...(card && { card }),
      customer: null,
      customer_account: null,
      type,
    },
    return_url: returnUrl,
    setup_future_usage: setupFutureUsage,
    setup_intent: null,
    shipping: null,
    use_stripe_sdk: true,
  };
  return add(context, 'confirmation_token', token, { method: method.object.id, used: false });
}

/** A token serves one confirmation. */
export function useToken(context: Context, id: string, intent: string): Row<'confirmation_token'> {
  const row = find(context, 'confirmation_token', id) ?? fail(missing('ConfirmationToken', id, 'confirmation_token'));
  if (row.hidden.used && row.object.payment_intent !== intent)
    throw invalid('This ConfirmationToken was used before.', { param: 'confirmation_token' });
  if ((row.object.expires_at ?? 0) <= context.now)
    throw invalid('This ConfirmationToken has expired.', { param: 'confirmation_token' });
  const where = intent.startsWith('seti_') ? { setup_intent: intent } : { payment_intent: intent };
  return change(context, 'confirmation_token', row, where, { used: true });
}

export function addCustomer(context: Context, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: newId(context, 'cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: context.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: params.description || null,
    email: params.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: context.scope.live,
    metadata: metadataOf(params.metadata),
    name: params.name || null,
    phone: params.phone || null,
    shipping: null,
  };
  add(context, 'customer', customer, null);
  emit(context, 'customer.created', customer);
  return customer;
}

export function fail(error: Error): never {
  throw error;
}
