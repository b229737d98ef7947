// Endpoints of PaymentIntents and SetupIntents.

import type { Stripe } from 'stripe';
import { confirmIntent } from '../confirm.ts';
import { missing } from '../errors.ts';
import { type CreateParams, cancelIntent, createIntent, searchIntents, theIntent, updateIntent } from '../intents.ts';
import { limitOf, listOf } from '../lists.ts';
import { fail } from '../methods.ts';
import { cancelSetup, confirmSetup, createSetup, theSetup } from '../setups.ts';
import { find } from '../world.ts';
import { type Endpoint, endpoint, none, paging } from './endpoint.ts';
import { confirmation, setupConfirmation, types } from './fields.ts';

const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

const creation = {
  amount: 'integer',
  currency: 'text',
  allowed_payment_method_types: { list: types },
  automatic_payment_methods: { fields: { enabled: 'boolean', allow_redirects: { of: ['always', 'never'] } } },
  confirm: 'boolean',
  customer: 'text',
  description: 'text',
  metadata: 'metadata',
  payment_method_types: { list: types },
  statement_descriptor: 'text',
  statement_descriptor_suffix: 'text',
} as const;

const paymentIntents: readonly Endpoint[] = [
  endpoint<CreateParams>(
    'POST /v1/payment_intents',
    'payment_intents',
    { fields: { ...confirmation, ...creation }, required: ['amount', 'currency'] },
    (context, params) => createIntent(context, params),
  ),
  endpoint<Stripe.PaymentIntentListParams>(
    'GET /v1/payment_intents',
    'payment_intents',
    { fields: { ...paging, created: 'range', customer: 'text' } },
    (context, params) => listOf(context, 'payment_intent', '/v1/payment_intents', params, { first: params.customer }),
  ),
  endpoint<Stripe.PaymentIntentSearchParams>(
    'GET /v1/payment_intents/search',
    'payment_intents',
    { fields: { query: 'text', limit: 'integer', page: 'text' }, required: ['query'] },
    (context, { query, limit }) => ({
      object: 'search_result',
      data: searchIntents(context, query, limitOf(limit)),
      has_more: false,
      next_page: null,
      url: '/v1/payment_intents/search',
    }),
  ),
  endpoint<Stripe.PaymentIntentRetrieveParams>(
    'GET /v1/payment_intents/:id',
    'payment_intents',
    { fields: { client_secret: 'text' }, publishable: true },
    (context, { client_secret: secret }, id) => {
      const { object } = theIntent(context, id);
      if (secret !== undefined && secret !== object.client_secret) throw missing('payment_intent', id, 'intent');
      return object;
    },
  ),
  endpoint<Stripe.PaymentIntentUpdateParams>(
    'POST /v1/payment_intents/:id',
    'payment_intents',
    { fields: { amount: 'integer', description: 'text', metadata: 'metadata' } },
    (context, params, id) => updateIntent(context, theIntent(context, id), params),
  ),
  endpoint<Stripe.PaymentIntentConfirmParams>(
    'POST /v1/payment_intents/:id/confirm',
    'payment_intents',
    { fields: confirmation },
    (context, params, id) => confirmIntent(context, theIntent(context, id), params),
  ),
  endpoint<Stripe.PaymentIntentCancelParams>(
    'POST /v1/payment_intents/:id/cancel',
    'payment_intents',
    { fields: { cancellation_reason: { of: reasons } } },
    (context, params, id) => cancelIntent(context, theIntent(context, id), params),
  ),
];

const setupCreation = {
  allowed_payment_method_types: { list: types },
  automatic_payment_methods: { fields: { enabled: 'boolean', allow_redirects: { of: ['always', 'never'] } } },
  confirm: 'boolean',
  customer: 'text',
  description: 'text',
  metadata: 'metadata',
  usage: { of: ['off_session', 'on_session'] },
} as const;

const setupIntents: readonly Endpoint[] = [
  endpoint<Stripe.SetupIntentCreateParams>(
    'POST /v1/setup_intents',
    'setup_intents',
    { fields: { ...setupConfirmation, ...setupCreation } },
    (context, params) => createSetup(context, params),
  ),
  endpoint<Stripe.SetupIntentRetrieveParams>(
    'GET /v1/setup_intents/:id',
    'setup_intents',
    { fields: { client_secret: 'text' } },
    (context, _params, id) => theSetup(context, id).object,
  ),
  endpoint<Stripe.SetupIntentConfirmParams>(
    'POST /v1/setup_intents/:id/confirm',
    'setup_intents',
    { fields: setupConfirmation },
    (context, params, id) => confirmSetup(context, theSetup(context, id), params),
  ),
  endpoint<Stripe.SetupIntentCancelParams>(
    'POST /v1/setup_intents/:id/cancel',
    'setup_intents',
    { fields: { cancellation_reason: { of: ['abandoned', 'duplicate', 'requested_by_customer'] } } },
    (context, _params, id) => cancelSetup(context, theSetup(context, id)),
  ),
  endpoint<Stripe.MandateRetrieveParams>(
    'GET /v1/mandates/:id',
    'mandates',
    none,
    (context, _params, id) => (find(context, 'mandate', id) ?? fail(missing('mandate', id, 'mandate'))).object,
  ),
];

export const intentEndpoints = [...paymentIntents, ...setupIntents];
