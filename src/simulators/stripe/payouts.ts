// Payouts: what is available goes to the bank account; one that fails comes back.

import type { Stripe } from 'stripe';
import { invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { addLine, availableMinor } from './lines.ts';
import { fail } from './methods.ts';
import { type Row, scopeName } from './model.ts';
import { newPayout } from './shapes/money.ts';
import { add, type Context, change, find, newId, plan } from './world.ts';

const arrivalSeconds = 2 * 86_400;

export function thePayout(context: Context, id: string): Row<'payout'> {
  return find(context, 'payout', id) ?? fail(missing('payout', id, 'payout'));
}

export interface PayoutOrder {
  /** Everything that is available, unless told. */
  readonly amount?: number | undefined;
  readonly automatic?: boolean | undefined;
}

/** Undefined if there is nothing to pay out. */
export function payOut(context: Context, { amount, automatic = true }: PayoutOrder = {}): Stripe.Payout | undefined {
  const available = availableMinor(context);
  const paid = amount ?? available;
  if (paid > available) throw invalid('The available balance does not cover it.', { code: 'balance_insufficient' });
  if (paid <= 0) return undefined;
  const { settings, scope, now } = context;
  const id = newId(context, 'po');
  if (automatic) mark(context, id);
  const movement = { type: 'payout', category: 'payout', amount: -paid, currency: settings.currency } as const;
  const line = addLine(context, {
    ...movement,
    source: id,
    description: 'STRIPE PAYOUT',
    payout: automatic ? id : null,
  });
  const payout = newPayout({
    id,
    created: now,
    arrives: now + arrivalSeconds,
    amount: paid,
    currency: settings.currency,
    livemode: scope.live,
    automatic,
    line: line.id,
  });
  add(context, 'payout', payout, null);
  plan(context, arrivalSeconds, { kind: 'payout arrives', payout: id });
  emit(context, 'payout.created', payout);
  return payout;
}

/** The lines that an automatic payout pays. */
function mark(context: Context, payout: string): void {
  for (const line of context.store.listNotPaidOut(scopeName(context.scope), context.now))
    change(context, 'balance_transaction', { object: line, hidden: { payout: null } }, {}, { payout });
}

export function arrive(context: Context, row: Row<'payout'>): Stripe.Payout {
  if (row.object.status !== 'in_transit') return row.object;
  const paid = change(context, 'payout', row, { status: 'paid' });
  emit(context, 'payout.paid', paid.object);
  return paid.object;
}

/** Also after it was reported as paid: banks take days to return it. */
export function returnPayout(context: Context, row: Row<'payout'>, code = 'account_closed'): Stripe.Payout {
  if (row.object.status === 'failed') return row.object;
  const { id, amount, currency } = row.object;
  const line = addLine(context, {
    type: 'payout_failure',
    category: 'payout_reversal',
    amount,
    currency,
    source: id,
    description: 'STRIPE PAYOUT (failure)',
  });
  const failed = change(context, 'payout', row, {
    status: 'failed',
    failure_code: code,
    failure_message: 'The bank returned the payout.',
    failure_balance_transaction: line.id,
  });
  emit(context, 'payout.failed', failed.object);
  return failed.object;
}
