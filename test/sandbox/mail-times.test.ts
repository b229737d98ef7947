// Mails of a moved clock: at their own times, in their order.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SandboxClock } from '../../src/sandbox/index.ts';
import { clockShown } from '../../src/sandbox/move.ts';
import { aRecurring } from '../support/recurring.ts';
import { aMerchant, aService } from '../support/service.ts';

suite('mails of a moved clock', () => {
  // Guarantee: a mail that announces an attempt is dated before it, however far the clock was moved at once.
  test('a charge that fails twice', async () => {
    const service = await aService({ catchMail: true, clockOver: (wall) => new SandboxClock(wall) });
    const merchant = await aMerchant(service, {}, 'operator');
    await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-12T07:15:00+01:00', interval: 20, intervalType: 'days' },
      paymentInstrument: { value: 'fail-2-insufficient-funds' },
    });
    const body = { to: '2026-03-16T00:00:00Z' };
    const moved = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body });
    assert.ok(moved.status < 300, moved.text);
    for (let looks = 0; looks < 1_000; looks += 1) if ((await clockShown(service.world)).movingTo === null) break;
    const page = await (await fetch(`${service.url}/mail`)).text();
    const times = [...page.matchAll(/datetime="([^"]+)"/g)].map(([, time]) => time);
    assert.deepEqual(times, ['2026-03-14T06:15:00Z', '2026-03-12T06:15:00Z'], 'newest first');
  });
});
