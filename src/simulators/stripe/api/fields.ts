// Parameters that several endpoints share.

import type { Stripe } from 'stripe';
import type { Fields, SpecOf } from '../spec.ts';

type ConfirmData = Stripe.PaymentIntentConfirmParams.PaymentMethodData;
type ConfirmOptions = Stripe.PaymentIntentConfirmParams.PaymentMethodOptions;

const address = { city: 'text', country: 'text', line1: 'text', line2: 'text', postal_code: 'text', state: 'text' };

const billing = {
  fields: { address: { fields: address as Fields }, email: 'text', name: 'text', phone: 'text' },
} as const;

const banks = [
  'alior_bank',
  'bank_millennium',
  'bank_nowy_bfg_sa',
  'bank_pekao_sa',
  'banki_spbdzielcze',
  'blik',
  'bnp_paribas',
  'boz',
  'citi_handlowy',
  'credit_agricole',
  'envelobank',
  'etransfer_pocztowy24',
  'getin_bank',
  'ideabank',
  'ing',
  'inteligo',
  'mbank_mtransfer',
  'nest_przelew',
  'noble_pay',
  'pbac_z_ipko',
  'plus_bank',
  'santander_przelew24',
  'tmobile_usbugi_bankowe',
  'toyota_bank',
  'velobank',
  'volkswagen_bank',
] as const satisfies readonly Stripe.PaymentMethodCreateParams.P24.Bank[];

export const types = { of: ['card', 'blik', 'p24'] } as const;

export const methodData = {
  type: types,
  card: {
    fields: { number: 'text', exp_month: 'integer', exp_year: 'integer', cvc: 'text', token: 'text' },
  },
  blik: { fields: {} },
  p24: { fields: { bank: { of: banks } } },
  billing_details: billing,
  metadata: 'metadata',
  allow_redisplay: { of: ['always', 'limited', 'unspecified'] },
} as const satisfies SpecOf<ConfirmData & Pick<Stripe.PaymentMethodCreateParams, 'card'>> & Fields;

const usage = { of: ['off_session', 'on_session', 'none', ''] } as const;

export const methodOptions = {
  blik: { fields: { code: 'text', setup_future_usage: usage, mandate_options: { fields: {} } } },
  p24: { fields: { tos_shown_and_accepted: 'boolean', setup_future_usage: { of: ['none'] } } },
  card: {
    fields: {
      request_three_d_secure: { of: ['any', 'automatic', 'challenge'] },
      setup_future_usage: usage,
      moto: 'boolean',
      cvc_token: 'text',
    },
  },
} as const satisfies SpecOf<ConfirmOptions> & Fields;

const mandate = {
  fields: {
    customer_acceptance: {
      fields: {
        type: { of: ['online', 'offline'] },
        accepted_at: 'integer',
        offline: { fields: {} },
        online: { fields: { ip_address: 'text', user_agent: 'text' } },
      },
    },
  },
} as const;

/** What a confirmation takes, alone or with the creation. */
export const confirmation = {
  confirmation_token: 'text',
  error_on_requires_action: 'boolean',
  mandate_data: mandate,
  off_session: 'boolean or text',
  payment_method: 'text',
  payment_method_data: { fields: methodData },
  payment_method_options: { fields: methodOptions },
  receipt_email: 'text',
  return_url: 'text',
  setup_future_usage: { of: ['off_session', 'on_session', ''] },
  use_stripe_sdk: 'boolean',
  capture_method: { of: ['automatic', 'automatic_async'] },
} as const satisfies SpecOf<Stripe.PaymentIntentConfirmParams> & Fields;

export const setupConfirmation = {
  confirmation_token: 'text',
  mandate_data: mandate,
  payment_method: 'text',
  payment_method_data: { fields: methodData },
  payment_method_options: {
    fields: {
      blik: { fields: { code: 'text', mandate_options: { fields: {} } } },
      card: { fields: { request_three_d_secure: { of: ['any', 'automatic', 'challenge'] } } },
    },
  },
  return_url: 'text',
  use_stripe_sdk: 'boolean',
} as const satisfies SpecOf<Stripe.SetupIntentConfirmParams> & Fields;
