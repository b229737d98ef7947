// Endpoints of charges, refunds, disputes, payouts, the balance, events and the account.

import type { Stripe } from 'stripe';
import { theDispute } from '../disputes.ts';
import { missing } from '../errors.ts';
import { balanceOf } from '../lines.ts';
import { listOf } from '../lists.ts';
import { fail } from '../methods.ts';
import { thePayout } from '../payouts.ts';
import { cancelRefund, createRefund, theCharge, theRefund } from '../refunds.ts';
import { metadataOf } from '../shapes/intent.ts';
import { type Context, change, find } from '../world.ts';
import { type Endpoint, endpoint, none, paging } from './endpoint.ts';

const charges: readonly Endpoint[] = [
  endpoint<Stripe.ChargeListParams>(
    'GET /v1/charges',
    'charges',
    { fields: { ...paging, created: 'range', payment_intent: 'text', customer: 'text' } },
    (context, params) =>
      listOf(context, 'charge', '/v1/charges', params, { first: params.payment_intent, second: params.customer }),
  ),
  endpoint<Stripe.ChargeRetrieveParams>(
    'GET /v1/charges/:id',
    'charges',
    none,
    (context, _params, id) => theCharge(context, id).object,
  ),
];

const refunds: readonly Endpoint[] = [
  endpoint<Stripe.RefundCreateParams>(
    'POST /v1/refunds',
    'charges',
    {
      fields: {
        amount: 'integer',
        charge: 'text',
        metadata: 'metadata',
        payment_intent: 'text',
        reason: { of: ['duplicate', 'fraudulent', 'requested_by_customer'] },
      },
    },
    createRefund,
  ),
  endpoint<Stripe.RefundListParams>(
    'GET /v1/refunds',
    'charges',
    { fields: { ...paging, created: 'range', charge: 'text', payment_intent: 'text' } },
    (context, params) =>
      listOf(context, 'refund', '/v1/refunds', params, { first: params.payment_intent, second: params.charge }),
  ),
  endpoint<Stripe.RefundRetrieveParams>(
    'GET /v1/refunds/:id',
    'charges',
    none,
    (context, _params, id) => theRefund(context, id).object,
  ),
  endpoint<Stripe.RefundUpdateParams>(
    'POST /v1/refunds/:id',
    'charges',
    { fields: { metadata: 'metadata' } },
    (context, { metadata }, id) => {
      const row = theRefund(context, id);
      return change(context, 'refund', row, { metadata: { ...row.object.metadata, ...metadataOf(metadata) } }).object;
    },
  ),
  endpoint<Stripe.RefundCancelParams>('POST /v1/refunds/:id/cancel', 'charges', none, (context, _params, id) =>
    cancelRefund(context, theRefund(context, id)),
  ),
];

const balance: readonly Endpoint[] = [
  endpoint<Stripe.BalanceRetrieveParams>('GET /v1/balance', 'balance', none, balanceOf),
  endpoint<Stripe.BalanceTransactionListParams>(
    'GET /v1/balance_transactions',
    'balance',
    { fields: { ...paging, created: 'range', currency: 'text', payout: 'text', type: 'text' } },
    (context, params) =>
      listOf(context, 'balance_transaction', '/v1/balance_transactions', params, {
        first: params.payout,
        second: params.type,
      }),
  ),
  endpoint<Stripe.BalanceTransactionRetrieveParams>(
    'GET /v1/balance_transactions/:id',
    'balance',
    none,
    (context, _params, id) =>
      (find(context, 'balance_transaction', id) ?? fail(missing('balance transaction', id))).object,
  ),
  endpoint<Stripe.PayoutListParams>(
    'GET /v1/payouts',
    'payouts',
    { fields: { ...paging, created: 'range', status: 'text' } },
    (context, params) => listOf(context, 'payout', '/v1/payouts', params, { first: params.status }),
  ),
  endpoint<Stripe.PayoutRetrieveParams>(
    'GET /v1/payouts/:id',
    'payouts',
    none,
    (context, _params, id) => thePayout(context, id).object,
  ),
];

const others: readonly Endpoint[] = [
  endpoint<Stripe.DisputeListParams>(
    'GET /v1/disputes',
    'disputes',
    { fields: { ...paging, created: 'range', charge: 'text', payment_intent: 'text' } },
    (context, params) =>
      listOf(context, 'dispute', '/v1/disputes', params, { first: params.payment_intent, second: params.charge }),
  ),
  endpoint<Stripe.DisputeRetrieveParams>(
    'GET /v1/disputes/:id',
    'disputes',
    none,
    (context, _params, id) => theDispute(context, id).object,
  ),
  endpoint<Stripe.EventListParams>(
    'GET /v1/events',
    'events',
    { fields: { ...paging, created: 'range', type: 'text' } },
    (context, params) => listOf(context, 'event', '/v1/events', params, { second: params.type }),
  ),
  endpoint<Stripe.EventRetrieveParams>(
    'GET /v1/events/:id',
    'events',
    none,
    (context, _params, id) => (find(context, 'event', id) ?? fail(missing('event', id))).object,
  ),
  endpoint<Stripe.AccountRetrieveCurrentParams>('GET /v1/account', 'account', none, accountOf),
  endpoint<Stripe.AccountRetrieveParams>('GET /v1/accounts/:id', 'account', none, (context, _params, id) =>
    id === context.scope.account ? accountOf(context) : fail(missing('account', id)),
  ),
];

function accountOf({ scope, settings }: Context): Stripe.Account {
  const can = (on: boolean) => (on ? 'active' : 'inactive');
  return {
    id: scope.account,
    object: 'account',
    business_type: 'company',
    capabilities: {
      blik_payments: can(settings.blik),
      blik_recurring_payments: can(settings.blik),
      card_payments: can(settings.card),
      p24_payments: can(settings.p24),
      transfers: 'active',
    },
    charges_enabled: true,
    country: 'PL',
    created: 1_700_000_000,
    default_currency: settings.currency,
    details_submitted: true,
    email: 'owner@example.com',
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  };
}

export const moneyEndpoints = [...charges, ...refunds, ...balance, ...others];
