// Settling a batch in one database transaction: attempts, progress, transactions, journals and events.

import { afterLook, lookDelay } from '../banking/index.ts';
import { instantText, type RecurringId } from '../kernel/index.ts';
import { type Journal, paymentFee, paymentJournal, post } from '../ledger/index.ts';
import { insertEvents, type NewEvent, recurringNotification } from '../notifications/index.ts';
import { isAboutRows, type Sql } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { type ChargeEnd, endCharges, giveBackCharge } from '../transactions/index.ts';
import type { ToldCharge } from './letter.ts';
import { mailCharges } from './mail.ts';
import type { AttemptState, Progress, Result, Settlement } from './model.ts';
import {
  type AttemptEnd,
  afterAttempt,
  afterResult,
  channelOf,
  confirmedByPayer,
  failureReason,
  isOpen,
  letterAfter,
  type Step,
  waitingLook,
} from './rules.ts';
import {
  type AttemptChange,
  lockAttempts,
  parkAttempt,
  type RecurringChange,
  type Settling,
  updateAttempts,
  updateProgress,
} from './store/settlements.ts';
import type { MailingTools, RecurringTools } from './tools.ts';

interface PendingWrites {
  readonly attempts: Map<string, AttemptChange>;
  readonly progress: RecurringChange[];
  readonly ends: ChargeEnd[];
  readonly givenBack: ChargeEnd[];
  readonly journals: Journal[];
  readonly events: NewEvent[];
  /** Charges that their payers are told about. */
  readonly told: ToldCharge[];
}

/**
 * Settles charges in batches of whatever arrived while the previous batch was written, so a slow response does not
 * delay the others. The promises never reject.
 */
