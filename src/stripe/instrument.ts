// What the payer pays with, as the provider takes it. Pure; the code is revealed only where the request is made.

import type { Stripe } from 'stripe';
import type { ChargeRequest, DeclineReason } from '../acquirer/index.ts';
import type { MethodType } from './table.ts';

export type Confirmation =
  | {
      readonly kind: 'fits';
      readonly method: MethodType;
      /** Made when it is sent, because it may have the code. */
      readonly params: () => Stripe.PaymentIntentConfirmParams;
    }
  | { readonly kind: 'refused'; readonly reason: DeclineReason; readonly code: string };

const refused = (reason: DeclineReason, code: string): Confirmation => ({ kind: 'refused', reason, code });

/** How the intent is confirmed; `refused` for what is not offered. */
export function confirmationOf(request: ChargeRequest): Confirmation {
  const { instrument } = request;
  if (instrument.kind === 'blik') {
    const { code } = instrument;
    // Names for later payments without a code are not known to the provider.
    if (code === null) return refused('instrument invalid', 'grosz_blik_alias');
    return { kind: 'fits', method: 'blik', params: () => blik(code.reveal(), request) };
  }
  if (instrument.kind === 'transfer') {
    if (!request.payer?.email) return refused('instrument invalid', 'grosz_payer_email');
    return { kind: 'fits', method: 'p24', params: () => p24(request) };
  }
  return refused('instrument rejected', `grosz_${instrument.kind}_not_offered`);
}

function billingOf({ payer }: ChargeRequest): Stripe.PaymentIntentConfirmParams.PaymentMethodData.BillingDetails {
  return { ...(payer?.email && { email: payer.email }), ...(payer?.name && { name: payer.name }) };
}

function withBilling(request: ChargeRequest) {
  const billing = billingOf(request);
  return Object.keys(billing).length === 0 ? {} : { billing_details: billing };
}

function blik(code: string, request: ChargeRequest): Stripe.PaymentIntentConfirmParams {
  return {
    payment_method_data: { type: 'blik', blik: {}, ...withBilling(request) },
    payment_method_options: { blik: { code } },
  };
}

function p24(request: ChargeRequest): Stripe.PaymentIntentConfirmParams {
  return {
    payment_method_data: { type: 'p24', p24: {}, ...withBilling(request) },
    return_url: request.returnUrl,
  };
}
