// The simulator and an acquirer over HTTP side by side: `grosz bank` is a process of its own, with the same protocol as a real
// connector.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { type Acquirers, addRoute, signingKeysFrom } from '../../src/acquirer/index.ts';
import { openAcquirersOf, refuseLeftBehind } from '../../src/acquirers.ts';
import { pause, systemClock } from '../../src/runtime/index.ts';
import { aPaidTransaction, aTransaction, payBlik, show } from '../support/payments.ts';
import { quietPort, startGrosz } from '../support/process.ts';
import { refund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import {
  aFolder,
  aMerchant,
  atEnd,
  aWorld,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';
import { attemptsAt } from '../support/two-banks.ts';
import { findingsOf } from '../support/verify.ts';

const secret = `main:${'s'.repeat(40)}`;

/** What it says that it takes. */
const offered = ['blik', 'transfer'].map((method) => ({
  method,
  currency: 'PLN',
  leastMinor: 200,
  mostMinor: 100_000,
}));

let service: Service;
let merchant: TestMerchant;
let acquirers: Acquirers;

before(async () => {
  const world = await aWorld();
  for (const clock of [world.clock, world.wall]) clock.set(systemClock.now().toString());
  const port = await quietPort();
  const keys = signingKeysFrom(secret);
  assert.ok(keys);
  const config = {
    ...world.config,
    acquirers: ['simulator', 'http'] as const,
    acquirer: { url: `http://127.0.0.1:${port}`, keys, name: 'acquirer' },
    bankFile: world.bankFile,
  };
  const opened = await openAcquirersOf({ ...world, config });
  acquirers = opened.acquirers;
  atEnd(async () => {
    for (const one of acquirers.list) await one.close?.();
  });
  service = await serve({ ...world, config, acquirers });
  merchant = await aMerchant(service);
  // The path of callbacks when there was one acquirer.
  const callbackUrl = `${service.url}/acquirer/callback`;
  const args = ['bank', '--port', String(port), '--callback-url', callbackUrl, '--offers', JSON.stringify(offered)];
  const settings = { ACQUIRER_SECRET: secret, BANK_FILE: join(await aFolder(), 'bank.sqlite'), LOG_LEVEL: 'silent' };
  await startGrosz(args, settings).until(/is listening/);
});

/** The link of the payer, who confirms at the page of the bank. */
async function payByTransfer(): Promise<string> {
  const id = await aTransaction(service, merchant, { amount: 25 });
  const body = { channelId: 21 };
  const answer = await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
  assert.equal(answer.status, 200, answer.text);
  const link = String(answer.body.transactionPaymentUrl);
  await fetch(link, { method: 'POST', body: new URLSearchParams({ choice: 'confirm' }), redirect: 'manual' });
  return id;
}

/** Who would take this much through this channel, in turn. */
async function takers(channelId: number, amountMinor?: bigint): Promise<string[]> {
  const choose = await acquirers.choice();
  const facts = { merchantId: merchant.id, channelId, currency: 'PLN', ...(amountMinor && { amountMinor }) } as const;
  return choose(facts).map(({ name }) => name);
}

suite('ACQUIRERS=simulator,http', () => {
  test('the first takes what is new', async () => {
    assert.deepEqual(
      acquirers.list.map(({ name, takesNew, chargesPerSecond }) => [name, takesNew, chargesPerSecond]),
      [
        ['simulator', true, Number.POSITIVE_INFINITY],
        ['http', true, 500],
      ],
    );
    assert.deepEqual(await attemptsAt(service.world, await aPaidTransaction(service, merchant)), ['simulator correct']);
    await refuseLeftBehind(service.world);
  });

  // Guarantee: a service that started before the connector answered learns what that takes, and sends it nothing else.
  test('what the other takes is learned when it can be asked', async () => {
    assert.deepEqual(await takers(53), ['simulator', 'acquirer']);
    service.world.wall.advance({ seconds: 61 });
    const learnedBy = performance.now() + 20_000;
    while ((await takers(53)).length > 1) {
      assert.ok(performance.now() < learnedBy, 'what it takes was not learned');
      await pause(50);
    }
    assert.deepEqual(await takers(64), ['simulator', 'acquirer']);
    assert.deepEqual(await takers(64, 100_000n), ['simulator', 'acquirer']);
    for (const amount of [199n, 100_001n]) assert.deepEqual(await takers(64, amount), ['simulator']);
  });

  // Guarantee: a connector that was written when there was one acquirer goes on: its callbacks have the path of then.
  test('a route to the other: a payment, its callback at the old path, its refund', async () => {
    await addRoute(service.world, { acquirer: 'http', channelId: 21 });
    await addRoute(service.world, { acquirer: 'http', channelId: 64 });
    const dear = await aTransaction(service, merchant, { amount: 1_000.01 });
    const refused = await payBlik(service, merchant, dear);
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['not_valid channelId']]);
    const id = await payByTransfer();
    const paidBy = performance.now() + 20_000;
    while ((await show(service, merchant, id)).body.status !== 'paid') {
      assert.ok(performance.now() < paidBy, 'no callback came');
      await pause(100);
    }
    assert.deepEqual(await attemptsAt(service.world, id), ['acquirer correct']);
    const paid = await aPaidTransaction(service, merchant);
    assert.deepEqual(await attemptsAt(service.world, paid), ['acquirer correct']);
    assert.equal((await refund(service, merchant, paid, {})).status, 200);
    service.world.clock.advance({ seconds: 10 });
    await tickAll(service.world);
    assert.equal((await show(service, merchant, paid)).body.status, 'refund');
    assert.deepEqual(await findingsOf(service.world), []);
  });

  test('its test says that it answers, and that one of another secret does not', async () => {
    const http = acquirers.list.find(({ name }) => name === 'http');
    const codes: string[] = [];
    const waited = { cameSince: async () => false };
    for await (const { code } of http?.check?.(waited) ?? []) codes.push(code);
    for await (const { code } of acquirers.list[0]?.check?.(waited) ?? []) codes.push(code);
    assert.deepEqual(codes, ['answers', 'offers_read', 'simulated']);
  });
});
