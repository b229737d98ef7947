// What the payer pays with, as the provider takes it. Pure; codes, numbers and tokens are revealed only where the request is made.

import type { Stripe } from 'stripe';
import type { CardData, ChargeRequest, DeclineReason } from '../acquirer/index.ts';
import type { Secret } from '../kernel/index.ts';
import type { MethodType } from './table.ts';

type Params = Stripe.PaymentIntentConfirmParams;

export type Confirmation =
  | {
      readonly kind: 'fits';
      readonly method: MethodType;
      /** Whether it is kept at the provider, for charges without the payer. */
      readonly saves?: boolean;
      /** The name of BLIK that is kept. */
      readonly alias?: Secret;
      /** Made when it is sent, because it may have the code. */
      readonly params: () => Params;
    }
  /** With the card of an earlier charge, which is looked up first. */
  | { readonly kind: 'saved'; readonly method: 'card'; readonly chargeKey: string }
  /** With BLIK that was kept under a name, whose charge is looked up first. */
  | { readonly kind: 'alias'; readonly method: 'blik'; readonly value: Secret }
  | { readonly kind: 'refused'; readonly reason: DeclineReason; readonly code: string };

export type Fitting = Extract<Confirmation, { kind: 'fits' }>;

export interface ConfirmationRules {
  /** Whether the account may be sent card numbers. */
  readonly rawCards: boolean;
}

const refused = (reason: DeclineReason, code: string): Confirmation => ({ kind: 'refused', reason, code });

/** How the intent is confirmed; `refused` for what is not offered. */
export function confirmationOf(request: ChargeRequest, { rawCards }: ConfirmationRules): Confirmation {
  const { instrument } = request;
  switch (instrument.kind) {
    case 'blik': {
      const { code, aliases } = instrument;
      // The provider asks for a code of every payer who is there.
      if (code === null) return refused('instrument invalid', 'grosz_blik_alias');
      const alias = aliases.find(({ type }) => type === 'PAYID')?.value;
      if (!alias) return { kind: 'fits', method: 'blik', params: () => blik(code.reveal(), request) };
      return { kind: 'fits', method: 'blik', saves: true, alias, params: () => keptBlik(code.reveal(), request) };
    }
    case 'recurring':
      if (instrument.blik?.model !== 'O') return refused('instrument rejected', 'grosz_recurring_not_offered');
      return { kind: 'alias', method: 'blik', value: instrument.value };
    case 'transfer':
      if (!request.payer?.email) return refused('instrument invalid', 'grosz_payer_email');
      return { kind: 'fits', method: 'p24', params: () => p24(request) };
    case 'fields': {
      const { token, save } = instrument;
      return { kind: 'fits', method: 'card', saves: save, params: () => byToken(token.reveal(), request) };
    }
    case 'saved':
      return { kind: 'saved', method: 'card', chargeKey: instrument.chargeKey };
    case 'card': {
      if (!rawCards) return refused('instrument rejected', 'grosz_card_numbers_off');
      return { kind: 'fits', method: 'card', params: () => byNumber(instrument.card, request) };
    }
    default:
      return refused('instrument rejected', `grosz_${instrument.kind}_not_offered`);
  }
}

/** What is kept at the provider, charged without the payer: who asks for them is declined. */
export function bySaved(paymentMethod: string): Params {
  return { payment_method: paymentMethod, off_session: true };
}

function billingOf({ payer }: ChargeRequest): Stripe.PaymentIntentConfirmParams.PaymentMethodData.BillingDetails {
  return { ...(payer?.email && { email: payer.email }), ...(payer?.name && { name: payer.name }) };
}

function withBilling(request: ChargeRequest) {
  const billing = billingOf(request);
  return Object.keys(billing).length === 0 ? {} : { billing_details: billing };
}

function blik(code: string, request: ChargeRequest): Params {
  return {
    payment_method_data: { type: 'blik', blik: {}, ...withBilling(request) },
    payment_method_options: { blik: { code } },
  };
}

/** The payer agreed at the merchant's, before the code: neither their address nor their browser is known here. */
function keptBlik(code: string, request: ChargeRequest): Params {
  const mandate_data = { customer_acceptance: { type: 'offline', offline: {} } } as const;
  return { ...blik(code, request), mandate_data };
}

function p24(request: ChargeRequest): Params {
  return {
    payment_method_data: { type: 'p24', p24: {}, ...withBilling(request) },
    return_url: request.returnUrl,
  };
}

/** 3-D Secure is at a page of the provider, from which the payer comes back: without the provider's script in ours. */
function byToken(token: string, { returnUrl }: ChargeRequest): Params {
  return { confirmation_token: token, return_url: returnUrl, use_stripe_sdk: false };
}

/** The types of the package have no numbers here, because few accounts may send them. */
function byNumber({ number, expiry, code }: CardData, request: ChargeRequest): Params {
  const [month = '', year = ''] = expiry.reveal().split('/');
  const cvc = code.reveal();
  const card = {
    number: number.reveal(),
    exp_month: Number(month),
    exp_year: 2_000 + Number(year),
    ...(cvc !== '' && { cvc }),
  };
  const payment_method_data = {
    type: 'card',
    card,
    ...withBilling(request),
  } as unknown as Stripe.PaymentIntentConfirmParams.PaymentMethodData;
  if (request.initiator === 'merchant') return { payment_method_data, off_session: true };
  return { payment_method_data, return_url: request.returnUrl, use_stripe_sdk: false };
}
