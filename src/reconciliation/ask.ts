// What the statement does not name, asked for by key: it may be at the border of the period, or in an earlier one.

import type { Acquirer, FindAnswer } from '../acquirer/index.ts';
import { inParallel } from '../runtime/index.ts';
import { isAsked } from './kinds.ts';
import type { Asked, Facts, Run } from './model.ts';
import { nameAll } from './name.ts';
import type { Unconfirmed } from './store/books.ts';
import { findCameBack } from './store/compare.ts';
import { listUnseenPromises } from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

const askedAtOnce = 50;
const deadlineMilliseconds = 10_000;
const promisesAtOnce = 500;

export interface Answers {
  readonly found: number;
  readonly failed: readonly string[];
  /** The bank could not be asked, so nothing is claimed about them. */
  readonly unanswered: number;
}

/** Asks the bank about keys and names those that differ; also about keys whose bookings cancel out. */
export async function askFor(
  tools: ReconciliationTools,
  run: Run,
  unconfirmed: readonly Unconfirmed[],
): Promise<Answers> {
  const acquirer = tools.acquirers.named(run.acquirer);
  let asked: Answers = { found: 0, failed: [], unanswered: 0 };
  for (const [kind, some] of Map.groupBy(unconfirmed, (one) => one.kind)) {
    const keys = Map.groupBy(some, ({ key, source }) => key ?? source);
    const answers = await inParallel([...keys], askedAtOnce, async ([key, [one]]) => {
      return [key, await find(acquirer, kind, one?.key === null ? null : key)] as const;
    });
    const declined = answers.flatMap(([key, answer]) => (answer === 'declined' && kind !== 'capture' ? [key] : []));
    // A refund that came back was paid, and is no more: both of its lines are as they were.
    const back = declined.length > 0 ? await findCameBack(tools.db.sql, declined) : new Map<string, bigint>();
    const facts = answers.map(([key, answer]) =>
      factsOf(kind, key, answer === 'declined' ? (back.get(key) ?? null) : answer),
    );
    const known = facts.flatMap((one) => one ?? []);
    const { found, failed } = await nameAll(tools, run, known);
    asked = {
      found: asked.found + found,
      failed: [...asked.failed, ...failed],
      unanswered: asked.unanswered + facts.length - known.length,
    };
  }
  return asked;
}

/** The amount that the bank has; null: nothing. */
type Answer = bigint | null | 'declined' | 'unanswered';

async function find(acquirer: Acquirer, kind: Asked, key: string | null): Promise<Answer> {
  if (key === null) return null;
  const request = { key, deadlineMilliseconds };
  const answer = answerOf(await (kind === 'capture' ? acquirer.findCharge(request) : acquirer.findRefund(request)));
  // It has it no more, or never had it again.
  return kind === 'refund_returned' && typeof answer === 'bigint' ? null : answer;
}

function answerOf(answer: FindAnswer): Answer {
  if (answer.kind === 'unknown' || answer.kind === 'notReached') return 'unanswered';
  if (answer.kind === 'declined') return 'declined';
  return answer.kind === 'approved' ? answer.amount.minor : null;
}

function factsOf(kind: Asked, key: string, answer: Exclude<Answer, 'declined'>): Facts | undefined {
  if (answer === 'unanswered') return undefined;
  const rows = { row: 'moved', ourChargeKey: null, isSameCharge: true, isWhole: true, isApplied: true } as const;
  return { kind, key, chargeKey: null, what: null, bankMinor: answer, bankAt: null, askedMinor: null, ...rows };
}

/** What the bank promised to correct and this run did not come across, in pages. Payouts and fees are in the statement. */
export async function* promisesOf(tools: ReconciliationTools, run: Run): AsyncGenerator<Unconfirmed[]> {
  for (let after = ''; ; ) {
    const items = await listUnseenPromises(tools.db.sql, run, after, promisesAtOnce);
    yield items.flatMap(({ kind, key }) => (isAsked(kind) ? [{ kind, key, source: key }] : []));
    const last = items.at(-1);
    if (!last || items.length < promisesAtOnce) return;
    after = last.id;
  }
}
