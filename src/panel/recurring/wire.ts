// Recurring payments on screen, to wire.

import { decimalFromMinor } from '../../kernel/index.ts';
import type { Dated, Recurring, Upcoming } from '../../recurring/index.ts';

function serializeFacts({ id, description, hiddenDescription, payer, amountMinor, currency }: Recurring) {
  return {
    recurringId: id,
    description,
    hiddenDescription: hiddenDescription ?? '',
    payerEmail: payer.email,
    amount: decimalFromMinor(amountMinor),
    currency,
  };
}

export function serializeUpcoming(recurring: Recurring, dates: readonly Upcoming[]) {
  return {
    ...serializeFacts(recurring),
    dates: dates.map(serializeDate),
  };
}

function serializeDate({ at, ...date }: Upcoming) {
  return { at: at.toString(), ...date };
}

export function serializeComing({ items, end, past }: Dated) {
  const passed = past.filter(({ attempt }) => attempt === undefined).map(({ at }) => at.toString());
  return { items: items.map(serializeDate), end, passed: passed.toReversed() };
}

export function serializeRecurringRow(recurring: Recurring) {
  const { plan, progress, instrument, liveTransactionId } = recurring;
  return {
    ...serializeFacts(recurring),
    status: progress.status,
    createdAt: recurring.createdAt.toString(),
    endedAt: recurring.endedAt?.toString() ?? null,
    firstChargeAt: plan.firstChargeAt.toString(),
    interval: plan.interval,
    intervalType: plan.intervalType,
    chargeCount: plan.chargeCount,
    iteration: progress.iteration,
    attempts: progress.attempts,
    nextAt: progress.scheduledAt?.toString() ?? null,
    inProgress: liveTransactionId,
    lastState: progress.lastState,
    lastReason: progress.lastReason,
    instrument: instrument.type,
  };
}
