// P44, P45 and P112: recurring payments on screen.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { passTime, settleAll } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;
let person: TestPerson;
let stranger: TestPerson;
let monthly: string;
let daily: string;
let later: string;

interface Row {
  readonly recurringId: string;
  readonly status: string;
  readonly dates: {
    readonly at: string;
    readonly kind: string;
    readonly rule: unknown;
    readonly condition: unknown;
  }[];
}

async function all(path: string, place: 'before' | 'after', who = person): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = ''; next !== null; ) {
    service.world.wall.advance({ milliseconds: 20 });
    const answer = await who.ask('GET', `${path}${next ? `&${place}=${next}` : ''}`);
    assert.equal(answer.status, 200, answer.text);
    rows.push(...answer.body.recurring);
    next = place === 'before' ? answer.body.nextBefore : answer.body.nextAfter;
  }
  return rows;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ recurringId }) => recurringId);

before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
  person = await aPerson(service, 'read_only', merchant.id);
  stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
  const first = (firstChargeDate: string, more: object = {}) => ({ schedule: { firstChargeDate, ...more } });
  monthly = await aRecurring(service, merchant, first('2026-03-31T10:00:00+02:00'));
  service.world.clock.advance({ minutes: 1 });
  daily = await aRecurring(
    service,
    merchant,
    first('2026-03-12T10:00:00+01:00', { intervalType: 'days', interval: 1 }),
  );
  service.world.clock.advance({ minutes: 1 });
  later = await aRecurring(service, merchant, first('2026-06-30T10:00:00+02:00'));
});

suite('GET /panel/api/recurring/calendar', () => {
  const path = '/panel/api/recurring/calendar';

  test('what comes in these days, in order, each date with its reason', async () => {
    const rows = await all(`${path}?days=60`, 'after');
    assert.deepEqual(idsOf(rows), [daily, monthly]);
    const [day, month] = rows;
    assert.equal(day?.dates.length, 20);
    assert.deepEqual(
      month?.dates
        .map(({ at, kind, rule, condition }) => [at, kind, rule, condition])
        .filter(([, kind]) => kind === 'charge'),
      [
        ['2026-03-31T08:00:00Z', 'charge', { code: 'first_charge', parameters: { total: null } }, null],
        [
          '2026-04-30T08:00:00Z',
          'charge',
          {
            code: 'charge',
            parameters: {
              number: 2,
              total: null,
              interval: 1,
              unit: 'months',
              from: '2026-03-31',
              clampedTo: '2026-04-30',
              skippedTime: null,
              movedTo: null,
            },
          },
          { code: 'once_charge_made', parameters: { number: 1 } },
        ],
      ],
    );
    assert.deepEqual(idsOf(await all(`${path}?days=60&limit=1`, 'after')), [daily, monthly]);
    assert.deepEqual(idsOf(await all(`${path}?days=2`, 'after')), []);
    assert.deepEqual(idsOf(await all(`${path}?days=3`, 'after')), [daily]);
    assert.deepEqual(idsOf(await all(`${path}?days=366`, 'after')), [daily, monthly, later]);
  });

  // Guarantee: after today's charge of a monthly one its next is there, also when the month has 31 days.
  test('by default the next charge of one that was charged today', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    await aRecurring(service, shop);
    await settleAll(service.world);
    const [row] = await all(`${path}?limit=50`, 'after', owner);
    assert.deepEqual(row?.dates.map(({ at }) => at.slice(0, 10)).slice(0, 1), ['2026-04-10']);
  });

  test('nothing of others; 400, 401', async () => {
    assert.deepEqual(await all(`${path}?days=366`, 'after', stranger), []);
    for (const [query, fault] of [
      ['days=0', 'too_low days'],
      ['days=367', 'too_high days'],
      ['after=x', 'not_valid after'],
    ] as const) {
      const answer = await person.ask('GET', `${path}?${query}`);
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, fault]);
    }
    assert.equal((await service.ask('GET', path)).status, 401);
  });
});

suite('GET /panel/api/recurring/{recurringId}/coming', () => {
  const pathOf = (id: string) => `/panel/api/recurring/${id}/coming`;

  // Guarantee: the panel gets codes, which it says in the user's language; the API's R7 has the same in sentences.
  test('each date with its rule as a code', async () => {
    const { status, body } = await person.ask('GET', `${pathOf(monthly)}?limit=2`);
    assert.equal(status, 200);
    assert.deepEqual([body.items.length, body.end, body.passed], [2, null, []]);
    const [charge, retry] = body.items;
    assert.deepEqual(charge.rule, { code: 'first_charge', parameters: { total: null } });
    assert.deepEqual(
      [retry.kind, retry.rule, retry.condition],
      [
        'retry',
        { code: 'retry', parameters: { number: 1, total: 14, delay: 1, unit: 'days', policy: 'default' } },
        { code: 'if_attempt_fails', parameters: {} },
      ],
    );
    const { items } = (await service.ask('GET', `/recurring/${monthly}/schedule?limit=2`, { token: merchant.token }))
      .body;
    assert.equal(items[1].rule, 'Retry 1 of 14: 1 day after the failed attempt (default policy).');
  });

  // Guarantee: nobody expects a charge that only comes after somebody's decision.
  test('what comes while a charge is parked', async () => {
    const own = await aService();
    const shop = await aMerchant(own);
    const reader = await aPerson(own, 'read_only', shop.id);
    own.world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 999_999 } });
    const id = await aRecurring(own, shop);
    await passTime(own.world, { hours: 90 }, 45);
    const { body } = await reader.ask('GET', `${pathOf(id)}?limit=3`);
    const conditions = body.items.map(({ condition }: Row['dates'][number]) => condition);
    assert.deepEqual(
      conditions.map((condition: { code: string } | null) => condition?.code),
      ['if_decided_failed', 'if_attempt_fails', 'if_attempt_fails'],
    );
  });

  test('400, 401, 404', async () => {
    assert.equal((await person.ask('GET', `${pathOf(monthly)}?limit=0`)).status, 400);
    assert.equal((await service.ask('GET', pathOf(monthly))).status, 401);
    assert.equal((await stranger.ask('GET', pathOf(monthly))).status, 404);
    assert.equal((await person.ask('GET', pathOf('x'))).status, 404);
  });
});

suite('GET /panel/api/recurring', () => {
  const path = '/panel/api/recurring';

  test('newest first, by status, over pages', async () => {
    await service.ask('POST', `/recurring/${later}/cancel`, { token: merchant.token });
    service.world.clock.set('2026-03-12T09:30:00Z');
    await settleAll(service.world);
    assert.deepEqual(idsOf(await all(`${path}?limit=1`, 'before')), [later, daily, monthly]);
    assert.deepEqual(idsOf(await all(`${path}?status=active`, 'before')), [daily, monthly]);
    assert.deepEqual(idsOf(await all(`${path}?status=canceled`, 'before')), [later]);
    const { body } = await person.ask('GET', path);
    const [, charged] = body.recurring;
    assert.equal(charged.recurringId, daily);
    assert.deepEqual([charged.amount, charged.iteration, charged.lastState], [49.9, 2, 'correct']);
    assert.deepEqual(await all(`${path}?limit=1`, 'before', stranger), []);
  });

  test('400, 401', async () => {
    const answer = await person.ask('GET', `${path}?before=x`);
    assert.deepEqual([answer.status, ...faultsOf(answer)], [400, 'not_valid before']);
    assert.equal((await service.ask('GET', path)).status, 401);
  });
});
