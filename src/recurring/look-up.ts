// Charges with an unknown result: the bank is asked by the charge's own key, and never charged under a new one.

import { askDue, cancelAtBank, lookUpCharge } from '../banking/index.ts';
import { knownId, type TransactionId } from '../kernel/index.ts';
import type { Waiting } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { charge } from './charge.ts';
import { openInstruments } from './instrument.ts';
import type { AttemptInFull, Result } from './model.ts';
import { confirmedByPayer, isOpen, patience } from './rules.ts';
import { settleAsTheyCome } from './settle.ts';
import { attemptsDue, claimDueAttempts } from './store/attempts.ts';
import type { RecurringTools } from './tools.ts';

/** Looks up due charges; returns how many. */
export function lookUpCharges(tools: RecurringTools): Promise<number> {
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claimDueAttempts(tools.db.sql, now, leaseUntil, atMost),
    (due, now) =>
      settleAsTheyCome(
        tools,
        due.map(async (row) => ({ transactionId: row.attempt.transactionId, result: await lookUp(tools, row, now) })),
      ),
  );
}

function lookUp(tools: RecurringTools, row: AttemptInFull, now: Temporal.Instant): Promise<Result> {
  const { transactionId: key, state, createdAt: askedAt, checks, timesNotFound, neverSent } = row.attempt;
  const canceled = row.recurring.progress.status === 'canceled';
  const looked = {
    key,
    open: isOpen(state),
    // One that was sent finishes; one that only waits for the payer need not.
    unwanted: canceled && state === 'waiting' && confirmedByPayer(row.attempt.instrument),
    payerPresent: false,
    askedAt,
    checks,
    timesNotFound,
    neverSent,
  };
  const absent = () =>
    canceled
      ? // Its payer has canceled: tell the bank never to charge this key.
        cancelAtBank(tools.acquirer, key, { kind: 'canceled' })
      : chargeAgain(tools, row);
  return lookUpCharge(tools.acquirer, looked, patience, now, absent);
}

/** The same key and the same instrument: if the first request arrives after all, the bank charges once. */
async function chargeAgain(tools: RecurringTools, { attempt, recurring }: AttemptInFull): Promise<Result> {
  const bound = {
    ...recurring,
    instrument: attempt.instrument,
    progress: { ...recurring.progress, iteration: attempt.iteration },
  };
  const [opened] = await openInstruments(tools, [bound]);
  return charge(
    tools,
    knownId<TransactionId>(attempt.transactionId),
    bound,
    opened,
    attempt.attempt,
    attempt.createdAt,
  );
}

export function dueCharges(tools: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return attemptsDue.waiting(tools.db.sql, tools.clock.now());
}
