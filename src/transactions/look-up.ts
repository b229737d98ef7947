// Attempts of which we do not know what became: the bank is asked by the key, never charged again under a new one.

import {
  cancelAtBank,
  findAtBank,
  parkIfOld,
  readEndedFinding,
  readFinding,
  refuseChallenge,
} from '../banking/index.ts';
import type { Tools } from '../tools.ts';
import type { Result } from './model.ts';
import { isOpen, lookLease, patience } from './rules.ts';
import {
  claimDueAttempts,
  countDueAttempts,
  type DueAttempt,
  type DueCount,
  findNextAttemptDue,
} from './store/attempts.ts';
import type { TransactionTools } from './tools.ts';

const atOnce = 200;

/** Looks up what is due, many at once, outside any database transaction; answers how many were looked up. */
export async function resolveAttempts(tools: TransactionTools): Promise<number> {
  const now = tools.clock.now();
  const due = await claimDueAttempts(tools.db.sql, now, now.add(lookLease), atOnce);
  await Promise.all(
    due.map(async (row) => {
      const at = tools.clock.momentOf(row.dueAt);
      return tools.settle({ attemptId: row.attempt.id, result: await look(tools, row, at), lookedAt: at });
    }),
  );
  return due.length;
}

async function look(tools: TransactionTools, row: DueAttempt, now: Temporal.Instant): Promise<Result> {
  const { id, state, checks, createdAt } = row.attempt;
  if (!isOpen(state)) return readEndedFinding(await findAtBank(tools.acquirer, id), checks);
  return parkIfOld(await lookAtOpen(tools, row, now), createdAt, now);
}

async function lookAtOpen(
  { acquirer }: TransactionTools,
  { attempt, transactionStatus }: DueAttempt,
  now: Temporal.Instant,
): Promise<Result> {
  const { id, createdAt: askedAt, timesNotFound } = attempt;
  // Nobody wants this payment any more: the bank is told first, so that it cannot succeed while we look.
  if (transactionStatus !== 'pending') return cancelAtBank(acquirer, id, { kind: 'canceled' });
  const found = readFinding(await findAtBank(acquirer, id), { askedAt, timesNotFound }, patience, now);
  switch (found.kind) {
    case 'overdue':
      return cancelAtBank(acquirer, id, { kind: 'declined', reason: 'timed out' });
    case 'absent':
      // The bank must promise never to capture it, should it arrive after all.
      return cancelAtBank(acquirer, id, { kind: 'declined', reason: 'internal error' });
    case 'waiting':
      return found.link !== null && attempt.initiator === 'merchant' ? refuseChallenge(acquirer, id) : found;
    default:
      return found;
  }
}

export function nextAttemptDue(tools: Pick<Tools, 'db'>): Promise<Temporal.Instant | null> {
  return findNextAttemptDue(tools.db.sql);
}

export function dueAttempts(tools: Pick<Tools, 'clock' | 'db'>): Promise<DueCount> {
  return countDueAttempts(tools.db.sql, tools.clock.now());
}
