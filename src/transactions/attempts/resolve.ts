// Attempts of which we do not know what became: the bank is asked by the key, never charged again under a new one.

import type { FindAnswer } from '../../acquirer/index.ts';
import type { World } from '../../world.ts';
import { bankTime, lookLease, notFoundTwice, type Result, unresolvedAtMost, waitingAtMost } from './rules.ts';
import { settle } from './settle.ts';
import { claimDueAttempts, countDueAttempts, type DueAttempt, type DueCount, findNextAttemptDue } from './store.ts';

const atOnce = 200;
const deadlineMilliseconds = 10_000;

/** Looks up what is due, many at once, outside any database transaction; answers how many were looked up. */
export async function resolveAttempts(world: World): Promise<number> {
  const now = world.clock.now();
  const due = await claimDueAttempts(world.db.sql, now, now.add(lookLease), atOnce);
  await Promise.all(
    due.map(async (row) => {
      const at = world.clock.momentOf(row.dueAt);
      const result = await look(world, row, at);
      // Whichever of the questions it was that the bank did not answer: not for ever.
      const late = result.kind === 'again' && olderThan(row.attempt.createdAt, unresolvedAtMost, at);
      return settle(world, { attemptId: row.attempt.id, result: late ? unresolved : result, lookedAt: at });
    }),
  );
  return due.length;
}

const unresolved: Result = { kind: 'park', why: 'The bank could not be asked for three days.' };

function olderThan(createdAt: Temporal.Instant, age: Temporal.Duration, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add(age), now) <= 0;
}

async function look(world: World, { attempt, transactionStatus }: DueAttempt, now: Temporal.Instant): Promise<Result> {
  // Nobody wants this payment any more: the bank is told first, so that it cannot succeed while we look.
  if (transactionStatus !== 'pending') return cancelAtBank(world, attempt.id, { kind: 'canceled' });
  const found = await find(world, attempt.id);
  switch (found.kind) {
    case 'approved':
      return { kind: 'approved', amountMinor: found.amount.minor };
    case 'declined':
    case 'canceled':
      return found;
    case 'waiting':
      if (!olderThan(attempt.createdAt, waitingAtMost, now)) return found;
      return cancelAtBank(world, attempt.id, { kind: 'declined', reason: 'timed out' });
    case 'notFound':
      // Only a bank that has had time and was asked twice is believed; and then it must promise never to capture it.
      if (attempt.timesNotFound + 1 < notFoundTwice || !olderThan(attempt.createdAt, bankTime, now)) {
        return { kind: 'again', notFound: true };
      }
      return cancelAtBank(world, attempt.id, { kind: 'declined', reason: 'internal error' });
    default:
      return { kind: 'again', notFound: false };
  }
}

function find(world: World, key: string): Promise<FindAnswer> {
  return world.acquirer.findCharge({ key, deadlineMilliseconds });
}

/** `then` holds once the bank has promised that the key will never capture. When it is too late, the bank's word counts. */
export async function cancelAtBank(world: World, key: string, then: Result): Promise<Result> {
  const canceled = await world.acquirer.cancel({ key, deadlineMilliseconds });
  if (canceled.kind === 'canceled') return then;
  if (canceled.kind !== 'tooLate') return { kind: 'again', notFound: false };
  const found = await find(world, key);
  if (found.kind === 'approved') return { kind: 'approved', amountMinor: found.amount.minor };
  return found.kind === 'declined' || found.kind === 'canceled' ? found : { kind: 'again', notFound: false };
}

export function nextAttemptDue(world: World): Promise<Temporal.Instant | null> {
  return findNextAttemptDue(world.db.sql);
}

export function dueAttempts(world: World): Promise<DueCount> {
  return countDueAttempts(world.db.sql, world.clock.now());
}
