// What the provider moved in a period: its balance, newest first, read in its pages of 100 until a page of ours is full.

import type { Stripe } from 'stripe';
import type { StatementAnswer, StatementLine, StatementRequest } from '../acquirer/index.ts';
import { Allowance, type Outcome } from './line.ts';
import { type StripeTools, unknown } from './model.ts';
import { intentsOf, linesOf } from './statement-lines.ts';
import { listKeys } from './store.ts';

const pageSize = 100;
/** Each line of the balance is at most two of ours: what it moved, and its fee. */
const linesOfOne = 2;

type Page = Stripe.ApiList<Stripe.BalanceTransaction>;

interface Reading {
  readonly lines: StatementLine[];
  readonly unreadable: number[];
  /** The last line of the balance that was read. */
  after: string | null;
}

/**
 * Ends early when the time is over, with the place where it goes on; a page that has a next one has lines. Lines in
 * another currency are named by their places.
 */
export async function statement(tools: StripeTools, request: StatementRequest): Promise<StatementAnswer> {
  const time = new Allowance(request.deadlineMilliseconds);
  const reading: Reading = { lines: [], unreadable: [], after: request.after };
  for (;;) {
    const page = await listBalance(tools, request, reading.after, time);
    if (page.kind !== 'done') return isEmpty(reading) ? failed(page) : pageOf(reading, reading.after);
    await read(tools, page.value.data, reading);
    if (!page.value.has_more) return pageOf(reading, null);
    const full = count(reading) + pageSize * linesOfOne > request.limit;
    if (full && !isEmpty(reading)) return pageOf(reading, reading.after);
  }
}

const count = ({ lines, unreadable }: Reading) => lines.length + unreadable.length;

const isEmpty = (reading: Reading) => count(reading) === 0;

function failed({ kind }: Outcome<Page>): StatementAnswer {
  return kind === 'never' ? { kind: 'notReached' } : unknown;
}

function pageOf({ lines, unreadable }: Reading, next: string | null): StatementAnswer {
  return { kind: 'page', lines, ...(unreadable.length > 0 && { unreadable }), next };
}

/** The provider's times are whole seconds. */
const secondsFrom = (instant: Temporal.Instant) => Math.ceil(instant.epochMilliseconds / 1_000);

function listBalance(
  { line }: StripeTools,
  { from, to, limit }: StatementRequest,
  after: string | null,
  time: Allowance,
): Promise<Outcome<Page>> {
  return line.ask({
    endpoint: 'GET /v1/balance_transactions',
    time,
    run: (stripe, options) =>
      stripe.balanceTransactions.list(
        {
          created: { gte: secondsFrom(from), lt: secondsFrom(to) },
          limit: Math.max(1, Math.min(pageSize, Math.floor(limit / linesOfOne))),
          expand: ['data.source'],
          ...(after !== null && { starting_after: after }),
        },
        options,
      ),
  });
}

async function read(
  { db, installation }: StripeTools,
  balance: readonly Stripe.BalanceTransaction[],
  reading: Reading,
): Promise<void> {
  const intents = intentsOf(balance);
  const known = intents.length === 0 ? [] : await listKeys(db.sql, intents);
  const keys = new Map(known.map(({ providerId, key }) => [providerId, key]));
  for (const one of balance) {
    const lines = linesOf(one, keys, installation);
    if (lines === undefined) reading.unreadable.push(count(reading) + 1);
    else reading.lines.push(...lines);
    reading.after = one.id;
  }
}
