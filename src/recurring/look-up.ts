// Charges whose answer we do not have: the bank is asked by the charge's own key, and never charged under a new one.

import {
  cancelAtBank,
  type Finding,
  findAtBank,
  parkIfOld,
  readEndedFinding,
  readFinding,
  refuseChallenge,
} from '../banking/index.ts';
import { knownId, type TransactionId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { charge } from './charge.ts';
import { openInstruments } from './instrument.ts';
import type { AttemptInFull, Result } from './model.ts';
import { isOpen, patience } from './rules.ts';
import { settleAsTheyCome } from './settle.ts';
import { claimDueAttempts, countDueAttempts, type DueCount } from './store/attempts.ts';
import type { RecurringTools } from './tools.ts';

const atOnce = 200;

/** Until then the round that claimed it looks; should its process die, the next one looks again after that. */
const lease = Temporal.Duration.from({ seconds: 12 });

/** Looks up what is due; answers how many were looked up. */
export async function resolveCharges(tools: RecurringTools): Promise<number> {
  const now = tools.clock.now();
  const due = await claimDueAttempts(tools.db.sql, now, now.add(lease), atOnce);
  if (due.length === 0) return 0;
  await settleAsTheyCome(
    tools,
    due.map(async (row) => ({ transactionId: row.attempt.transactionId, result: await look(tools, row, now) })),
  );
  return due.length;
}

async function look(tools: RecurringTools, row: AttemptInFull, now: Temporal.Instant): Promise<Result> {
  const { transactionId: key, state, checks, createdAt: askedAt, timesNotFound } = row.attempt;
  const answer = await findAtBank(tools.acquirer, key);
  if (!isOpen(state)) return readEndedFinding(answer, checks);
  const found = readFinding(answer, { askedAt, timesNotFound }, patience, now);
  return parkIfOld(await follow(tools, row, found), askedAt, now);
}

async function follow(tools: RecurringTools, row: AttemptInFull, found: Finding): Promise<Result> {
  const key = row.attempt.transactionId;
  switch (found.kind) {
    case 'waiting':
      return found.link === null ? found : refuseChallenge(tools.acquirer, key);
    case 'overdue':
      return cancelAtBank(tools.acquirer, key, { kind: 'declined', reason: 'timed out' });
    case 'absent':
      return row.recurring.progress.status === 'canceled'
        ? // Its payer has canceled: the bank is told never to charge this key.
          cancelAtBank(tools.acquirer, key, { kind: 'canceled' })
        : chargeAgain(tools, row);
    default:
      return found;
  }
}

/** The same key, the same instrument: should the first request arrive after all, the bank does it once. */
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

export function dueCharges(tools: Pick<Tools, 'clock' | 'db'>): Promise<DueCount> {
  return countDueAttempts(tools.db.sql, tools.clock.now());
}
