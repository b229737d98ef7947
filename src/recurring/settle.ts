// Settling a whole set in one database transaction: attempts, progress, transactions, books and events.

import { afterLook, lookDelay } from '../banking/index.ts';
import { instantText, type RecurringId } from '../kernel/index.ts';
import { type Journal, paymentFee, paymentJournal, post } from '../ledger/index.ts';
import { insertEvents, type NewEvent, recurringNotification } from '../notifications/index.ts';
import { isAboutRows, type Sql } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { type ChargeEnd, endCharges, giveBackCharge } from '../transactions/index.ts';
import type { AttemptState, Progress, Result, Settlement } from './model.ts';
import {
  type AttemptEnd,
  afterAttempt,
  afterResult,
  channelOf,
  failureReason,
  isOpen,
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
import type { RecurringTools } from './tools.ts';

interface PendingWrites {
  readonly attempts: Map<string, AttemptChange>;
  readonly progress: RecurringChange[];
  readonly ends: ChargeEnd[];
  readonly givenBack: ChargeEnd[];
  readonly journals: Journal[];
  readonly events: NewEvent[];
}

/**
 * Settles charges in sets: whatever has been answered while the set before was written. So a slow response does not delay others.
 * The promises never reject.
 */
export async function settleAsTheyCome(tools: Tools, charges: readonly Promise<Settlement>[]): Promise<void> {
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
    // What is answered in the same turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    const set = answered;
    answered = [];
    left -= set.length;
    await settleSet(tools, set);
  }
}

/** Settles a set. One with bad rows is split, so that one bad row does not affect the others; that one is parked. */
async function settleSet(tools: Tools, set: readonly Settlement[]): Promise<void> {
  try {
    await tools.db.atomic((sql) => settleIn(tools, sql, set));
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    const [only, ...others] = set;
    if (only && others.length === 0) {
      tools.log.error({ err: error, transactionId: only.transactionId }, 'a charge could not be settled');
      await parkAttempt(tools.db.sql, only.transactionId, 'Its result could not be written.', tools.clock.now());
      return;
    }
    const middle = Math.ceil(set.length / 2);
    await settleSet(tools, set.slice(0, middle));
    await settleSet(tools, set.slice(middle));
  }
}

/** Settles one together with others that arrive at the same time; returns whether the attempt is ours. A repeat changes no row. */
export function openSettle(tools: Tools): RecurringTools['settle'] {
  return tools.db.joined({
    name: 'recurring settlement',
    atomic: true,
    write: (sql, settlements) => settleIn(tools, sql, settlements),
  });
}

async function settleIn(tools: Tools, sql: Sql, settlements: readonly Settlement[]): Promise<boolean[]> {
  const ids = [...new Set(settlements.map(({ transactionId }) => transactionId))];
  const known = new Map<string, Settling>();
  for (const row of await lockAttempts(sql, ids)) known.set(row.attempt.transactionId, row);
  const set: PendingWrites = { attempts: new Map(), progress: [], ends: [], givenBack: [], journals: [], events: [] };
  const taken = new Set<string>();
  for (const { transactionId, result } of settlements) {
    const row = known.get(transactionId);
    // The second result of one attempt in one set waits for nothing: its first is final, or the next lookup decides.
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
  if (step.kind === 'failed') end(tools, set, row, { kind: 'failed', reason: failureReason(step.reason) }, at);
}

/** The attempt is over: what comes next, what moves, who is notified. */
function end(tools: Tools, set: PendingWrites, row: Settling, outcome: AttemptEnd, at: Temporal.Instant): void {
  const { attempt, recurring } = row;
  const next = afterAttempt(recurring.plan, recurring.progress, outcome, attempt.createdAt, attempt.manual);
  const ended = endOf(row, at, outcome.kind === 'correct');
  set.ends.push(ended);
  set.progress.push(progressChange(recurring.id, next, at));
  set.events.push(eventOf(tools, row, next, outcome, at));
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
    scheduledAt: next.scheduledAt && instantText(next.scheduledAt),
    // What should have been before this attempt comes right after it, not before it: a jump of the clock goes by this time.
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

function changeOf(tools: Tools, { attempt }: Settling, step: Step, at: Temporal.Instant): AttemptChange {
  const final = step.kind === 'correct' || step.kind === 'failed' || step.kind === 'canceled';
  const now = tools.clock.now();
  const looks = step.kind === 'look' ? afterLook(attempt, step.because) : attempt;
  return {
    transactionId: attempt.transactionId,
    state: final ? step.kind : stateAfter(attempt.state, step),
    reason: step.kind === 'failed' ? failureReason(step.reason) : null,
    settledAt: final ? instantText(at) : null,
    nextCheckAt: nextCheckAfter(attempt, step, now)?.toString() ?? null,
    checks: looks.checks,
    timesNotFound: looks.timesNotFound,
    neverSent: neverSentAfter(attempt, step),
    otherAmounts: looks.otherAmounts,
    parkedAt: step.kind === 'park' ? now.toString() : null,
    parkedWhy: step.kind === 'park' ? step.why : null,
  };
}

/** Kept while it is looked for, so that one that the bank never got is sent again at once. */
function neverSentAfter({ neverSent }: Settling['attempt'], step: Step): boolean {
  if (step.kind !== 'look' || step.because === 'doubt') return false;
  return neverSent || step.because === 'neverSent';
}

/** The state after a step that does not end the attempt; an ended one stays as it is. */
function stateAfter(state: AttemptState, { kind }: Step): AttemptState {
  if (!isOpen(state) || state === 'waiting') return state;
  return kind === 'wait' ? 'waiting' : kind === 'look' ? 'unknown' : state;
}

function nextCheckAfter(attempt: Settling['attempt'], step: Step, now: Temporal.Instant): Temporal.Instant | null {
  if (step.kind === 'wait') return now.add(waitingLook);
  return step.kind === 'look' ? now.add(lookDelay(attempt, step.because)) : null;
}

async function write(tools: Tools, sql: Sql, set: PendingWrites): Promise<void> {
  if (set.attempts.size > 0) await updateAttempts(sql, [...set.attempts.values()]);
  if (set.progress.length > 0) await updateProgress(sql, set.progress);
  if (set.ends.length > 0) await endCharges(sql, set.ends);
  await insertEvents(sql, tools.vault, set.events);
  for (const back of set.givenBack) await giveBackCharge(tools, sql, back);
  // Balances are locked last: they are the rows that others wait for.
  await post(sql, tools.ids, set.journals, tools.clock.now());
}