export async function settleAsTheyCome(tools: MailingTools, charges: readonly Promise<Settlement>[]): Promise<void> {
  let answered: Settlement[] = [];
  let wake = (): void => undefined;
  for (const charge of charges) {
    void charge.then((settlement) => {
      answered.push(settlement);
      wake();
    });
  }
  for (let left = charges.length; left > 0; ) {
    if (answered.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    // Responses that arrive in the same turn of the event loop are settled together.
    await new Promise((resolve) => setImmediate(resolve));
    const set = answered;
    answered = [];
    left -= set.length;
    await settleSet(tools, set);
  }
}

/** Settles a batch. One with bad rows is split, so that a bad row does not affect the others; the bad row is parked. */
async function settleSet(tools: MailingTools, set: readonly Settlement[]): Promise<void> {
  try {
    await tools.db.atomic((sql) => settleIn(tools, sql, set));
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    const [only, ...others] = set;
    if (only && others.length === 0) {
      tools.log.error({ err: error, transactionId: only.transactionId }, 'a charge could not be settled');
      await parkAttempt(tools.db.sql, only.transactionId, 'The result could not be written.', tools.clock.now());
      return;
    }
    const middle = Math.ceil(set.length / 2);
    await settleSet(tools, set.slice(0, middle));
    await settleSet(tools, set.slice(middle));
  }
}

/**
 * Settles a result in a batch with others that arrive at the same time; returns whether the attempt is ours. A repeat
 * changes nothing.
 */
export function openSettle(tools: MailingTools): RecurringTools['settle'] {
  return tools.db.joined({
    name: 'recurring settlement',
    atomic: true,
    write: (sql, settlements) => settleIn(tools, sql, settlements),
  });
}

async function settleIn(tools: MailingTools, sql: Sql, settlements: readonly Settlement[]): Promise<boolean[]> {
  const ids = [...new Set(settlements.map(({ transactionId }) => transactionId))];
  const known = new Map<string, Settling>();
  for (const row of await lockAttempts(sql, ids)) known.set(row.attempt.transactionId, row);
  const set: PendingWrites = {
    attempts: new Map(),
    progress: [],
    ends: [],
    givenBack: [],
    journals: [],
    events: [],
    told: [],
  };
  const taken = new Set<string>();
  for (const { transactionId, result } of settlements) {
    const row = known.get(transactionId);
    // A second result of an attempt in the same batch is dropped: the first is final, or the next lookup decides.
    if (!row || taken.has(transactionId)) continue;
    taken.add(transactionId);
    take(tools, set, row, result);
  }
  await write(tools, sql, set);
  return settlements.map(({ transactionId }) => known.has(transactionId));
}

function take(tools: Tools, set: PendingWrites, row: Settling, result: Result): void {
  const { attempt, recurring } = row;
  const facts = {
    state: attempt.state,
    otherAmounts: attempt.otherAmounts,
    parked: attempt.parked,
    endedByCancel: recurring.progress.status === 'canceled',
  };
  const step = afterResult(facts, recurring.amountMinor, result);
  const at = tools.clock.momentOf(attempt.createdAt);
  if (step.kind === 'none') return;
  set.attempts.set(attempt.transactionId, changeOf(tools, row, step, at));
  if (step.kind === 'giveBack') set.givenBack.push(endOf(row, at, false));
  if (step.kind === 'correct' || step.kind === 'canceled') end(tools, set, row, step, at);
  if (step.kind !== 'failed') return;
  end(tools, set, row, { kind: 'failed', reason: failureReason(step.reason) }, at);
}

/** Ends the attempt: schedules what comes next, moves money, notifies. */
function end(tools: Tools, set: PendingWrites, row: Settling, outcome: AttemptEnd, at: Temporal.Instant): void {
  const { attempt, recurring } = row;
  const next = afterAttempt(recurring.plan, recurring.progress, outcome, attempt.createdAt, attempt.manual);
  const ended = endOf(row, at, outcome.kind === 'correct');
  set.ends.push(ended);
  set.progress.push(progressChange(recurring.id, next, at));
  set.events.push(eventOf(tools, row, next, outcome, at));
  const kind = letterAfter(attempt, recurring.progress, next, outcome);
  const nextAt = next.status === 'active' ? next.scheduledAt : null;
  if (kind) set.told.push({ transactionId: attempt.transactionId, kind, nextAt, endedAt: at });
  if (outcome.kind === 'correct') {
    const { transactionId: source, acquirer, currency, amountMinor } = ended;
    const capture = { source, acquirer, currency, amountMinor };
    set.journals.push(paymentJournal(capture, recurring.merchantId, paymentFee(amountMinor, row.fee)));
  }
}

function endOf({ attempt, recurring }: Settling, endedAt: Temporal.Instant, correct: boolean): ChargeEnd {
  return {
    transactionId: attempt.transactionId,
    merchantId: recurring.merchantId,
    channelId: channelOf(attempt.instrumentType),
    acquirer: attempt.acquirer,
    cardToken: attempt.cardToken,
    amountMinor: recurring.amountMinor,
    currency: recurring.currency,
    createdAt: attempt.createdAt,
    endedAt,
    correct,
  };
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
function eventOf(tools: Tools, row: Settling, next: Progress, outcome: AttemptEnd, at: Temporal.Instant): NewEvent {
  const { attempt, recurring } = row;
  return {
    id: tools.ids.ulid(),
    accountId: recurring.merchantId,
    type: 'recurring',
    subjectId: attempt.transactionId,
    url: recurring.callbackUrl,
    payload: recurringNotification({
      merchantId: recurring.merchantId,
      recurringId: recurring.id,
      transactionId: attempt.transactionId,
      hiddenDescription: recurring.hiddenDescription,
      iterationCount: attempt.iteration,
      iterationAttemptCount: attempt.attempt,
      status: outcome.kind,
      nextChargeAt: next.scheduledAt,
      zone: recurring.plan.zone,
      reason: outcome.kind === 'failed' ? outcome.reason : null,
    }),
    createdAt: at,
  };
}

function changeOf(tools: Tools, { attempt, recurring }: Settling, step: Step, at: Temporal.Instant): AttemptChange {
  const final = step.kind === 'correct' || step.kind === 'failed' || step.kind === 'canceled';
  const now = tools.clock.now();
  const canceled = recurring.progress.status === 'canceled' && confirmedByPayer(attempt);
  const looks = step.kind === 'look' ? afterLook(attempt, step.because) : attempt;
  return {
    transactionId: attempt.transactionId,
    state: final ? step.kind : stateAfter(attempt.state, step),
    reason: step.kind === 'failed' ? failureReason(step.reason) : null,
    settledAt: final ? instantText(at) : null,
    nextCheckAt: nextCheckAfter(attempt, step, now, canceled)?.toString() ?? null,
    checks: looks.checks,
    timesNotFound: looks.timesNotFound,
    neverSent: neverSentAfter(attempt, step),
    otherAmounts: looks.otherAmounts,
    parkedAt: step.kind === 'park' ? now.toString() : null,
    parkedWhy: step.kind === 'park' ? step.why : null,
  };
}

/** Kept during lookups, so that a charge that the bank never received is sent again immediately. */
function neverSentAfter({ neverSent }: Settling['attempt'], step: Step): boolean {
  if (step.kind !== 'look' || step.because === 'doubt') return false;
  return neverSent || step.because === 'neverSent';
}

/** The state after a step that does not end the attempt; a final state does not change. */
function stateAfter(state: AttemptState, { kind }: Step): AttemptState {
  if (!isOpen(state) || state === 'waiting') return state;
  return kind === 'wait' ? 'waiting' : kind === 'look' ? 'unknown' : state;
}

/** One that waits for its payer although the recurring payment was canceled is looked up at once, and canceled there. */
function nextCheckAfter(
  attempt: Settling['attempt'],
  step: Step,
  now: Temporal.Instant,
  canceled: boolean,
): Temporal.Instant | null {
  if (step.kind === 'wait') return canceled ? now : now.add(waitingLook);
  return step.kind === 'look' ? now.add(lookDelay(attempt, step.because)) : null;
}

async function write(tools: MailingTools, sql: Sql, set: PendingWrites): Promise<void> {
  if (set.attempts.size > 0) await updateAttempts(sql, [...set.attempts.values()]);
  if (set.progress.length > 0) await updateProgress(sql, set.progress);
  if (set.ends.length > 0) await endCharges(sql, set.ends);
  await insertEvents(sql, tools.vault, set.events);
  await mailCharges(tools, sql, set.told);
  for (const back of set.givenBack) await giveBackCharge(tools, sql, back);
  // Balances are locked last: they are the most contended rows.
  await post(sql, tools.ids, set.journals, tools.clock.now());
}
