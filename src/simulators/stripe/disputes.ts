// Disputes: the money leaves with a fee when one is opened, and returns when it is won.

import type { Stripe } from 'stripe';
import { invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { addLine } from './lines.ts';
import { fail } from './methods.ts';
import type { Row } from './model.ts';
import { newDispute } from './shapes/money.ts';
import { add, type Context, change, find, newId } from './world.ts';

export function theDispute(context: Context, id: string): Row<'dispute'> {
  return find(context, 'dispute', id) ?? fail(missing('dispute', id, 'dispute'));
}

export interface DisputeOrder {
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
}

export function openDispute(context: Context, charge: Row<'charge'>, order: DisputeOrder = {}): Stripe.Dispute {
  const { object } = charge;
  if (!object.paid || object.disputed) throw invalid('Only a paid charge without a dispute can be disputed.');
  const amount = order.amount ?? object.amount - object.amount_refunded;
  if (amount < 1 || amount > object.amount) throw invalid('The amount is not part of the charge.', { param: 'amount' });
  const id = newId(context, 'du');
  const { disputeFeeMinor: fee } = context.settings;
  const line = addLine(context, {
    type: 'adjustment',
    category: 'dispute',
    amount: -amount,
    currency: object.currency,
    fee,
    source: id,
    description: `Chargeback withdrawal for ${object.id}`,
  });
  const reason = order.reason ?? 'fraudulent';
  const row = add(
    context,
    'dispute',
    newDispute({ id, created: context.now, charge: object, amount, reason, line }),
    null,
  );
  change(context, 'charge', charge, { disputed: true });
  emit(context, 'charge.dispute.created', row.object);
  emit(context, 'charge.dispute.funds_withdrawn', row.object);
  return row.object;
}

export function closeDispute(context: Context, row: Row<'dispute'>, outcome: 'won' | 'lost'): Stripe.Dispute {
  if (!/^(needs_response|under_review)$/.test(row.object.status)) throw invalid('The dispute is closed.');
  const lines = outcome === 'won' ? [reinstate(context, row.object)] : [];
  const closed = change(context, 'dispute', row, {
    status: outcome,
    balance_transactions: [...row.object.balance_transactions, ...lines],
  });
  emit(context, 'charge.dispute.closed', closed.object);
  if (outcome === 'won') emit(context, 'charge.dispute.funds_reinstated', closed.object);
  return closed.object;
}

function reinstate(context: Context, { id, amount, currency, charge }: Stripe.Dispute): Stripe.BalanceTransaction {
  const { disputeFeeMinor, disputeFeeReturned } = context.settings;
  return addLine(context, {
    type: 'adjustment',
    category: 'dispute_reversal',
    amount,
    currency,
    fee: disputeFeeReturned ? -disputeFeeMinor : 0,
    source: id,
    description: `Chargeback reversal for ${String(charge)}`,
  });
}
