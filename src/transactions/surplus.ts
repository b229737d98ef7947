// Returns money that was captured but belongs to the payer: by key, retried until it succeeds, booked once.

import { askDue, lookDelay } from '../banking/index.ts';
import { money } from '../kernel/index.ts';
import { post, refundExecutedJournal } from '../ledger/index.ts';
import type { Waiting } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { Surplus } from './model.ts';
import {
  claimDueSurplus,
  type DueSurplus,
  type SurplusLater,
  surplusDue,
  updateSurplusDone,
  updateSurplusLater,
} from './store/attempts.ts';
import type { TransactionTools } from './tools.ts';

const deadlineMilliseconds = 10_000;
const triesAtMost = 300;

/** Sends due surpluses back; returns how many were attempted. */
export function refundSurplus(tools: TransactionTools): Promise<number> {
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claimDueSurplus(tools.db.sql, now, leaseUntil, atMost),
    (due) => sendBack(tools, due),
  );
}

async function sendBack(tools: TransactionTools, due: readonly DueSurplus[]): Promise<void> {
  const answers = await Promise.all(due.map((surplus) => send(tools, surplus)));
  const done = due.filter((_surplus, index) => answers[index] === 'approved').map(({ id }) => id);
  const later = due.flatMap((surplus, index) =>
    putOff(surplus, answers[index] ?? 'unknown', tools.clock.momentOf(surplus.dueAt)),
  );
  if (done.length > 0) await endSurplus(tools, done);
  if (later.length > 0) await updateSurplusLater(tools.db.sql, later);
}

/** The same key each time: the bank refunds it once, however often it is asked. */
async function send(tools: Pick<Tools, 'acquirer'>, surplus: Surplus): Promise<string> {
  const { id: key, attemptId: chargeKey } = surplus;
  const amount = money(surplus.amountMinor, surplus.currency);
  return (await tools.acquirer.refund({ key, chargeKey, amount, deadlineMilliseconds })).kind;
}

function putOff(surplus: Surplus, answer: string, now: Temporal.Instant): SurplusLater[] {
  if (answer === 'approved') return [];
  const refused = answer === 'declined';
  if (refused || surplus.tries >= triesAtMost) {
    const parkedWhy = refused ? 'The bank refused to give it back.' : 'The bank could not be reached.';
    return [{ id: surplus.id, nextTryAt: null, parkedAt: now.toString(), parkedWhy }];
  }
  const nextTryAt = now.add(lookDelay({ checks: surplus.tries }, 'unknown')).toString();
  return [{ id: surplus.id, nextTryAt, parkedAt: null, parkedWhy: null }];
}

/** Ends surpluses and books each once; returns whether any was ours. */
export function endSurplus(tools: Pick<Tools, 'clock' | 'db' | 'ids'>, ids: readonly string[]): Promise<boolean> {
  return tools.db.atomic(async (sql) => {
    const now = tools.clock.now();
    const ended = await updateSurplusDone(sql, ids, now);
    const journals = ended.map(({ attemptId, acquirer, currency, amountMinor }) =>
      refundExecutedJournal({ source: attemptId, acquirer, currency, amountMinor }),
    );
    await post(sql, tools.ids, journals, now);
    return ended.length > 0;
  });
}

export function nextSurplusDue(tools: Pick<Tools, 'db'>): Promise<Temporal.Instant | null> {
  return surplusDue.next(tools.db.sql);
}

export function dueSurplus(tools: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return surplusDue.waiting(tools.db.sql, tools.clock.now());
}
