// R7, GET /recurring/{recurringId}/schedule: what comes next, and why.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import fc from 'fast-check';
import { checkInvariants } from '../support/payments.ts';
import {
  aRecurring,
  askRecurring,
  attemptsOf,
  chargeAll,
  chargeAtMost,
  pauseCharges,
  recurringOf,
} from '../support/recurring.ts';
import { chargeDue } from '../support/rooms.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

interface Item {
  readonly date: string;
  readonly kind: 'charge' | 'retry';
  readonly iterationCount: number;
  readonly iterationAttemptCount: number;
  readonly rule: string;
  readonly condition: string | null;
}

const ifFails = 'If the attempt before it fails.';

suite('GET /recurring/{recurringId}/schedule', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const schedule = (id: string, query = '', token = merchant.token) =>
    service.ask('GET', `/recurring/${id}/schedule${query}`, { token });
  const brief = (items: readonly Item[]) =>
    items.map((item) => `${item.kind} ${item.iterationCount}.${item.iterationAttemptCount} ${item.date}`);

  // Guarantee: dates with the rule behind each; month ends are explained.
  test('200: charges and their retries', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: {
        firstChargeDate: '2027-01-31T10:00:00+01:00',
        chargeCount: 3,
        retryIntervals: [{ value: 90, unit: 'minutes' }],
      },
    });
    const { status, body } = await schedule(id);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id,
      status: 'active',
      dates: { first: '2027-01-31T10:00:00+01:00', next: '2027-01-31T10:00:00+01:00', past: [] },
      items: [
        {
          date: '2027-01-31T10:00:00+01:00',
          kind: 'charge',
          iterationCount: 1,
          iterationAttemptCount: 1,
          rule: 'Charge 1 of 3: the first charge date.',
          condition: null,
        },
        {
          date: '2027-01-31T11:30:00+01:00',
          kind: 'retry',
          iterationCount: 1,
          iterationAttemptCount: 2,
          rule: 'Retry 1 of 1: 90 minutes after the failed attempt (own schedule).',
          condition: ifFails,
        },
        {
          date: '2027-02-28T10:00:00+01:00',
          kind: 'charge',
          iterationCount: 2,
          iterationAttemptCount: 1,
          rule: 'Charge 2 of 3: every month from 31 January 2027; the 31st clamped to 28 February.',
          condition: 'Once charge 1 is made.',
        },
        {
          date: '2027-03-31T10:00:00+02:00',
          kind: 'charge',
          iterationCount: 3,
          iterationAttemptCount: 1,
          rule: 'Charge 3 of 3: every month from 31 January 2027.',
          condition: 'Once charge 2 is made.',
        },
      ],
      end: 'Charge 3 is the last.',
    });
  });

  // Guarantee: twelve by default, up to a hundred on request.
  test('200: limit', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2030-01-01T10:00:00Z', retryIntervals: [] },
    });
    assert.equal((await schedule(id)).body.items.length, 12);
    assert.equal((await schedule(id, '?limit=1')).body.items.length, 1);
    assert.equal((await schedule(id, '?limit=100')).body.items.length, 100);
    assert.equal((await schedule(id)).body.end, null);
  });

  // Guarantee: one that has ended says why nothing comes.
  test('200: nothing comes', async () => {
    const canceled = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    await askRecurring(service, merchant, canceled, 'cancel');
    const finished = await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    const failed = await aRecurring(service, merchant, {
      schedule: { retryIntervals: [] },
      paymentInstrument: { value: 'payer-rejected' },
    });
    await chargeAll(service.world);
    for (const [id, end] of [
      [canceled, 'No retry and no charge: canceled.'],
      [finished, 'No retry and no charge: all charges were made.'],
      [failed, 'No retry and no charge: the last retry failed. A new payment instrument restores it.'],
    ] as const) {
      const { body } = await schedule(id);
      assert.deepEqual([body.items, body.end], [[], end]);
    }
  });

  // Guarantee: after a failure the remaining retries, counted from the attempt that failed.
  test('200: after a failure, and with a retry by hand due', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z', retryIntervals: Array(2).fill({ value: 1, unit: 'days' }) },
      paymentInstrument: { value: 'payer-rejected' },
    });
    await chargeAll(service.world);
    assert.deepEqual(brief((await schedule(id, '?limit=3')).body.items), [
      'retry 1.2 2026-03-11T10:00:00+01:00',
      'retry 1.3 2026-03-12T10:00:00+01:00',
      'charge 2.1 2026-04-10T10:00:00+02:00',
    ]);
    await askRecurring(service, merchant, id, 'retry');
    const { items } = (await schedule(id, '?limit=4')).body;
    assert.deepEqual(brief(items), [
      'retry 1.2 2026-03-10T10:00:00+01:00',
      'retry 1.3 2026-03-11T10:00:00+01:00',
      'retry 1.4 2026-03-12T10:00:00+01:00',
      'charge 2.1 2026-04-10T10:00:00+02:00',
    ]);
    assert.equal(items[0].rule, 'Retry by hand: at once; the scheduled retries stay where they are.');
    assert.deepEqual(
      items.map(({ condition }: Item) => condition),
      [null, ifFails, ifFails, 'Once charge 1 is made.'],
    );
    await askRecurring(service, merchant, id, 'cancel');
  });

  // Guarantee: while an attempt is in flight, what follows counts from when it was made, not from the time of the
  // request.
  test('200: an attempt is in flight', async () => {
    const made = async (manual: boolean) => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: '2026-03-10T09:00:00Z' },
        paymentInstrument: { value: 'payer-rejected' },
      });
      if (manual) {
        await chargeAll(service.world);
        await askRecurring(service, merchant, id, 'retry');
      }
      const held = pauseCharges(service.world, 'before');
      const round = chargeDue(held.world);
      await held.gate.arrived();
      const end = () => {
        held.gate.open();
        return round;
      };
      return { id, end };
    };
    const byClock = await made(false);
    service.world.clock.advance({ minutes: 7 });
    const [next] = (await schedule(byClock.id)).body.items;
    assert.deepEqual(
      [brief([next])[0], next.condition, next.rule.slice(0, 13)],
      ['retry 1.2 2026-03-11T10:00:00+01:00', ifFails, 'Retry 1 of 14'],
    );
    await byClock.end();
    assert.deepEqual(brief((await schedule(byClock.id)).body.items)[0], brief([next])[0]);
    await askRecurring(service, merchant, byClock.id, 'cancel');

    const byHand = await made(true);
    const [after] = (await schedule(byHand.id)).body.items;
    assert.deepEqual([brief([after])[0], after.condition], ['retry 1.3 2026-03-11T10:07:00+01:00', ifFails]);
    await byHand.end();
    assert.deepEqual(brief((await schedule(byHand.id)).body.items)[0], brief([after])[0]);
    await askRecurring(service, merchant, byHand.id, 'cancel');
  });

  test('400, 401, 403 not, 404', async () => {
    const id = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    for (const [query, expected] of [
      ['?limit=0', 'too_low limit'],
      ['?limit=101', 'too_high limit'],
      ['?limit=x', 'not_integer limit'],
    ] as const) {
      const answer = await schedule(id, query);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [expected]]);
    }
    assert.equal((await service.ask('GET', `/recurring/${id}/schedule`)).status, 401);
    assert.equal((await schedule(id, '', (await aCredential(service, merchant, 'read_only')).token)).status, 200);
    assert.equal((await schedule(id, '', (await aMerchant(service)).token)).status, 404);
    assert.equal((await schedule(service.world.ids.ulid())).status, 404);
    assert.equal((await schedule('x')).status, 404);
  });
});

