// Several nodes that charge concurrently, and merchants who change things at the same moment.

import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import { readInteger, readText } from '../../src/database/index.ts';
import { checkInvariants } from '../support/payments.ts';
import {
  aRecurring,
  aRecurringRequest,
  askRecurring,
  attemptsOf,
  chargeAll,
  notificationsOf,
  pauseCharges,
  postRecurring,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import { countCharges, drawFaults, playRecurring, untilDecided } from '../support/recurring-scenario.ts';
import { chargeDue, handleCallback, lookUpCharges } from '../support/rooms.ts';
import { Seeded } from '../support/seeded.ts';
import {
  aMerchant,
  aNode,
  aService,
  atEnd,
  type Service,
  serve,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';

const fees = { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n };

let service: Service;
let other: Service;
let nodes: TestWorld[];
let merchant: TestMerchant;

before(async () => {
  service = await aService();
  other = await serve(await aNode(service.world));
  nodes = [service.world, other.world, await aNode(service.world), await aNode(service.world)];
  merchant = await aMerchant(service, fees);
  atEnd(() => checkInvariants(service.world));
});
afterEach(() => service.world.bank.setFaults({}));

const captures = () => service.world.bank.record().captures.length;
const dueNow = (overrides: object = {}) => ({ firstChargeDate: service.world.clock.now().toString(), ...overrides });
const many = (count: number, overrides: Record<string, unknown> = {}) =>
  Promise.all(
    Array.from({ length: count }, () =>
      aRecurring(service, merchant, { schedule: dueNow({ chargeCount: 1 }), ...overrides }),
    ),
  );
const advance = async (seconds: number) => {
  for (let passed = 0; passed < seconds; passed += 1) {
    service.world.clock.advance({ seconds: 1 });
    await Promise.all(nodes.map(chargeAll));
  }
};

suite('several nodes', () => {
  // Guarantee: with any number of workers on one database, each charge is made by one of them, once.
  test('four nodes, three hundred charges', async () => {
    const ids = await many(300);
    const before = captures();
    const shares = await Promise.all(nodes.map(chargeDue));
    await Promise.all(nodes.map(chargeAll));
    assert.equal(captures() - before, 300);
    assert.ok(shares.reduce((sum, share) => sum + share, 0) <= 300);
    for (const id of ids) assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: a charge whose response got lost is looked up by many and settled once.
  test('four nodes look up the same charges', async () => {
    const ids = await many(40, { paymentInstrument: { value: 'lost-answer' } });
    await chargeAll(service.world);
    service.world.clock.advance({ seconds: 3 });
    await Promise.all([...nodes, ...nodes].map(lookUpCharges));
    for (const id of ids) {
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
      assert.equal((await notificationsOf(service, id)).length, 1);
    }
  });

  // Guarantee: the round that claimed a charge has it alone until its lease ends; then others look it up.
  test('a claimed charge is nobody else’s', async () => {
    const [id = ''] = await many(1);
    const held = pauseCharges(service.world, 'before');
    const round = chargeDue(held.world);
    await held.gate.arrived(1);
    assert.deepEqual(await Promise.all(nodes.map(lookUpCharges)), [0, 0, 0, 0]);
    service.world.clock.advance({ seconds: 11 });
    assert.deepEqual(await Promise.all(nodes.map(chargeDue)), [0, 0, 0, 0]);
    assert.deepEqual(await Promise.all(nodes.map(lookUpCharges)), [0, 0, 0, 0]);
    service.world.clock.advance({ seconds: 1 });
    assert.equal(await lookUpCharges(other.world), 1);
    held.gate.open();
    await round;
    await advance(60);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: response, lookup and callbacks of one charge at the same moment settle it once.
  test('callbacks against responses', async () => {
    service.world.bank.setFaults({ duplicateCallback: { probability: 1, seed: 1 } });
    const ids = await many(40);
    const keys = async () => (await Promise.all(ids.map((id) => attemptsOf(service, merchant, id)))).flat();
    const held = pauseCharges(service.world, 'after');
    const round = chargeDue(held.world);
    await held.gate.arrived(40);
    const callbacks = (await keys()).flatMap(({ transactionId: key }) =>
      nodes.map((node) =>
        handleCallback(node, {
          kind: 'charge',
          key,
          result: { kind: 'approved', amount: { minor: 4_990n, currency: 'PLN' } },
        }),
      ),
    );
    held.gate.open();
    await Promise.all([round, ...callbacks, ...nodes.map(chargeAll)]);
    for (const id of ids) assert.equal((await notificationsOf(service, id)).length, 1);
  });

  // Guarantee: a node that lost its lease while it was alive changes nothing when it wakes up.
  for (const value of ['tok', 'payer-rejected']) {
    test(`a lease lost while alive: ${value}`, async () => {
      const [id = ''] = await many(1, {
        schedule: dueNow({ chargeCount: 1, retryIntervals: [] }),
        paymentInstrument: { value },
      });
      const held = pauseCharges(service.world, 'after');
      const round = chargeDue(held.world);
      await held.gate.arrived();
      await advance(20);
      const [before, notified] = [await attemptsOf(service, merchant, id), await notificationsOf(service, id)];
      assert.equal(before[0]?.status, value === 'tok' ? 'correct' : 'failed');
      held.gate.open();
      await round;
      assert.deepEqual(
        [await attemptsOf(service, merchant, id), await notificationsOf(service, id)],
        [before, notified],
      );
    });
  }

  // Guarantee: a node that slept between its claim and its send uses the same key: the bank charges once.
  test('a node that slept before the send', async () => {
    const [id = ''] = await many(1);
    const before = captures();
    const held = pauseCharges(service.world, 'before');
    const round = chargeDue(held.world);
    await held.gate.arrived();
    await advance(20);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    held.gate.open();
    await round;
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal(captures() - before, 1);
  });

  // Guarantee: fifty requests with one id at two nodes create one recurring payment.
  test('R1 with one id on two nodes', async () => {
    const given = aRecurringRequest(service, { schedule: { firstChargeDate: '2035-01-01T10:00:00Z' } });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => postRecurring(index % 2 === 0 ? service : other, merchant, given)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(49).fill(200), 201]);
  });
});

suite('merchants who change things', () => {
  // Guarantee: a cancel comes before the charge, and nothing is charged, or after it, and it is reported; nothing
  // follows.
  test('cancel against charge', async () => {
    const ids = await many(60, { schedule: dueNow({ interval: 1, intervalType: 'days' }) });
    const cancels = ids.map((id, index) => askRecurring(index % 2 === 0 ? service : other, merchant, id, 'cancel'));
    const [, ...answers] = await Promise.all([Promise.all(nodes.map(chargeDue)), ...cancels]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    await advance(20);
    service.world.clock.advance({ hours: 72 });
    await Promise.all(nodes.map(chargeAll));
    for (const id of ids) {
      const story = await storyOf(service, merchant, id);
      assert.ok(story.length === 0 || story.join() === '1.1 correct', story.join());
      assert.equal((await notificationsOf(service, id)).length, story.length);
      assert.equal((await recurringOf(service, merchant, id)).status, 'canceled');
    }
  });

  // Guarantee: a manual retry and the scheduled one make one live attempt; the other is refused or comes later.
  test('retry by hand against the scheduled one', async () => {
    const ids = await many(40, {
      schedule: dueNow({ chargeCount: 1, retryIntervals: [{ value: 1, unit: 'minutes' }] }),
      paymentInstrument: { value: 'fail-1-insufficient-funds' },
    });
    await chargeAll(service.world);
    service.world.clock.advance({ minutes: 1 });
    const before = captures();
    const asking = ids.flatMap((id) => [service, other].map((at) => askRecurring(at, merchant, id, 'retry')));
    const [, ...answers] = await Promise.all([Promise.all(nodes.map(chargeDue)), ...asking]);
    await Promise.all(nodes.map(chargeAll));
    for (const { status } of answers) assert.ok(status === 201 || status === 406);
    for (const id of ids) {
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed insufficient funds', '1.2 correct']);
    }
    assert.equal(captures() - before, 40);
    assert.deepEqual(
      new Set(await Promise.all(ids.map(async (id) => (await recurringOf(service, merchant, id)).status))),
      new Set(['finished']),
    );
  });

  // Guarantee: each attempt is charged with the instrument that it was claimed with.
  test('instrument change against charge', async () => {
    const ids = await many(60, {
      schedule: dueNow({ chargeCount: 1, retryIntervals: [{ value: 1, unit: 'minutes' }] }),
      paymentInstrument: { value: 'instrument-rejected' },
    });
    const body = {
      paymentInstrument: { paymentType: 'blik_payid', value: 'alias', blik: { model: 'A', noDelay: true } },
    };
    const changes = ids.map((id) => askRecurring(service, merchant, id, 'payment_instrument', body));
    const [, ...answers] = await Promise.all([Promise.all(nodes.map(chargeDue)), ...changes]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    await Promise.all(nodes.map(chargeAll));
    // A card attempt is declined and an alias attempt is not; the transaction names the channel that was used.
    const mixed = await service.world.db.sql.many(
      (row) => `${readText(row, 'state')} ${readInteger(row, 'channel_id')}`,
    )`
      select distinct attempt.state, transaction.channel_id
        from charge as attempt join transaction on transaction.id = attempt.transaction_id
       where attempt.recurring_id = any(${ids}::text[])`;
    assert.deepEqual(
      mixed.filter((seen) => seen !== 'failed 53' && seen !== 'correct 64'),
      [],
    );
    service.world.clock.advance({ minutes: 2 });
    await Promise.all(nodes.map(chargeAll));
    for (const id of ids) assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
  });

  // Guarantee: all three concurrently leave a consistent record.
  test('cancel, retry and instrument change against charges', async () => {
    const ids = await many(40, { paymentInstrument: { value: 'fail-2-payer-rejected' } });
    for (let round = 0; round < 4; round += 1) {
      const asking = ids.flatMap((id, index) => [
        askRecurring(service, merchant, id, 'retry'),
        askRecurring(other, merchant, id, 'payment_instrument', {
          paymentInstrument: { paymentType: 'card_token', value: `fail-${round}-payer-rejected` },
        }),
        ...(index % 4 === round ? [askRecurring(other, merchant, id, 'cancel')] : []),
      ]);
      const [, ...answers] = await Promise.all([Promise.all(nodes.map(chargeAll)), ...asking]);
      for (const { status, text } of answers) assert.ok([200, 201, 406, 409].includes(status), text);
      service.world.clock.advance({ hours: 12 });
    }
    await Promise.all(nodes.map(chargeAll));
  });
});

suite('failed ones that are restored', () => {
  const failedOnes = async (count: number, schedule: object = {}) => {
    const ids = await many(count, {
      schedule: dueNow({ chargeCount: 2, retryIntervals: [], ...schedule }),
      paymentInstrument: { value: 'instrument-invalid' },
    });
    await chargeAll(service.world);
    return ids;
  };
  const restore = (at: Service, id: string, value: string) =>
    askRecurring(at, merchant, id, 'payment_instrument', { paymentInstrument: { paymentType: 'card_token', value } });

  // Guarantee: restored by several requests on two nodes while workers charge: one attempt follows, and one payment.
  test('R6 against R6 and the claim', async () => {
    const ids = await failedOnes(30);
    const before = captures();
    const asking = ids.flatMap((id) => [service, other, service].map((at) => restore(at, id, 'tok')));
    const [, ...answers] = await Promise.all([Promise.all(nodes.map(chargeDue)), ...asking]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    await Promise.all(nodes.map(chargeAll));
    assert.equal(captures() - before, 30);
    for (const id of ids) {
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument invalid', '1.2 correct']);
      await askRecurring(service, merchant, id, 'cancel');
    }
  });

  // Guarantee: with retries and cancels at the same moment each request is answered as if it came alone: restored and
  // then canceled, or canceled and then refused; nothing is charged after a cancel, nothing twice.
  test('R6 against R4, R5 and the claim', async () => {
    const ids = await failedOnes(60);
    const before = captures();
    const asking = ids.map((id, index) => {
      const [one, two] = index % 2 === 0 ? [service, other] : [other, service];
      return Promise.all([
        restore(one, id, index % 3 === 0 ? 'payer-rejected' : 'tok'),
        askRecurring(two, merchant, id, 'retry'),
        askRecurring(one, merchant, id, 'cancel'),
      ]);
    });
    const [, ...answers] = await Promise.all([Promise.all(nodes.map(chargeAll)), ...asking]);
    await advance(2);
    let paid = 0;
    for (const [index, id] of ids.entries()) {
      const [restored, retried, canceled] = answers[index] ?? [];
      assert.equal(canceled?.status, 200);
      assert.ok(restored?.status === 201 || restored?.status === 409);
      assert.ok(retried?.status === 406 || restored.status === 201);
      const { status } = await recurringOf(service, merchant, id);
      assert.equal(status, 'canceled');
      const [, ...later] = await storyOf(service, merchant, id);
      assert.ok(later.length <= (restored.status === 201 ? 2 : 0), later.join());
      paid += later.filter((attempt) => attempt.endsWith('correct')).length;
    }
    assert.equal(captures() - before, paid);
  });
});

suite('manual retries', () => {
  // Guarantee: one that is in flight when the scheduled retry falls due holds it up; that then comes at once, and its
  // own delay counts from there.
  test('in flight when the scheduled one is due', async () => {
    const [id = ''] = await many(1, {
      schedule: dueNow({
        retryIntervals: [
          { value: 1, unit: 'minutes' },
          { value: 1, unit: 'minutes' },
        ],
      }),
      paymentInstrument: { value: 'payer-rejected' },
    });
    await chargeAll(service.world);
    const started = service.world.clock.now();
    service.world.clock.advance({ seconds: 58 });
    assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
    const held = pauseCharges(service.world, 'after');
    const round = chargeDue(held.world);
    await held.gate.arrived();
    service.world.clock.advance({ seconds: 4 });
    await Promise.all(nodes.map(chargeDue));
    assert.equal((await attemptsOf(service, merchant, id)).length, 2);
    held.gate.open();
    await round;
    await Promise.all(nodes.map(chargeAll));
    const made = (await attemptsOf(service, merchant, id)).map(({ createdAt }) =>
      Temporal.Instant.from(createdAt).since(started).total('seconds'),
    );
    assert.deepEqual(made, [0, 58, 62]);
    service.world.clock.advance({ seconds: 60 });
    await chargeAll(service.world);
    assert.equal((await attemptsOf(service, merchant, id)).length, 4);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
  });

  // Guarantee: the 31st is refused, on whichever node and however many ask at once.
  test('the limit on two nodes', async () => {
    const [id = ''] = await many(1, { paymentInstrument: { value: 'payer-rejected' } });
    await chargeAll(service.world);
    let made = 0;
    for (let round = 0; round < 34; round += 1) {
      const answers = await Promise.all([service, other].map((at) => askRecurring(at, merchant, id, 'retry')));
      made += answers.filter(({ status }) => status === 201).length;
      await Promise.all(nodes.map(chargeDue));
    }
    assert.equal(made, 30);
    assert.equal((await attemptsOf(service, merchant, id)).length, 31);
    await askRecurring(service, merchant, id, 'cancel');
  });
});

suite('a bank that misbehaves', () => {
  // Guarantee: under any faults, no iteration is captured twice, none is missed, and all records agree; by seed. Each
  // has its own service: on a shared one, each took longer than the one before. `npm run prove` plays 200,000 charges.
  for (const seed of ['one', 'two', 'three']) {
    test(`seed ${seed}`, async () => {
      const draw = new Seeded(`race ${seed}`);
      const own = await aService();
      const stage = {
        service: own,
        nodes: [own.world, await aNode(own.world)],
        merchant: await aMerchant(own, fees),
        draw,
      };
      own.world.bank.setFaults(drawFaults(draw));
      await playRecurring(stage, 40, 24 * 6);
      assert.deepEqual(await untilDecided(stage), []);
      assert.deepEqual((await countCharges(own.world)).twice, []);
      await checkInvariants(own.world);
    });
  }
});
