// Refunds: paid at once or later, refused, canceled, and returned after they were paid.

import type { Stripe } from 'stripe';
import { ApiError, InvalidParameter, invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { addLine, availableMinor, refundLineType } from './lines.ts';
import { fail } from './methods.ts';
import type { Row } from './model.ts';
import { metadataOf } from './shapes/intent.ts';
import { newRefund } from './shapes/money.ts';
import { add, type Context, change, find, newId, plan } from './world.ts';

export function theRefund(context: Context, id: string): Row<'refund'> {
  return find(context, 'refund', id) ?? fail(missing('refund', id, 'refund'));
}

export function theCharge(context: Context, id: string): Row<'charge'> {
  return find(context, 'charge', id) ?? fail(missing('charge', id, 'charge'));
}

function chargeOf(context: Context, { charge, payment_intent }: Stripe.RefundCreateParams): Row<'charge'> {
  if (charge !== undefined) return theCharge(context, charge);
  if (payment_intent === undefined)
    throw new InvalidParameter('parameter_missing', 'payment_intent', 'Name the payment: payment_intent or charge.');
  const intent = find(context, 'payment_intent', payment_intent);
  if (!intent) throw missing('payment_intent', payment_intent, 'payment_intent');
  const { status, latest_charge: latest } = intent.object;
  if (status !== 'succeeded' || typeof latest !== 'string')
    throw invalid('This PaymentIntent has no successful charge to refund.', { param: 'payment_intent' });
  return theCharge(context, latest);
}

export function createRefund(context: Context, params: Stripe.RefundCreateParams): Stripe.Refund {
  const charge = chargeOf(context, params);
  const { object, hidden } = charge;
  const left = object.amount_captured - object.amount_refunded;
  const amount = params.amount ?? left;
  if (object.disputed) throw invalid('The charge is disputed.', { code: 'charge_disputed' });
  if (left === 0) throw invalid('The charge is refunded already.', { code: 'charge_already_refunded' });
  if (amount < 1) throw new InvalidParameter('parameter_invalid_integer', 'amount', 'The amount must be positive.');
  if (amount > left) throw invalid(`At most ${left} can be refunded.`, { code: 'amount_too_large', param: 'amount' });
  const short = context.settings.refundsNeedBalance && availableMinor(context) < amount;
  if (short && hidden.method !== 'card')
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: 'The available balance does not cover this refund.',
    });
  const id = newId(context, hidden.method === 'card' ? 're' : 'pyr');
  const metadata = metadataOf(params.metadata);
  const shown = newRefund({
    id,
    created: context.now,
    charge: object,
    method: hidden.method,
    amount,
    params,
    metadata,
  });
  const row = add(context, 'refund', shown, null);
  const amount_refunded = object.amount_refunded + amount;
  const updated = change(context, 'charge', charge, { amount_refunded, refunded: amount_refunded === object.amount });
  const begun = begin(context, row, charge, short);
  emit(context, 'refund.created', begun.object);
  emit(context, 'charge.refunded', updated.object);
  return begun.object;
}

function begin(context: Context, row: Row<'refund'>, charge: Row<'charge'>, short: boolean): Row<'refund'> {
  const { settings } = context;
  const refund = row.object.id;
  const outcome = charge.hidden.card?.refund ?? settings.refundOutcome;
  if (outcome === 'fails') return failRefund(context, row);
  if (outcome === 'pending' || short) {
    plan(context, settings.refundSeconds, { kind: 'refund succeeds', refund });
    const pending_reason = short ? 'insufficient_funds' : 'processing';
    return change(context, 'refund', withLine(context, row, charge), { status: 'pending', pending_reason });
  }
  if (outcome === 'fails later') plan(context, settings.refundSeconds, { kind: 'refund fails', refund });
  return withLine(context, row, charge);
}

/** The money leaves the balance when the refund is created. */
function withLine(context: Context, row: Row<'refund'>, { object, hidden }: Row<'charge'>): Row<'refund'> {
  const line = addLine(context, {
    type: refundLineType(hidden.method),
    category: 'refund',
    amount: -row.object.amount,
    currency: object.currency,
    source: row.object.id,
    description: 'REFUND',
  });
  return change(context, 'refund', row, { balance_transaction: line.id });
}

export function succeedRefund(context: Context, row: Row<'refund'>): Stripe.Refund {
  if (row.object.status !== 'pending') return row.object;
  const { pending_reason: _, ...rest } = row.object;
  const done: Row<'refund'> = { object: { ...rest, status: 'succeeded' }, hidden: null };
  context.store.save('refund', done, context.now);
  emit(context, 'refund.updated', done.object);
  emit(context, 'charge.refund.updated', done.object);
  return done.object;
}

/** Also long after it was paid: the money comes back to the balance, and the charge can be refunded again. */
export function failRefund(context: Context, row: Row<'refund'>, reason = 'expired_or_canceled_card'): Row<'refund'> {
  if (row.object.status === 'failed' || row.object.status === 'canceled') return row;
  return giveUp(context, row, { status: 'failed', failure_reason: reason }, 'refund.failed');
}

export function cancelRefund(context: Context, row: Row<'refund'>): Stripe.Refund {
  if (row.object.status !== 'pending' && row.object.status !== 'requires_action')
    throw invalid(`A refund that is ${row.object.status} cannot be canceled.`);
  return giveUp(context, row, { status: 'canceled', failure_reason: 'merchant_request' }, 'refund.updated').object;
}

function giveUp(
  context: Context,
  row: Row<'refund'>,
  fields: Partial<Stripe.Refund>,
  type: 'refund.failed' | 'refund.updated',
): Row<'refund'> {
  const { amount, currency, id } = row.object;
  const charge = theCharge(context, String(row.object.charge));
  const moved = row.object.balance_transaction !== null;
  const line = moved
    ? addLine(context, { type: 'refund_failure', category: 'refund_failure', amount, currency, source: id })
    : null;
  change(context, 'charge', charge, { amount_refunded: charge.object.amount_refunded - amount, refunded: false });
  const ended = change(context, 'refund', row, {
    ...fields,
    ...(line && { failure_balance_transaction: line.id }),
  });
  emit(context, type, ended.object);
  if (type === 'refund.failed') emit(context, 'refund.updated', ended.object);
  emit(context, 'charge.refund.updated', ended.object);
  return ended;
}
