// Recurring payments on screen, to wire.

import { decimalFromMinor } from '../../kernel/index.ts';
import type { Recurring, Upcoming } from '../../recurring/index.ts';

function writeFacts({ id, description, hiddenDescription, payer, amountMinor, currency }: Recurring) {
  return {
    recurringId: id,
    description,
    hiddenDescription: hiddenDescription ?? '',
    payerEmail: payer.email,
    amount: decimalFromMinor(amountMinor),
    currency,
  };
}

export function writeUpcoming(recurring: Recurring, dates: readonly Upcoming[]) {
  return {
    ...writeFacts(recurring),
    dates: dates.map(({ at, kind, iteration, attempt, rule, condition }) => {
      return { at: at.toString(), kind, iteration, attempt, rule, condition };
    }),
  };
}

export function writeRecurringRow(recurring: Recurring) {
  const { plan, progress, instrument, liveTransactionId } = recurring;
  return {
    ...writeFacts(recurring),
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
