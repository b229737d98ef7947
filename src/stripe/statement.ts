// What the provider moved in a period: its balance, newest first, read in its pages of 100 until a page of ours is full.

import type { Stripe } from 'stripe';
import type { StatementAnswer, StatementLine, StatementRequest } from '../acquirer/index.ts';
import { alarm, getIntent, isOurs } from './intents.ts';
import { Allowance, type Outcome } from './line.ts';
import { type StripeTools, unknown } from './model.ts';
import { intentOf, linesOf, namedCharge } from './statement-lines.ts';
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
    if (!(await read(tools, page.value.data, reading, time)))
      return isEmpty(reading) ? unknown : pageOf(reading, reading.after);
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

/**
 * False if it cannot be known now whose the next line is. What was read before it is kept, so that the next try
 * continues there.
 */
async function read(
  tools: StripeTools,
  balance: readonly Stripe.BalanceTransaction[],
  reading: Reading,
  time: Allowance,
): Promise<boolean> {
  const { keys, unanswered } = await keysOf(tools, balance, time);
  for (const one of balance) {
    const intent = intentOf(one);
    if (intent !== undefined && unanswered.has(intent)) return false;
    const lines = linesOf(one, keys, tools.installation);
    if (lines === undefined) reading.unreadable.push(count(reading) + 1);
    else reading.lines.push(...lines);
    reading.after = one.id;
  }
  return true;
}

interface Keys {
  readonly keys: ReadonlyMap<string, string>;
  /** The intents that could not be asked for. */
  readonly unanswered: ReadonlySet<string>;
}

/**
 * The keys of intents whose lines do not name them, which are those of disputes: the intents themselves are asked for.
 * A row of ours that says something else raises an alarm.
 */
async function keysOf(
  tools: StripeTools,
  balance: readonly Stripe.BalanceTransaction[],
  time: Allowance,
): Promise<Keys> {
  const named = new Map<string, string>();
  const unnamed = new Set<string>();
  for (const one of balance) {
    const intent = intentOf(one);
    const key = namedCharge(one, tools.installation);
    if (intent !== undefined && key !== undefined) named.set(intent, key);
    else if (intent !== undefined) unnamed.add(intent);
  }
  const rows = await listKeys(tools.db.sql, [...named.keys(), ...unnamed]);
  const keyOf = new Map(rows.map(({ key, providerId }) => [providerId, key]));
  const asked = [...unnamed].filter((intent) => keyOf.has(intent) && !named.has(intent));
  const unanswered = await askForAll(tools, asked, time, (intent) => {
    const key = keyOf.get(intent.id);
    if (key !== undefined && isOurs(tools, intent)) named.set(intent.id, intent.metadata.grosz_key ?? key);
  });
  for (const { key, providerId } of rows)
    if (!unanswered.has(providerId) && named.get(providerId) !== key) alarm(tools, key, 'an intent of another charge');
  return { keys: named, unanswered };
}

/** Few enough that look-ups of payments find their turns in between. */
const intentsAtOnce = 5;

/** Asks for intents, in order, until one is not answered; returns those that were not. */
async function askForAll(
  tools: StripeTools,
  ids: readonly string[],
  time: Allowance,
  told: (intent: Stripe.PaymentIntent) => void,
): Promise<ReadonlySet<string>> {
  const left = [...ids];
  const unanswered = new Set(ids);
  const askOn = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const found = await getIntent(tools, id, time);
      if (found.kind !== 'done') return void left.splice(0);
      unanswered.delete(id);
      told(found.value);
    }
  };
  await Promise.all(Array.from({ length: intentsAtOnce }, askOn));
  return unanswered;
}
