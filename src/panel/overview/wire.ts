// Overview to wire.

import type { attentionKinds, getOverview } from '../../../contract/panel/overview.ts';
import type { Static } from '../../../contract/schema.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import { changeOf, percentOf } from './rules.ts';
import type { Overview, PeriodShown, Point } from './show.ts';
import type { AttentionItem, StatusCounts } from './store.ts';

type Shown = Static<(typeof getOverview.responses)[200]>;

export function serializeOverview({
  current,
  before,
}: Overview): Pick<Shown, 'current' | 'before' | 'change' | 'points' | 'pointsBefore' | 'currency'> {
  const ofVolume = (of: PeriodShown) => of.sums.paymentsVolumeMinor;
  const [rate, rateBefore] = [rateOf(current.created), rateOf(before.created)];
  return {
    current: serializePeriod(current),
    before: serializePeriod(before),
    change: {
      volume: changeOf(ofVolume(current), ofVolume(before)),
      payments: changeOf(BigInt(current.sums.payments), BigInt(before.sums.payments)),
      refunded: changeOf(refundedNetOf(current), refundedNetOf(before)),
      // In percentage points.
      successRate: rate === null || rateBefore === null ? null : Math.round((rate - rateBefore) * 10) / 10,
    },
    points: current.points.map(serializePoint),
    pointsBefore: before.points.map(serializePoint),
    currency: 'PLN',
  };
}

/** A refund that came back may be one of earlier days. */
function refundedNetOf({ sums }: PeriodShown): bigint {
  const netMinor = sums.refundsVolumeMinor - sums.returnedVolumeMinor;
  return netMinor > 0n ? netMinor : 0n;
}

/** A transaction that was refunded was paid. */
function rateOf({ paid, refund, canceled }: StatusCounts): number | null {
  return percentOf(BigInt(paid + refund), BigInt(paid + refund + canceled));
}

function serializePoint({ from, to, sums, balanceMinor }: Point): Shown['points'][number] {
  return {
    from: from.toString(),
    to: to.toString(),
    volume: decimalFromMinor(sums.paymentsVolumeMinor),
    payments: sums.payments,
    refunded: decimalFromMinor(sums.refundsVolumeMinor),
    refunds: sums.refunds,
    balance: decimalFromMinor(balanceMinor),
  };
}

function serializePeriod(period: PeriodShown): Shown['current'] {
  const { sums, created } = period;
  const { pending, canceled } = created;
  const paid = created.paid + created.refund;
  const feesMinor = -(sums.paymentFeesMinor + sums.refundFeesMinor + sums.returnedFeesMinor);
  return {
    ...serializePoint(period),
    returned: decimalFromMinor(sums.returnedVolumeMinor),
    refundsReturned: sums.returned,
    refundedNet: decimalFromMinor(refundedNetOf(period)),
    fees: decimalFromMinor(feesMinor),
    created: { total: pending + paid + canceled, pending, paid, canceled },
    successRate: rateOf(created),
  };
}

export function serializeAttention(item: AttentionItem) {
  const { kind, subject, count, since, until, amountMinor, why, error, merchantIdentifier, reason } = item;
  return {
    kind: kind as (typeof attentionKinds)[number],
    severity: isCritical(kind) ? ('critical' as const) : ('warning' as const),
    subject,
    count,
    since: since?.toString() ?? null,
    until: until?.toString() ?? null,
    amount: amountMinor === null ? null : decimalFromMinor(amountMinor),
    why,
    error,
    merchantIdentifier,
    reason,
  };
}

/** Money is in doubt, missing, or lost without an answer. */
function isCritical(kind: string): boolean {
  return kind.startsWith('parked') || kind === 'low_balance' || kind === 'dispute_to_answer';
}
