// Endpoints of payment methods, confirmation tokens and customers.

import type { Stripe } from 'stripe';
import { InvalidParameter, missing } from '../errors.ts';
import { emit } from '../events.ts';
import { listOf } from '../lists.ts';
import { addCustomer, addMethod, addToken, attach, detach, fail, type MethodData, methodNamed } from '../methods.ts';
import type { Row } from '../model.ts';
import { metadataOf } from '../shapes/intent.ts';
import { type Context, change, find } from '../world.ts';
import { type Endpoint, endpoint, none, paging } from './endpoint.ts';
import { methodData, types } from './fields.ts';

function theMethod(context: Context, id: string): Row<'payment_method'> {
  return find(context, 'payment_method', id) ?? fail(missing('PaymentMethod', id, 'payment_method'));
}

function theCustomer(context: Context, id: string): Row<'customer'> {
  return find(context, 'customer', id) ?? fail(missing('customer', id, 'id'));
}

const paymentMethods: readonly Endpoint[] = [
  endpoint<Stripe.PaymentMethodCreateParams>(
    'POST /v1/payment_methods',
    'payment_methods',
    { fields: methodData, required: ['type'] },
    (context, params) => addMethod(context, params as MethodData, context.settings).object,
  ),
  endpoint<Stripe.PaymentMethodListParams>(
    'GET /v1/payment_methods',
    'payment_methods',
    { fields: { ...paging, customer: 'text', type: types } },
    (context, params) =>
      listOf(context, 'payment_method', '/v1/payment_methods', params, { first: params.customer, second: params.type }),
  ),
  endpoint<Stripe.PaymentMethodRetrieveParams>(
    'GET /v1/payment_methods/:id',
    'payment_methods',
    none,
    (context, _params, id) => theMethod(context, id).object,
  ),
  endpoint<Stripe.PaymentMethodAttachParams>(
    'POST /v1/payment_methods/:id/attach',
    'payment_methods',
    { fields: { customer: 'text' }, required: ['customer'] },
    (context, { customer = '' }, id) => attach(context, methodNamed(context, id), customer).object,
  ),
  endpoint<Stripe.PaymentMethodDetachParams>(
    'POST /v1/payment_methods/:id/detach',
    'payment_methods',
    none,
    (context, _params, id) => detach(context, theMethod(context, id)).object,
  ),
];

interface TokenParams {
  readonly payment_method?: string;
  readonly payment_method_data?: MethodData;
  readonly return_url?: string;
  readonly setup_future_usage?: 'off_session' | 'on_session';
}

const tokenFields = {
  payment_method: 'text',
  payment_method_data: { fields: methodData },
  return_url: 'text',
  setup_future_usage: { of: ['off_session', 'on_session'] },
} as const;

function createToken(context: Context, params: TokenParams): Stripe.ConfirmationToken {
  const { payment_method: named, payment_method_data: data } = params;
  if (!named && !data) throw new InvalidParameter('parameter_missing', 'payment_method_data', 'Name what pays.');
  const method = data ? addMethod(context, data, { rawCards: true }) : methodNamed(context, named ?? '');
  const order = { returnUrl: params.return_url ?? null, setupFutureUsage: params.setup_future_usage ?? null };
  return addToken(context, { method, ...order }).object;
}

const tokens: readonly Endpoint[] = [
  // What the provider's script in the browser does.
  endpoint<TokenParams>(
    'POST /v1/confirmation_tokens',
    'confirmation_tokens',
    { fields: tokenFields, publishable: true },
    createToken,
  ),
  endpoint<TokenParams>(
    'POST /v1/test_helpers/confirmation_tokens',
    'payment_methods',
    { fields: tokenFields },
    (context, params) => {
      if (context.scope.live) throw missing('test helper', 'confirmation_tokens');
      return createToken(context, params);
    },
  ),
  endpoint<Stripe.ConfirmationTokenRetrieveParams>(
    'GET /v1/confirmation_tokens/:id',
    'confirmation_tokens',
    none,
    (context, _params, id) =>
      (find(context, 'confirmation_token', id) ?? fail(missing('ConfirmationToken', id, 'confirmation_token'))).object,
  ),
];

const customerFields = {
  description: 'text',
  email: 'text',
  metadata: 'metadata',
  name: 'text',
  phone: 'text',
  preferred_locales: { list: 'text' },
} as const;

const customers: readonly Endpoint[] = [
  endpoint<Stripe.CustomerCreateParams>('POST /v1/customers', 'customers', { fields: customerFields }, addCustomer),
  endpoint<Stripe.CustomerListParams>(
    'GET /v1/customers',
    'customers',
    { fields: { ...paging, created: 'range' } },
    (context, params) => listOf(context, 'customer', '/v1/customers', params),
  ),
  endpoint<Stripe.CustomerRetrieveParams>(
    'GET /v1/customers/:id',
    'customers',
    none,
    (context, _params, id) => theCustomer(context, id).object,
  ),
  endpoint<Stripe.CustomerUpdateParams>(
    'POST /v1/customers/:id',
    'customers',
    { fields: customerFields },
    (context, params, id) => {
      const row = theCustomer(context, id);
      const { email, name, description } = params;
      const changed = change(context, 'customer', row, {
        email: email ?? row.object.email,
        name: name || (row.object.name ?? null),
        description: description ?? row.object.description,
        metadata: { ...row.object.metadata, ...metadataOf(params.metadata) },
      });
      emit(context, 'customer.updated', changed.object);
      return changed.object;
    },
  ),
];

export const methodEndpoints = [...paymentMethods, ...tokens, ...customers];
