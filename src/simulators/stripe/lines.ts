// The balance: every movement of money is one line, in the currency that the account settles.

import type { Stripe } from 'stripe';
import { feeOf, type Method, settled } from './amounts.ts';
import type { Row } from './model.ts';
import { scopeName } from './model.ts';
import { newLine } from './shapes/money.ts';
import { add, type Context, newId } from './world.ts';

export interface Movement {
  readonly type: Stripe.BalanceTransaction.Type;
  readonly category: string;
  /** In minor units of `currency`; negative leaves the balance. */
  readonly amount: number;
  readonly currency: string;
  /** In minor units of the settlement currency. */
  readonly fee?: number;
  readonly source: string | null;
  readonly description?: string | null;
  /** Only incoming money waits. */
  readonly waits?: boolean;
  readonly payout?: string | null;
}

export function addLine(context: Context, movement: Movement): Stripe.BalanceTransaction {
  const { settings, now } = context;
  const { amount, rate } = settled(movement.amount, movement.currency, settings.currency);
  const line = newLine({
    id: newId(context, 'txn'),
    created: now,
    availableOn: movement.waits ? now + settings.availableSeconds : now,
    amount,
    currency: settings.currency,
    rate,
    fee: movement.fee ?? 0,
    type: movement.type,
    category: movement.category,
    source: movement.source,
    description: movement.description ?? null,
  });
  add(context, 'balance_transaction', line, { payout: movement.payout ?? null });
  return line;
}

export function addChargeLine(context: Context, { object, hidden }: Row<'charge'>): Stripe.BalanceTransaction {
  const { settings } = context;
  const { amount } = settled(object.amount, object.currency, settings.currency);
  return addLine(context, {
    type: hidden.method === 'card' ? 'charge' : 'payment',
    category: 'charge',
    amount: object.amount,
    currency: object.currency,
    fee: feeOf(amount, settings.fees[hidden.method]),
    source: object.id,
    description: object.description,
    waits: hidden.card?.availableAtOnce !== true,
  });
}

/** Refunds to cards and refunds of other payments have different types. */
export function refundLineType(method: Method): 'refund' | 'payment_refund' {
  return method === 'card' ? 'refund' : 'payment_refund';
}

export function availableMinor({ store, scope, now }: Context): number {
  return store.sumBalance(scopeName(scope), now).available;
}

export function balanceOf({ store, scope, settings, now }: Context): Stripe.Balance {
  const { available, pending } = store.sumBalance(scopeName(scope), now);
  const { currency } = settings;
  return {
    object: 'balance',
    available: [{ amount: available, currency, source_types: { card: available } }],
    livemode: scope.live,
    pending: [{ amount: pending, currency, source_types: { card: pending } }],
  };
}
