// Converts rows of the bank's record to values of the port, and builds rows that need no decision.

import type { Callback } from '../../acquirer/index.ts';
import { currencyFrom, type Money, money } from '../../kernel/index.ts';
import type { ChargeRow, RefundRow } from './store.ts';

/** Nothing is scheduled. */
export const notDue = { dueAt: null, dueState: null, dueReason: null } as const;

/** The amount of a stored charge or refund. */
export function amountOf(row: { readonly amountMinor: number; readonly currency: string }): Money {
  return money(BigInt(row.amountMinor), currencyFrom(row.currency));
}

/** The callback of a final refund. */
export function refundCallback(row: RefundRow): Callback {
  return { kind: 'refund', key: row.key, result: { kind: row.state === 'approved' ? 'approved' : 'declined' } };
}

/** The placeholder for a cancel that arrived before its charge. */
export function unheardCharge(key: string, now: number): ChargeRow {
  return {
    key,
    amountMinor: 0,
    currency: 'PLN',
    kind: 'unheard',
    cardTail: null,
    description: '',
    returnUrl: '',
    merchantName: null,
    language: null,
    bank: null,
    linkId: null,
    state: 'canceled',
    reason: null,
    createdAt: now,
    capturedAt: null,
    canceledAt: now,
    ...notDue,
  };
}