const anyRetry = fc.oneof(
  fc.record({ value: fc.integer({ min: 1, max: 5_000 }), unit: fc.constant('minutes') }),
  fc.record({ value: fc.integer({ min: 1, max: 40 }), unit: fc.constant('days') }),
  fc.record({ value: fc.integer({ min: 1, max: 3 }), unit: fc.constant('months') }),
);

const anyRun = fc.record({
  /** Minutes after the run starts; if negative, the first charge is due immediately. */
  firstIn: fc.integer({ min: -1_440, max: 500_000 }),
  interval: fc.integer({ min: 1, max: 60 }),
  intervalType: fc.constantFrom('days', 'months'),
  chargeCount: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  retryIntervals: fc.option(fc.array(anyRetry, { maxLength: 4 }), { nil: null }),
  /** How many attempts of each iteration fail; the last may be too many. */
  failures: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }),
  zone: fc.constantFrom('Europe/Warsaw', 'America/New_York', 'UTC'),
});

suite('GET /recurring/{recurringId}/schedule, past dates', () => {
  // Guarantee: past attempts are shown, the newest first, as many as asked for; with one in flight, what follows it.
  test('200', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const schedule = (id: string, query = '') =>
      service.ask('GET', `/recurring/${id}/schedule${query}`, { token: merchant.token });
    const id = await aRecurring(service, merchant, {
      schedule: { retryIntervals: [{ value: 1, unit: 'days' }] },
      paymentInstrument: { value: 'fail-1-insufficient-funds' },
    });
    const held = pauseCharges(service.world, 'before');
    const round = chargeDue(held.world);
    await held.gate.arrived();
    const past = ({ body }: Awaited<ReturnType<typeof schedule>>) =>
      body.dates.past.map((date: Record<string, unknown>) => `${date.date} ${date.status}`);
    const [first, second] = ['2026-03-10T10:00:00+01:00', '2026-03-11T10:00:00+01:00'];
    const during = await schedule(id);
    assert.deepEqual([past(during), during.body.dates.next], [[`${first} pending`], second]);
    held.gate.open();
    await round;
    service.world.clock.advance({ hours: 24 });
    await chargeAll(service.world);
    assert.deepEqual(past(await schedule(id)), [`${second} correct`, `${first} failed`]);
    assert.deepEqual(past(await schedule(id, '?limit=1')), [`${second} correct`]);
    assert.equal((await schedule(id)).body.dates.next, '2026-04-10T10:00:00+02:00');
    await askRecurring(service, merchant, id, 'cancel');
  });
});

