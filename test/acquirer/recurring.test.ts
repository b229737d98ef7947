// Recurring charges with several acquirers: who makes which attempt, at whose pace, and what becomes of those nobody takes.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Acquirer } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { gated } from '../support/gate.ts';
import { aPaidTransaction, aTransaction, payCard, savedTokenOf } from '../support/payments.ts';
import { aRecurring, storyOf } from '../support/recurring.ts';
import { chargeDue, tickAll } from '../support/rooms.ts';
import { aMerchant, type Service, serve, type TestMerchant, type TestWorld } from '../support/service.ts';
import { aTwoBankWorld, type TwoBankWorld } from '../support/two-banks.ts';

let world: TwoBankWorld;
let service: Service;
let merchant: TestMerchant;

before(async () => {
  world = await aTwoBankWorld();
  service = await serve(world);
  merchant = await aMerchant(service);
});

/** `acquirer state` of each attempt, in order. */
const attemptsAt = (id: string) =>
  world.db.sql.many((row) => readText(row, 'made'))`
    select concat_ws(' ', acquirer, state) as made from charge where recurring_id = ${id} order by iteration, attempt`;

const declining = (bank: Acquirer): Acquirer => ({
  ...gated(bank, {}),
  charge: async () => ({ kind: 'declined', reason: 'instrument rejected' }),
});

const through = (...acquirers: Acquirer[]): TestWorld => ({ ...world, acquirers: acquirersOf(world, ...acquirers) });

const daily = { interval: 1, intervalType: 'days', chargeCount: 1 };

suite('the next attempt', () => {
  // Guarantee: a card that one acquirer declines may be taken by the next one; each attempt is a charge and a key of its own.
  test('with a card of our vault is made by the next acquirer', async () => {
    const paid = await aTransaction(service, merchant);
    await payCard(service, merchant, paid, { save: true });
    const value = await savedTokenOf(service, paid);
    const id = await aRecurring(service, merchant, { schedule: daily, paymentInstrument: { value } });
    await chargeDue(through(declining(world.bank), world.second));
    assert.deepEqual(await attemptsAt(id), ['simulator failed']);
    world.clock.advance({ hours: 24 });
    await chargeDue(through(declining(world.bank), world.second));
    assert.deepEqual(await attemptsAt(id), ['simulator failed', 'second correct']);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected', '1.2 correct']);
  });

  // Guarantee: a token of an acquirer means nothing to another one.
  test('with a token of the acquirer stays with it', async () => {
    const id = await aRecurring(service, merchant, { schedule: daily });
    const both = () => chargeDue(through(declining(world.bank), declining(world.second)));
    await both();
    world.clock.advance({ hours: 24 });
    await both();
    assert.deepEqual(await attemptsAt(id), ['simulator failed', 'simulator failed']);
  });
});

suite('the pace of each acquirer', () => {
  // Guarantee: a backlog at an acquirer that takes few charges does not keep those of another one waiting.
  test('is its own', async () => {
    const other = await aMerchant(service);
    const slow: string[] = [];
    for (let count = 0; count < 6; count += 1) slow.push(await aRecurring(service, merchant, { schedule: daily }));
    const quick = [
      await aRecurring(service, other, { schedule: daily }),
      await aRecurring(service, other, { schedule: daily }),
    ];
    const acquirers = acquirersOf(world, world.bank, world.second);
    const [first, second] = acquirers.list;
    assert.ok(first && second);
    const paced = {
      ...world,
      acquirers: {
        ...acquirers,
        list: [{ ...first, chargesPerSecond: 2 }, second],
        choice: async () => (facts: { merchantId: string }) => [
          facts.merchantId === other.id ? world.second : world.bank,
        ],
      },
    } as TestWorld;
    await chargeDue(paced);
    const made = (ids: string[]) => Promise.all(ids.map(async (id) => (await attemptsAt(id)).length));
    assert.deepEqual(await made(quick), [1, 1]);
    assert.equal((await made(slow)).filter((count) => count > 0).length, 2);
    world.wall.advance({ seconds: 1 });
    await chargeDue(paced);
    assert.equal((await made(slow)).filter((count) => count > 0).length, 4);
    await tickAll(world);
  });
});

suite('a charge that nobody takes', () => {
  // Guarantee: nothing is sent, the attempt fails with the reason of the service, and the retry is made by who takes it then.
  test('fails, is not sent, and is retried', async () => {
    const id = await aRecurring(service, merchant, { schedule: daily });
    const asked: string[] = [];
    const nobody = {
      ...gated(world.bank, {}),
      offers: [],
      charge: async ({ key }: { key: string }) => {
        asked.push(key);
        throw new Error('never');
      },
    } as Acquirer;
    const lines = through(nobody);
    await chargeDue(lines);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed internal error']);
    assert.deepEqual(asked, []);
    world.clock.advance({ hours: 24 });
    await chargeDue(world);
    assert.deepEqual(await attemptsAt(id), ['simulator failed', 'simulator correct']);
  });
});

suite('an acquirer that is set up no more', () => {
  // Guarantee: no process runs that could never learn what became of money.
  test('is missed at the start while it has begun something, and by name', async () => {
    await aPaidTransaction(service, merchant);
    const { refuseLeftBehind } = await import('../../src/acquirers.ts');
    const only = (bank: Acquirer) => refuseLeftBehind(through(bank));
    await only(world.bank);
    const id = await aTransaction(service, merchant, { amount: 12 });
    const answer = await service.ask('POST', `/transactions/${id}/pay`, {
      token: merchant.token,
      body: { channelId: 21 },
    });
    assert.equal(answer.status, 200, answer.text);
    await only(world.bank);
    await assert.rejects(only(world.second), /simulator: 1 charges without a result, 0 refunds on their way/);
  });
});
