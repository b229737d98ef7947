// The virtual clock: three years in one move have the same result as three years of waiting.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Work } from '../../src/platform/index.ts';
import { advance, SandboxClock } from '../../src/sandbox/index.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, attemptsOf } from '../support/recurring.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /sandbox/clock', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService({ clockOver: (wall) => new SandboxClock(wall) });
    merchant = await aMerchant(service, {}, 'operator');
  });

  // Guarantee: a jump over months makes each charge and each retry at its own time.
  test('charges and retries keep their own times', async () => {
    const monthly = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2026-03-31T10:00:00+02:00' } });
    const failing = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-12T07:15:00+01:00', interval: 10, intervalType: 'days' },
      paymentInstrument: { value: 'fail-2-insufficient-funds' },
    });
    const moved = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body: { advance: 'P4M' } });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(moved.body.now, '2026-07-10T09:00:00Z');
    assert.deepEqual(
      (await attemptsOf(service, merchant, monthly)).map(({ createdAt }) => createdAt),
      [
        '2026-03-31T10:00:00+02:00',
        '2026-04-30T10:00:00+02:00',
        '2026-05-31T10:00:00+02:00',
        '2026-06-30T10:00:00+02:00',
      ],
    );
    assert.deepEqual(
      (await attemptsOf(service, merchant, failing))
        .slice(0, 4)
        .map(({ createdAt, status }) => `${createdAt} ${status}`),
      [
        '2026-03-12T07:15:00+01:00 failed',
        '2026-03-13T07:15:00+01:00 failed',
        '2026-03-14T07:15:00+01:00 correct',
        '2026-03-22T07:15:00+01:00 failed',
      ],
    );
    await checkInvariants(service.world);
  });

  for (const [body, faults] of [
    [{}, 'field_required advance'],
    [{ advance: 'P1M', to: '2030-01-01T00:00:00Z' }, 'unexpected_field to'],
    [{ advance: '-P1M' }, 'not_valid advance'],
    [{ advance: 'soon' }, 'not_valid advance'],
    [{ to: '2020-01-01T00:00:00Z' }, 'too_low to'],
    [{ to: 'tomorrow' }, 'not_valid to'],
  ] as const) {
    test(`400: ${JSON.stringify(body)}`, async () => {
      const answer = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body });
      assert.equal(answer.status, 400);
      assert.equal(`${answer.body.errors[0].errorCode} ${answer.body.errors[0].fieldName}`, faults);
    });
  }

  // Guarantee: one move at a time, so that nothing becomes due twice or at two times.
  test('409: while it is being moved', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const held: Work = {
      name: 'held',
      run: () => {
        reached.resolve();
        return gate.promise.then(() => 0);
      },
    };
    const moving = advance(service.world, [held], { advance: Temporal.Duration.from('P1D') });
    await reached.promise;
    const shown = await service.ask('GET', '/sandbox/clock', { token: merchant.token });
    assert.notEqual(shown.body.movingTo, null);
    const answer = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body: { advance: 'P1D' } });
    assert.equal(answer.status, 409);
    gate.resolve();
    await moving;
    const after = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body: { advance: 'PT1S' } });
    assert.equal(after.status, 200);
  });
});