suite('what the schedule lists is what then happens', () => {
  // Guarantee: one listing predicts all attempts of the open iteration and the next charge: the clock is moved to each
  // date in turn, each charge gets the outcome that the next item's condition names, and the attempts are exactly
  // those.
  test('random plans and outcomes', { timeout: 300_000 }, async () => {
    const service = await aService();
    await fc.assert(
      fc.asyncProperty(anyRun, async ({ firstIn, failures, zone, ...plan }) => {
        const merchant = await aMerchant(service, { zone });
        const firstChargeDate = service.world.clock.now().add({ minutes: firstIn }).toString();
        const id = await aRecurring(service, merchant, { schedule: { ...plan, firstChargeDate } });
        const seen: string[] = [];
        for (const failing of failures) {
          if ((await recurringOf(service, merchant, id)).status !== 'active') break;
          seen.push(...(await followListing(service, merchant, id, failing)));
        }
        const attempts = await attemptsOf(service, merchant, id);
        assert.deepEqual(
          attempts.map((item) => `${item.iterationCount}.${item.iterationAttemptCount} ${item.createdAt}`),
          seen,
        );
        await askRecurring(service, merchant, id, 'cancel');
      }),
      { seed: 20_260_310, numRuns: 50 },
    );
    await checkInvariants(service.world);
  });
});

/** Lists once, then lets one iteration happen as listed, with this many failures; returns the predicted attempts. */
async function followListing(service: Service, merchant: TestMerchant, id: string, failing: number): Promise<string[]> {
  const value = failing === 0 ? 'good' : `fail-${failing}-insufficient-funds`;
  await askRecurring(service, merchant, id, 'payment_instrument', {
    paymentInstrument: { paymentType: 'card_token', value },
  });
  const list = async (): Promise<Item[]> => {
    const { body } = await service.ask('GET', `/recurring/${id}/schedule?limit=100`, { token: merchant.token });
    return body.items;
  };
  const items = await list();
  const [open] = items;
  assert.ok(open);
  const ofIteration = items.filter(({ iterationCount }) => iterationCount === open.iterationCount);
  assert.deepEqual(
    ofIteration.map(({ condition }) => condition),
    ofIteration.map((_, index) => (index === 0 ? null : ifFails)),
  );
  const happening = ofIteration.slice(0, failing + 1);
  for (const { date } of happening) {
    service.world.clock.set(Temporal.Instant.from(date).toString());
    // One at a time, because the next charge may be due immediately.
    assert.equal(await chargeAtMost(service.world, 1), 1);
  }
  const next = items.find(({ iterationCount }) => iterationCount === open.iterationCount + 1);
  await checkAfter(service, merchant, id, { failed: failing >= ofIteration.length, next, list });
  return happening.map((item) => `${item.iterationCount}.${item.iterationAttemptCount} ${item.date}`);
}

interface Promised {
  readonly failed: boolean;
  readonly next: Item | undefined;
  readonly list: () => Promise<Item[]>;
}

/** The iteration is over: failed, finished, or the next charge is where the listing said, but not before now. */
async function checkAfter(service: Service, merchant: TestMerchant, id: string, promised: Promised): Promise<void> {
  const { status } = await recurringOf(service, merchant, id);
  const { failed, next, list } = promised;
  assert.equal(status, failed ? 'failed' : next ? 'active' : 'finished');
  if (status !== 'active' || !next) return;
  const [first] = await list();
  const due = Temporal.Instant.from(next.date).epochMilliseconds;
  const at = Math.max(due, service.world.clock.now().epochMilliseconds);
  assert.equal(Temporal.Instant.from(first?.date ?? '').epochMilliseconds, at);
}
