// The part of this room in settling a charge: what it locks, the step after a result, what it writes and tells.

import { type ChargeRoom, captureOf, type LockedCharge, type Settled } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { instantText, type RecurringId } from '../kernel/index.ts';
import { type Journal, paymentFee, paymentJournal } from '../ledger/index.ts';
import { insertEvents, type NewEvent, recurringNotification } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import { endCharges } from '../transactions/index.ts';
import { setsAtOnce } from './charge.ts';
import type { MailedCharge } from './charge-mail.ts';
import { findForLookUp } from './look-up.ts';
import { mailCharges } from './mail.ts';
import type { FailureReason, Progress } from './model.ts';
import {
  type AttemptEnd,
  afterAttempt,
  afterResult,
  confirmedByPayer,
  mailAfter,
  patience,
  waitingLook,
} from './rules.ts';
import {
  lockAttempts,
  type RecurringChange,
  type SettlingAttempt,
  type SettlingFacts,
  updateProgress,
} from './store/settlements.ts';
import type { ChargingTools, MailingTools } from './tools.ts';

export type RecurringRoom = ChargeRoom<SettlingAttempt, SettlingFacts, never>;
type LockedAttempt = LockedCharge<SettlingAttempt, SettlingFacts>;
type SettledCharge = Settled<SettlingAttempt, SettlingFacts>;

/** A charge that a result has ended: what comes next. */
interface Ended extends SettledCharge {
  readonly outcome: AttemptEnd;
  readonly next: Progress;
  readonly at: Temporal.Instant;
}

export function recurringRoom(tools: ChargingTools): RecurringRoom {
  return {
    patience,
    waitingLook,
    setsAtOnce,
    lock: (sql, settlements) =>
      lockAttempts(
        sql,
        settlements.map(({ chargeId }) => chargeId),
        tools.clock.now(),
      ),
    after: (locked, result) => afterResult(factsOf(locked), result),
    endedAt: ({ createdAt }) => tools.clock.momentOf(createdAt),
    // One that was sent finishes; one that only waits for the payer need not.
    unwanted: ({ charge, facts }) => isCanceled(facts) && confirmedByPayer(charge),
    next: ({ facts }) => facts,
    priceOf: ({ fee }) => fee.priceId,
    applySteps: (sql, settled) => applySteps(tools, sql, settled),
    findForLookUp: (charges) => findForLookUp(tools, charges),
  };
}

function isCanceled({ recurring }: SettlingFacts): boolean {
  return recurring.progress.status === 'canceled';
}

function factsOf({ charge, surplusBooked, facts }: LockedAttempt) {
  const { state, amountMinor, otherAmounts, parkedAt } = charge;
  return {
    state,
    amountMinor,
    otherAmounts,
    surplusBooked,
    parked: parkedAt !== null,
    endedByCancel: isCanceled(facts),
  };
}

/** Schedules what comes next, ends the transactions, tells merchants and payers. */
async function applySteps(tools: MailingTools, sql: Sql, settled: readonly SettledCharge[]): Promise<Journal[]> {
  const ended = settled.flatMap((one) => endOf(one));
  if (ended.length === 0) return [];
  await updateProgress(
    sql,
    ended.map(({ facts, next, at }) => progressChange(facts.recurring.id, next, at)),
  );
  await endCharges(
    sql,
    ended.map(({ charge, outcome, at: endedAt }) => {
      const { transactionId, channelId, amountMinor } = charge;
      return { transactionId, channelId, amountMinor, endedAt, correct: outcome.kind === 'correct' };
    }),
  );
  const events = ended.map((end) => eventOf(tools, end));
  await insertEvents(sql, tools.vault, events);
  await mailCharges(tools, sql, ended.flatMap(mailOf));
  return ended.flatMap(journalsOf);
}

function endOf(settled: SettledCharge): Ended[] {
  const { charge, facts, step } = settled;
  const outcome = outcomeOf(step);
  if (!outcome) return [];
  const { plan, progress } = facts.recurring;
  const next = afterAttempt(plan, progress, outcome, charge.createdAt, charge.manual);
  return [{ ...settled, outcome, next, at: charge.settledAt ?? charge.createdAt }];
}

function outcomeOf(step: SettledCharge['step']): AttemptEnd | undefined {
  if (step.kind === 'failed') return { kind: 'failed', reason: step.reason as FailureReason };
  return step.kind === 'correct' || step.kind === 'canceled' ? step : undefined;
}

function journalsOf({ charge, facts, outcome }: Ended): Journal[] {
  if (outcome.kind !== 'correct') return [];
  return [paymentJournal(captureOf(charge), charge.merchantId, paymentFee(charge.amountMinor, facts.fee))];
}

function mailOf({ charge, facts, next, outcome, at }: Ended): MailedCharge[] {
  const kind = mailAfter(charge, facts.recurring.progress, next, outcome);
  const nextAt = next.status === 'active' ? next.scheduledAt : null;
  return kind ? [{ transactionId: charge.transactionId, kind, nextAt, endedAt: at }] : [];
}

function progressChange(id: RecurringId, next: Progress, at: Temporal.Instant): RecurringChange {
  return {
    id,
    status: next.status,
    endedAt: next.status === 'active' ? null : instantText(at),
    iteration: next.iteration,
    attempts: next.attempts,
    retriesUsed: next.retriesUsed,
    restoredAfter: next.restoredAfter,
    nextIteration: next.nextIteration,
    passed: next.passed,
    scheduledAt: next.scheduledAt && instantText(next.scheduledAt),
    // What was due before this attempt is due right after it: moving the sandbox clock relies on this time.
    dueAt: next.scheduledAt && instantText(notBefore(next.scheduledAt, at)),
    lastState: next.lastState,
    lastReason: next.lastReason,
  };
}

function notBefore(at: Temporal.Instant, earliest: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(at, earliest) < 0 ? earliest : at;
}

/** After every attempt, with all its fields. */
function eventOf(tools: Tools, { charge, facts: { recurring }, next, outcome, at }: Ended): NewEvent {
  return {
    id: tools.ids.ulid(),
    accountId: charge.merchantId,
    type: 'recurring',
    subjectId: charge.transactionId,
    url: recurring.callbackUrl,
    payload: recurringNotification({
      merchantId: charge.merchantId,
      recurringId: recurring.id,
      transactionId: charge.transactionId,
      hiddenDescription: recurring.hiddenDescription,
      iterationCount: charge.iteration,
      iterationAttemptCount: charge.attempt,
      status: outcome.kind,
      nextChargeAt: next.scheduledAt,
      zone: recurring.plan.zone,
      reason: outcome.kind === 'failed' ? outcome.reason : null,
    }),
    createdAt: at,
  };
}
