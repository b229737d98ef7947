// Charges whose answer we do not have: the bank is asked by the charge's own key, and never charged under a new one.

import { knownId, type TransactionId } from '../../kernel/index.ts';
import type { World } from '../../world.ts';
import { charge } from './charge.ts';
import { bankTime, neverLeft, notFoundTwice, type Result, unresolvedAtMost } from './rules.ts';
import { settleAsTheyCome } from './settle.ts';
import { type AttemptInFull, claimDueAttempts } from './store.ts';

const atOnce = 200;
const deadlineMilliseconds = 10_000;

/** Until then the round that claimed it looks; should its process die, the next one looks again after that. */
const lease = Temporal.Duration.from({ seconds: 12 });

/** Looks up what is due; answers how many were looked up. */
export async function resolveCharges(world: World): Promise<number> {
  const now = world.clock.now();
  const due = await claimDueAttempts(world.db.sql, now, now.add(lease), atOnce);
  if (due.length === 0) return 0;
  await settleAsTheyCome(
    world,
    due.map(async (row) => ({ transactionId: row.attempt.transactionId, result: await look(world, row, now) })),
  );
  return due.length;
}

function olderThan(createdAt: Temporal.Instant, age: Temporal.Duration, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add(age), now) <= 0;
}

async function look(world: World, row: AttemptInFull, now: Temporal.Instant): Promise<Result> {
  const { attempt } = row;
  const key = attempt.transactionId;
  const found = await world.acquirer.findCharge({ key, deadlineMilliseconds });
  switch (found.kind) {
    case 'approved':
      return { kind: 'approved', amountMinor: found.amount.minor };
    case 'declined':
    case 'canceled':
    case 'waiting':
      return found;
    case 'notFound': {
      const asked = attempt.timesNotFound + 1 >= notFoundTwice && olderThan(attempt.createdAt, bankTime, now);
      if (!asked && attempt.timesNotFound < neverLeft) return { kind: 'again', notFound: true };
      return row.recurring.progress.status === 'canceled' ? cancelUnsent(world, key) : chargeAgain(world, row);
    }
    default:
      return olderThan(attempt.createdAt, unresolvedAtMost, now)
        ? { kind: 'park', why: 'The bank could not be asked for three days.' }
        : { kind: 'again', notFound: false };
  }
}

/** Nothing of it reached the bank, and its payer has canceled: the bank is told never to charge this key. */
async function cancelUnsent(world: World, key: string): Promise<Result> {
  const { kind } = await world.acquirer.cancel({ key, deadlineMilliseconds });
  return kind === 'canceled' ? { kind } : { kind: 'again', notFound: false };
}

/** The same key, the same instrument: should the first request arrive after all, the bank does it once. */
function chargeAgain(world: World, { attempt, recurring }: AttemptInFull): Promise<Result> {
  const bound = {
    ...recurring,
    instrument: attempt.instrument,
    progress: { ...recurring.progress, iteration: attempt.iteration },
  };
  return charge(world, knownId<TransactionId>(attempt.transactionId), bound, attempt.attempt, attempt.createdAt);
}
