// PaymentIntents and SetupIntents as the API shows them when they are new.

import type { Stripe } from 'stripe';

interface NewIntent {
  readonly id: string;
  readonly clientSecret: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly params: Stripe.PaymentIntentCreateParams;
}

export function newIntent({ id, clientSecret, created, livemode, params }: NewIntent): Stripe.PaymentIntent {
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: params.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.capture_method ?? 'automatic_async',
    client_secret: clientSecret,
    confirmation_method: 'automatic',
    created,
    currency: params.currency,
    customer: params.customer ?? null,
    customer_account: null,
    description: params.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode,
    managed_payments: null,
    metadata: metadataOf(params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [],
    payment_record: null,
    processing: null,
    receipt_email: params.receipt_email ?? null,
    review: null,
    setup_future_usage: params.setup_future_usage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

interface NewSetup extends Omit<NewIntent, 'params'> {
  readonly params: Stripe.SetupIntentCreateParams;
  readonly types: string[];
}

export function newSetup({ id, clientSecret, created, livemode, params, types }: NewSetup): Stripe.SetupIntent {
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: clientSecret,
    created,
    customer: params.customer ?? null,
    description: params.description ?? null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode,
    mandate: null,
    metadata: metadataOf(params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: types,
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: params.usage ?? 'off_session',
  };
}

export function metadataOf(given: Stripe.Emptyable<Stripe.MetadataParam> | null | undefined): Stripe.Metadata {
  if (!given) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)]])),
  );
}
