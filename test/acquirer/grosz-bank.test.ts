// The simulator and an acquirer over HTTP side by side: `grosz bank` is a process of its own, with the same protocol as a real
// connector.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { type Acquirers, addRoute, signingKeysFrom } from '../../src/acquirer/index.ts';
import { openAcquirersOf, refuseLeftBehind } from '../../src/acquirers.ts';
import { pause, systemClock } from '../../src/runtime/index.ts';
import { aPaidTransaction, aTransaction, show } from '../support/payments.ts';
import { quietPort, startGrosz } from '../support/process.ts';
import { refund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import { aFolder, aMerchant, atEnd, aWorld, type Service, serve, type TestMerchant } from '../support/service.ts';
import { attemptsAt } from '../support/two-banks.ts';
import { findingsOf } from '../support/verify.ts';

const secret = `main:${'s'.repeat(40)}`;

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
  const args = ['bank', '--port', String(port), '--callback-url', `${service.url}/acquirer/callback`];
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

  // Guarantee: a connector that was written when there was one acquirer goes on: its callbacks have the path of then.
  test('a route to the other: a payment, its callback at the old path, its refund', async () => {
    await addRoute(service.world, { acquirer: 'http', channelId: 21 });
    await addRoute(service.world, { acquirer: 'http', channelId: 64 });
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
    assert.deepEqual(codes, ['answers', 'simulated']);
  });
});
