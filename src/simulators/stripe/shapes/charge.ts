// Charges and payment methods as the API shows them.

import type { Stripe } from 'stripe';
import type { TestCard } from '../cards.ts';

interface NewCharge {
  readonly id: string;
  readonly created: number;
  readonly intent: Stripe.PaymentIntent;
  readonly method: Stripe.PaymentMethod;
  /** Null: paid. */
  readonly failure: { readonly code: string; readonly message: string; readonly decline: string | null } | null;
  readonly balanceTransaction: string | null;
}

export function newCharge({ id, created, intent, method, failure, balanceTransaction }: NewCharge): Stripe.Charge {
  const paid = failure === null;
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: balanceTransaction,
    billing_details: { ...method.billing_details, tax_id: null },
    calculated_statement_descriptor: null,
    captured: paid,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: intent.livemode,
    // Copied once: later changes of the intent's metadata do not reach it.
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(failure?.decline ?? null, paid),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, intent.amount),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

function outcomeOf(reason: string | null, paid: boolean): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: paid ? 'approved_by_network' : 'declined_by_network',
    reason,
    seller_message: paid ? 'Payment complete.' : 'The bank declined.',
    type: paid ? 'authorized' : 'issuer_declined',
  };
}

function detailsOf(method: Stripe.PaymentMethod, amount: number): Stripe.Charge.PaymentMethodDetails {
  if (method.type === 'blik') return { type: 'blik', blik: { buyer_id: method.blik?.buyer_id ?? null } };
  if (method.type === 'p24')
    return { type: 'p24', p24: { bank: method.p24?.bank ?? null, reference: null, verified_name: null } };
  const card = method.card;
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: null,
      brand: card?.brand ?? null,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: card?.country ?? null,
      electronic_commerce_indicator: null,
      exp_month: card?.exp_month ?? 1,
      exp_year: card?.exp_year ?? 2030,
      funding: card?.funding ?? null,
      installments: null,
      last4: card?.last4 ?? null,
      mandate: null,
      network: card?.brand ?? null,
      network_transaction_id: null,
      regulated_status: null,
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}

export interface NewMethod {
  readonly id: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly billing: Stripe.PaymentMethod.BillingDetails;
  readonly metadata: Stripe.Metadata;
}

function baseOf({ id, created, livemode, billing, metadata }: NewMethod) {
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    created,
    customer: null,
    customer_account: null,
    livemode,
    metadata,
  } as const;
}

export function cardMethod(given: NewMethod, card: Stripe.PaymentMethod.Card): Stripe.PaymentMethod {
  return { ...baseOf(given), type: 'card', card };
}

export function blikMethod(given: NewMethod): Stripe.PaymentMethod {
  return { ...baseOf(given), type: 'blik', blik: {} };
}

export function p24Method(given: NewMethod, bank: Stripe.PaymentMethod.P24.Bank | null): Stripe.PaymentMethod {
  return { ...baseOf(given), type: 'p24', p24: { bank } };
}

export function cardOf(card: TestCard, exp_month: number, exp_year: number): Stripe.PaymentMethod.Card {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
    country: 'PL',
    display_brand: card.brand,
    exp_month,
    exp_year,
    fingerprint: `fake${card.last4}`,
    funding: 'credit',
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}
