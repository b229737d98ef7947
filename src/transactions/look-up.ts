// Attempts with an unknown result: the bank is asked by key, never charged again under a new one.

import { askDue, cancelAtBank, lookUpCharge } from '../banking/index.ts';
import type { Waiting } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { Result } from './model.ts';
import { isOpen, patience } from './rules.ts';
import { attemptsDue, claimDueAttempts, type DueAttempt } from './store/attempts.ts';
import type { TransactionTools } from './tools.ts';

/** Looks up due attempts; returns how many. */
export function lookUpAttempts(tools: TransactionTools): Promise<number> {
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claimDueAttempts(tools.db.sql, now, leaseUntil, atMost),
    (due) => Promise.all(due.map((row) => settleOne(tools, row))),
  );
}

async function settleOne(tools: TransactionTools, row: DueAttempt): Promise<void> {
  const at = tools.clock.momentOf(row.dueAt);
  await tools.settle({ attemptId: row.attempt.id, result: await lookUp(tools, row, at), lookedAt: at });
}

function lookUp(
  { acquirer }: TransactionTools,
  { attempt, transactionStatus }: DueAttempt,
  now: Temporal.Instant,
): Promise<Result> {
  const { id: key, state, createdAt: askedAt, checks, timesNotFound, initiator } = attempt;
  const charge = {
    key,
    open: isOpen(state),
    unwanted: transactionStatus !== 'pending',
    payerPresent: initiator === 'payer',
    askedAt,
    checks,
    timesNotFound,
    neverSent: false,
  };
  // If the bank did not find the key, it must promise never to capture it, in case the request arrives later.
  const absent = () => cancelAtBank(acquirer, key, { kind: 'declined', reason: 'internal error' });
  return lookUpCharge(acquirer, charge, patience, now, absent);
}

export function nextAttemptDue(tools: Pick<Tools, 'db'>): Promise<Temporal.Instant | null> {
  return attemptsDue.next(tools.db.sql);
}

export function dueAttempts(tools: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return attemptsDue.waiting(tools.db.sql, tools.clock.now());
}
