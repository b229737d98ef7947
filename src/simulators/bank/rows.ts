// Converts rows of the bank's record to values of the port, and builds rows that need no decision.

import type { Callback, DisputeStage, RefundAnswer } from '../../acquirer/index.ts';
import { currencyFrom, type Money, money } from '../../kernel/index.ts';
import type { Strike } from './faults.ts';
import type { ChargeRow, MoveRow, RefundRow } from './store.ts';

/** Nothing is scheduled. */
export const notDue = { dueAt: null, dueState: null, dueReason: null } as const;

/** The amount of a stored charge or refund. */
export function amountOf(row: { readonly amountMinor: number; readonly currency: string }): Money {
  return money(BigInt(row.amountMinor), currencyFrom(row.currency));
}

/** The callback of a final refund. */
export function refundCallback(row: RefundRow): Callback {
  const { key, state } = row;
  return { kind: 'refund', key, result: state === 'approved' ? { kind: 'approved' } : refundDeclined(row) };
}

/** `why` is missing in rows that an earlier version wrote. */
export function refundDeclined({ why }: RefundRow): Extract<RefundAnswer, { kind: 'declined' }> {
  return why === null ? { kind: 'declined' } : { kind: 'declined', why };
}

/** The bank's reference of a dispute. */
export const disputeKey = (chargeKey: string) => `dispute-${chargeKey}`;

/** What the bank says of a dispute of this charge. */
export function disputeCallback(
  charge: Pick<ChargeRow, 'key' | 'amountMinor' | 'currency'>,
  kind: DisputeStage,
  at: number,
  endsAt: number | null,
): Callback {
  const said = { reason: 'fraudulent', respondUntil: endsAt === null ? null : instantOf(endsAt), at: instantOf(at) };
  const result = { kind, chargeKey: charge.key, amount: amountOf(charge), ...said };
  return { kind: 'dispute', key: disputeKey(charge.key), result };
}

const instantOf = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);

/** Up to 10.00, taken or given. */
export function otherLine(chargeKey: string, currency: string, { milliseconds, share }: Strike, at: number): MoveRow {
  const minor = 1 + Math.floor(share * 1_000);
  const moved = minor % 2 === 0 ? { what: 'adjustment', owedMinor: minor } : { what: 'reserve', owedMinor: -minor };
  return { kind: 'other', key: `${chargeKey}-other`, chargeKey: null, currency, ...moved, at: at + milliseconds };
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
