// The statement: every movement of the provider's balance once, as a line of a kind that the books know.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StatementLine } from '../../src/acquirer/index.ts';
import { aCharge, aRefund, aStripe, heldAt, type Stage } from '../support/stripe.ts';

async function control({ fake }: Stage, name: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${fake.url}/_fake/${name}`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, name);
  return (await response.json()) as Record<string, unknown>;
}

interface Read {
  readonly lines: StatementLine[];
  readonly pages: number;
  readonly unreadable: number;
}

async function readAll({ world, stripe }: Stage, limit = 5_000, days = 40): Promise<Read> {
  const to = world.clock.now().add({ seconds: 1 });
  const period = { from: to.subtract({ hours: 24 * days }), to, limit, deadlineMilliseconds: 30_000 };
  const lines: StatementLine[] = [];
  let unreadable = 0;
  let after: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const page = await stripe.statement({ ...period, after });
    assert.equal(page.kind, 'page');
    if (page.kind !== 'page') throw new Error('no page');
    assert.ok(page.lines.length <= limit);
    lines.push(...page.lines);
    unreadable += page.unreadable?.length ?? 0;
    if (page.next === null) return { lines, pages, unreadable };
    assert.ok(page.lines.length > 0, 'a page with a next one has lines');
    after = page.next;
  }
}

/** `kind key amount`, oldest first. */
const shown = (lines: readonly StatementLine[]) =>
  lines.map((line) => `${line.kind} ${line.key.replace(/_.*/, '')} ${line.amount.minor}`).reverse();

suite('the statement', () => {
  // Guarantee: captures, refunds, fees, disputes, payouts and what came back are told apart, and sum up to the balance.
  test('of everything that can move', async () => {
    const stage = await aStripe();
    const { stripe, world, fake } = stage;
    const paid = aCharge(world);
    await stripe.charge(paid);
    stage.wait(6);
    const [key] = [world.ids.ulid()];
    await stripe.refund(aRefund(key, paid.key, 4_000n));
    const disputed = aCharge(world, { minor: 20_000n });
    await stripe.charge(disputed);
    stage.wait(6);
    const intent = heldAt(fake).intents.find(({ metadata }) => metadata.grosz_key === disputed.key)?.id;
    const { dispute } = (await control(stage, 'disputes', { payment_intent: intent })) as { dispute?: { id: string } };
    const disputes = fake.provider.store.list('dispute', `${fake.provider.main.account}/test`, { limit: 1 });
    await control(stage, 'disputes', { dispute: dispute?.id ?? disputes[0]?.id, outcome: 'won' });
    await control(stage, 'refunds', { refund: refundId(stage), outcome: 'failed' });
    await control(stage, 'lines', { type: 'stripe_fee', amount: -300 });
    await control(stage, 'lines', { type: 'reserve_transaction', amount: -500 });
    stage.wait(4 * 86_400);
    await control(stage, 'payouts', { amount: 1_000 });
    const payouts = fake.provider.store.list('payout', `${fake.provider.main.account}/test`, { limit: 1 });
    await control(stage, 'payouts', { payout: payouts[0]?.id });
    const { lines } = await readAll(stage);
    const kinds = Map.groupBy(lines, ({ kind }) => kind);
    assert.deepEqual(
      [...kinds].map(([kind, some]) => `${kind} ${some.length}`).sort(),
      [
        'capture 2',
        'dispute 1',
        'disputeWon 1',
        'fee 4',
        'other 1',
        'payout 1',
        'payoutReturned 1',
        'refund 1',
        'refundReturned 1',
      ],
      shown(lines).join('\n'),
    );
    const one = (kind: StatementLine['kind']) => kinds.get(kind)?.[0] as StatementLine & { chargeKey?: string };
    assert.deepEqual([one('refund').key, one('refund').chargeKey, one('refund').amount.minor], [key, paid.key, 4_000n]);
    assert.deepEqual([one('refundReturned').key, one('refundReturned').chargeKey], [key, paid.key]);
    assert.deepEqual([one('dispute').chargeKey, one('dispute').amount.minor], [disputed.key, 20_000n]);
    assert.equal(one('disputeWon').key, one('dispute').key);
    assert.equal(one('payout').key, one('payoutReturned').key);
    assert.deepEqual(one('other'), { ...one('other'), what: 'reserve_transaction', taken: true });
    const fees = (kinds.get('fee') ?? []).map((line) => (line.kind === 'fee' ? line.chargeKey : undefined));
    assert.deepEqual(fees.sort(), [paid.key, disputed.key, disputed.key, null].sort());
    assert.equal(sumOf(lines), BigInt(balanceOf(stage)));
  });

  // Guarantee: thousands of lines come in pages of ours, each once, with two lines for each charge.
  test('of 10,000 charges', async () => {
    const stage = await aStripe();
    await control(stage, 'fill', { count: 10_000, everySeconds: 1 });
    const { lines, pages } = await readAll(stage);
    assert.equal(lines.length, 20_000);
    assert.equal(pages, 4);
    assert.equal(new Set(lines.map(({ kind, key }) => `${kind} ${key}`)).size, 20_000);
    assert.equal(sumOf(lines), BigInt(balanceOf(stage)));
  });

  // Guarantee: money of other users of the account is told, never taken for a charge of ours.
  test('what others did with the account', async () => {
    const stage = await aStripe();
    await control(stage, 'fill', { count: 1, metadata: { grosz_key: 'theirs', grosz_installation: 'another' } });
    const { lines } = await readAll(stage);
    assert.deepEqual(
      lines.map((line) => [line.kind, line.kind === 'other' ? line.what : line.kind === 'fee' ? line.chargeKey : '']),
      [
        ['other', 'charge'],
        ['fee', null],
      ],
    );
  });

  test('a small limit, a period without anything, and one that ends before', async () => {
    const stage = await aStripe();
    await control(stage, 'fill', { count: 30, everySeconds: 60 });
    const { lines } = await readAll(stage, 4);
    assert.equal(lines.length, 60);
    assert.deepEqual((await readAll(await aStripe())).lines, []);
    const to = stage.world.clock.now().subtract({ seconds: 60 * 15 });
    const from = to.subtract({ seconds: 60 * 5 });
    const some = await stage.stripe.statement({ from, to, after: null, limit: 100, deadlineMilliseconds: 10_000 });
    assert.equal(some.kind === 'page' && some.lines.filter(({ kind }) => kind === 'other').length, 5);
  });

  // Guarantee: what is not in the currency of the books is named, not converted.
  test('lines in another currency', async () => {
    const stage = await aStripe();
    stage.fake.provider.changeSettings({ currency: 'eur' });
    await control(stage, 'fill', { count: 2 });
    const { lines, unreadable } = await readAll(stage);
    assert.deepEqual([lines.length, unreadable], [0, 2]);
  });

  // Guarantee: a page that was read is not lost when the next one is.
  test('ends early when the provider stops answering, and goes on', async () => {
    const stage = await aStripe();
    await control(stage, 'fill', { count: 250, everySeconds: 1 });
    const to = stage.world.clock.now().add({ seconds: 1 });
    const period = { from: to.subtract({ hours: 24 }), to, limit: 5_000, deadlineMilliseconds: 10_000 };
    stage.faults({ kind: 'lostAnswer', endpoint: 'balance_transactions', skip: 1 });
    const first = await stage.stripe.statement({ ...period, after: null });
    assert.deepEqual(await stage.stripe.statement({ ...period, after: 'txn_x' }), { kind: 'unknown' });
    stage.faults();
    assert.ok(first.kind === 'page' && first.next !== null && first.lines.length === 200);
    const second = await stage.stripe.statement({ ...period, after: first.next });
    assert.ok(second.kind === 'page' && second.next === null && second.lines.length === 300);
  });

  // Guarantee: a day of disputes is read however many there are: each try goes on where the one before ended.
  test('disputes that do not say whose they are, while the provider stops answering', async () => {
    const stage = await aStripe();
    for (let number = 0; number < 12; number += 1) await stage.stripe.charge(aCharge(stage.world));
    stage.wait(24 * 3_600);
    for (const { id } of heldAt(stage.fake).intents) await control(stage, 'disputes', { payment_intent: id });
    const to = stage.world.clock.now().add({ seconds: 1 });
    const period = { from: to.subtract({ hours: 1 }), to, limit: 5_000, deadlineMilliseconds: 10_000 };
    stage.faults({ kind: 'lostAnswer', endpoint: 'GET /v1/payment_intents/:id', skip: 7, times: 100 });
    const first = await stage.stripe.statement({ ...period, after: null });
    assert.ok(first.kind === 'page' && first.next !== null);
    stage.faults();
    const second = await stage.stripe.statement({ ...period, after: first.next });
    assert.ok(second.kind === 'page' && second.next === null);
    const keys = [...first.lines, ...second.lines].flatMap((line) => (line.kind === 'dispute' ? [line.chargeKey] : []));
    assert.equal(new Set(keys).size, 12);
    assert.equal(keys.length, 12);
  });
});

function refundId({ fake }: Stage): string {
  return fake.provider.store.list('refund', `${fake.provider.main.account}/test`, { limit: 1 })[0]?.id ?? '';
}

/** What the lines leave at the provider. */
function sumOf(lines: readonly StatementLine[]): bigint {
  return lines.reduce((sum, line) => sum + movementOf(line), 0n);
}

function movementOf(line: StatementLine): bigint {
  const { minor } = line.amount;
  switch (line.kind) {
    case 'capture':
    case 'refundReturned':
    case 'disputeWon':
    case 'payoutReturned':
      return minor;
    case 'other':
      return line.taken ? -minor : minor;
    case 'payout':
      return -minor - line.fee.minor;
    default:
      return -minor;
  }
}

function balanceOf({ fake }: Stage): number {
  const { available, pending } = fake.provider.store.sumBalance(
    `${fake.provider.main.account}/test`,
    Math.floor(fake.provider.now() / 1_000),
  );
  return available + pending;
}
