// Domain to wire.

import { scheduleSentences } from '../../contract/codes/english/schedule.ts';
import { type Message, sentenceOf } from '../../contract/codes/message.ts';
import type { scheduleCodes } from '../../contract/codes/schedule.ts';
import type { RecurringDates, RecurringListed, Recurring as RecurringShown } from '../../contract/recurring.ts';
import type { Static } from '../../contract/schema.ts';
import { decimalFromMinor } from '../kernel/index.ts';
import type { Dated } from './list-recurring.ts';
import type { AttemptState, FailureReason, Recurring } from './model.ts';
import type { ListedAttempt } from './store/attempts.ts';

/** Exactly the documented fields; `reason` only if the last attempt failed. */
export function serializeRecurring(recurring: Recurring): Static<typeof RecurringShown> {
  const { plan, progress } = recurring;
  const failed =
    progress.lastState === 'failed' && progress.lastReason !== null && recurring.liveTransactionId === null;
  return {
    id: recurring.id,
    description: recurring.description,
    hiddenDescription: recurring.hiddenDescription ?? '',
    status: progress.status,
    payer: { email: recurring.payer.email, name: recurring.payer.name },
    schedule: {
      amount: decimalFromMinor(recurring.amountMinor),
      currency: recurring.currency,
      interval: plan.interval,
      intervalType: plan.intervalType,
      chargeCount: plan.chargeCount,
    },
    paymentInstrument: { paymentType: recurring.instrument.type },
    callbackUrl: recurring.callbackUrl,
    ...(failed && progress.lastReason ? { reason: progress.lastReason } : {}),
  };
}

/** When it was first due, what comes next, and what has been. */
export function serializeDates({ recurring, items, past }: Dated): Static<typeof RecurringDates> {
  const { zone, firstChargeAt } = recurring.plan;
  const next = items[0]?.at;
  return {
    first: serializeInstant(firstChargeAt, zone),
    next: next ? serializeInstant(next, zone) : null,
    past: past.map(({ at, iteration, attempt }) => ({
      date: serializeInstant(at, zone),
      iterationCount: iteration,
      iterationAttemptCount: attempt?.attempt ?? null,
      status: attempt ? shownState[attempt.state] : 'passed',
    })),
  };
}

const inWords = (message: Message<typeof scheduleCodes> | null) => message && sentenceOf(scheduleSentences, message);

/** The dates that come, each with its rule in words. */
export function serializeSchedule(dated: Dated) {
  const { recurring, items, end } = dated;
  return {
    id: recurring.id,
    status: recurring.progress.status,
    dates: serializeDates(dated),
    items: items.map(({ at, kind, iteration, attempt, rule, condition }) => ({
      date: serializeInstant(at, recurring.plan.zone),
      kind,
      iterationCount: iteration,
      iterationAttemptCount: attempt,
      rule: sentenceOf<typeof scheduleCodes>(scheduleSentences, rule),
      condition: inWords(condition),
    })),
    end: inWords(end),
  };
}

export function serializeListed(dated: Dated): Static<typeof RecurringListed> {
  return { ...serializeRecurring(dated.recurring), dates: serializeDates(dated) };
}

const shownState: Record<AttemptState, 'pending' | 'correct' | 'failed' | 'canceled'> = {
  sent: 'pending',
  waiting: 'pending',
  unknown: 'pending',
  correct: 'correct',
  failed: 'failed',
  canceled: 'canceled',
};

/** `2026-03-31T10:00:00+02:00`: local time of the account with its UTC offset. */
export function serializeInstant(at: Temporal.Instant, zone: string): string {
  return at.toZonedDateTimeISO(zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

export function serializeAttempt(attempt: ListedAttempt, zone: string) {
  return {
    transactionId: attempt.transactionId,
    createdAt: serializeInstant(attempt.createdAt, zone),
    status: shownState[attempt.state],
    iterationCount: attempt.iteration,
    iterationAttemptCount: attempt.attempt,
    reason: attempt.reason as FailureReason | null,
  };
}
