// Payers, merchants and a bank that misbehaves: dozens of transactions at once, every method, retries, payments that
// race and cancels in between, while time passes. What each payer does is derived from a seed.

import assert from 'node:assert/strict';
import { readText } from '../../src/database/index.ts';
import { encryptCard, settleAll } from './payments.ts';
import type { Receiver } from './receiver.ts';
import { isAnythingDue } from './rooms.ts';
import type { Seeded } from './seeded.ts';
import type { Answer, Service, TestMerchant, TestWorld } from './service.ts';

export interface Stage {
  readonly service: Service;
  /** Also works on the same database and bank, if given. */
  readonly other?: TestWorld;
  readonly merchant: TestMerchant;
  readonly receiver: Receiver;
  readonly draw: Seeded;
}

/** One transaction in progress; each step is one action of somebody. */
interface Story {
  readonly id: string;
  readonly links: string[];
  readonly steps: Step[];
}

type Step = (stage: Stage, story: Story) => Promise<unknown>;

async function pay({ service, merchant }: Stage, story: Story, body: object): Promise<Answer> {
  const answer = await service.ask('POST', `/transactions/${story.id}/pay`, { token: merchant.token, body });
  assert.ok(answer.status === 200 || answer.status === 409, answer.text);
  const url: string = answer.body.transactionPaymentUrl ?? '';
  if (url.includes('/bank/')) story.links.push(url.split('/').at(-1) ?? '');
  return answer;
}

const blik =
  (code: string): Step =>
  (stage, story) =>
    pay(stage, story, { groupId: 150, blikPaymentData: { blikToken: code } });
const card =
  (save = false): Step =>
  (stage, story) =>
    pay(stage, story, { channelId: 53, cardPaymentData: { card: encryptCard(stage.service), save } });
const transfer: Step = (stage, story) => pay(stage, story, { channelId: 21 });
const choose =
  (choice: 'confirm' | 'refuse'): Step =>
  ({ service }, { links }) =>
    Promise.all(links.map((link) => service.world.bank.choose(link, choice)));
const cancel: Step = async ({ service, merchant }, { id }) => {
  const answer = await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
  assert.ok(answer.status === 200 || answer.status === 409, answer.text);
};
const atOnce =
  (...steps: Step[]): Step =>
  (stage, story) =>
    Promise.all(steps.map((step) => step(stage, story)));

const paid = blik('777123');

/** What can happen to a transaction: its amount, which decides what cards do, and the steps. */
const plots: readonly (readonly [number, ...Step[]])[] = [
  [10, paid],
  [10, blik('111123'), blik('222123'), paid],
  [10, blik('500123')],
  [10, blik('500123'), paid],
  [10.01, card()],
  [10.03, card(true)],
  [10.05, card(), paid],
  [10.06, card(true), cancel],
  [10.02, card(), choose('confirm')],
  [10.02, card(true), choose('refuse'), paid],
  [10.04, card()],
  [10.07, card(), card(), choose('confirm')],
  [10, transfer, choose('confirm')],
  [10, transfer, paid, choose('confirm')],
  [10, transfer],
  [10, atOnce(paid, paid, paid)],
  [10.01, atOnce(paid, card(), transfer), choose('confirm')],
  [10, cancel, paid],
  [10, atOnce(paid, cancel)],
  [10.01, atOnce(cancel, card())],
  [10, transfer, cancel, choose('confirm')],
  [10.02, card(), atOnce(choose('confirm'), cancel)],
  [10, blik('333123'), cancel],
];

async function begin({ service, merchant, receiver, draw }: Stage): Promise<Story> {
  const [amount, ...steps] = draw.of(plots);
  const callbacks = { notification: { url: `${receiver.url}/notify` } };
  const body = { amount, description: 'Order', hiddenDescription: 'x', callbacks };
  const answer = await service.ask('POST', '/transactions', { token: merchant.token, body });
  assert.equal(answer.status, 200, answer.text);
  return { id: answer.body.transactionId, links: [], steps: [...steps] };
}

/** Plays this many transactions concurrently; returns their ids. Nothing is resolved yet. */
export async function playPayments(stage: Stage, count: number): Promise<string[]> {
  const stories = await Promise.all(Array.from({ length: count }, () => begin(stage)));
  for (let left = stories; left.length > 0; left = left.filter(({ steps }) => steps.length > 0)) {
    // Not everybody acts in each round.
    const moving = left.filter(() => stage.draw.chance(0.8));
    await Promise.all(moving.map((story) => story.steps.shift()?.(stage, story)));
    pass(stage, stage.draw.of([1, 3, 10, 40]));
    await settleBoth(stage);
  }
  return stories.map(({ id }) => id);
}

function pass({ service: { world } }: Stage, seconds: number): void {
  world.clock.advance({ seconds });
  world.wall.advance({ seconds: Math.min(seconds, 5) });
}

function settleBoth({ service: { world }, other }: Stage): Promise<unknown> {
  return Promise.all([settleAll(world), ...(other ? [settleAll(other)] : [])]);
}

/**
 * Enough time for every retry, late callback and payer who never returns: seconds, minutes, then hours, two days in
 * total.
 */
const passing = [...Array(8).fill(15), ...Array(6).fill(120), ...Array(6).fill(1_200), ...Array(8).fill(21_600)];

/** Lets time pass until everything is decided or parked; fails if something is neither. */
export async function untilResolved(stage: Stage): Promise<void> {
  const { sql } = stage.service.world.db;
  const undecided = () => sql.many((row) => readText(row, 'id'))`
    select id from charge where state in ('sent', 'waiting', 'unknown') and parked_at is null
    union all select id from outgoing_refund where purpose = 'surplus' and state <> 'done' and parked_at is null
    union all select event_id from delivery where status = 'pending'`;
  for (const seconds of passing) {
    pass(stage, seconds);
    if (await isAnythingDue(stage.service.world)) await settleBoth(stage);
  }
  await settleBoth(stage);
  assert.deepEqual(await undecided(), [], 'everything is decided, delivered or parked');
}

/** The merchant's notifications match what the service says about each of these transactions, each event once. */
export async function checkNotifications(
  { service, receiver, merchant }: Stage,
  ids: readonly string[],
): Promise<void> {
  const heard = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { headers, body } of receiver.received) {
    const event = String(headers['webhook-id']);
    if (seen.has(event)) continue;
    seen.add(event);
    const fields = new URLSearchParams(body);
    const title = fields.get('tr_id') ?? '';
    heard.set(title, [...(heard.get(title) ?? []), fields.get('tr_status') ?? '']);
  }
  for (const id of ids) {
    const { body } = await service.ask('GET', `/transactions/${id}`, { token: merchant.token });
    const expected =
      body.status === 'paid'
        ? ['TRUE']
        : body.status === 'canceled' && body.payments.status === 'declined'
          ? ['FALSE']
          : [];
    assert.deepEqual(heard.get(body.title) ?? [], expected, `${id} is ${body.status}`);
  }
}
