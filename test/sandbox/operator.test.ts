// Who may use the sandbox tools, which act on every account.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sandboxEndpoints } from '../../contract/sandbox.ts';
import { advance, SandboxClock } from '../../src/sandbox/index.ts';
import { gated } from '../support/gate.ts';
import { aRecurring, attemptsOf } from '../support/recurring.ts';
import {
  aCredential,
  aMerchant,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

suite('the tools of the sandbox', () => {
  let service: Service;
  let merchant: TestMerchant;
  let operator: TestMerchant;
  before(async () => {
    service = await aService({ clockOver: (wall) => new SandboxClock(wall) });
    merchant = await aMerchant(service);
    operator = await aCredential(service, merchant, 'operator');
  });

  // Guarantee: no merchant moves time for another one, so nobody's payers are charged early.
  test('a merchant can neither move the clock nor make the bank fail', async () => {
    const other = await aMerchant(service);
    const recurring = await aRecurring(service, other);
    // Tokens and certificates of the simulated wallet concern only the caller.
    const forOperators = sandboxEndpoints.filter(({ access }) => access === 'operator');
    assert.deepEqual(
      forOperators.map(({ path }) => path),
      ['/sandbox/clock', '/sandbox/faults'],
    );
    for (const kind of ['full', 'read_only'] as const) {
      const { token } = await aCredential(service, merchant, kind);
      for (const { method, path, example } of forOperators) {
        const answer = await service.ask(method, path, { token, body: 'request' in example ? example.request : {} });
        assert.deepEqual([answer.status, ...faultsOf(answer)], [403, 'access_denied'], path);
      }
    }
    assert.deepEqual(await attemptsOf(service, other, recurring), []);
    assert.deepEqual(service.world.bank.faults(), {});
  });

  // Guarantee: an operator's credential may, in addition to what a full one may.
  test('an operator’s credential can', async () => {
    const moved = await service.ask('POST', '/sandbox/clock', { token: operator.token, body: { advance: 'PT1S' } });
    assert.equal(moved.status, 200, moved.text);
    const faults = await service.ask('POST', '/sandbox/faults', { token: operator.token, body: {} });
    assert.equal(faults.status, 200, faults.text);
    const order = { amount: 1, description: 'Order' };
    assert.equal((await service.ask('POST', '/transactions', { token: operator.token, body: order })).status, 200);
  });

  // Guarantee: the books are compared with statements of the same days: an acquirer with its own time keeps the clock in place.
  test('409: an acquirer that keeps its own time is open', async () => {
    const { world } = service;
    const own = { name: 'stripe', acquirer: { ...gated(world.bank, {}), name: 'stripe' }, takesNew: false };
    const list = [...world.acquirers.list, own];
    const mixed = await serve({ ...world, acquirers: { ...world.acquirers, list } });
    const before = world.clock.now();
    const answer = await mixed.ask('POST', '/sandbox/clock', { token: operator.token, body: { advance: 'PT1H' } });
    assert.deepEqual([answer.status, ...faultsOf(answer)], [409, 'clock_cannot_move']);
    assert.match(answer.text, /while stripe is open/);
    assert.equal(world.clock.now().equals(before), true);
    const shown = await mixed.ask('GET', '/sandbox/clock', { token: operator.token });
    assert.deepEqual(shown.body.fixedBy, ['stripe']);
  });

  // Guarantee: the clock stays within dates that can be written, and near enough that nothing runs for years.
  for (const [field, body] of [
    ['advance', { advance: 'P10Y1D' }],
    ['advance', { advance: 'P100Y' }],
    ['advance', { advance: 'PT9007199254740991S' }],
    ['to', { to: '2999-01-01T00:00:00Z' }],
    ['to', { to: '+275760-09-13T00:00:00Z' }],
  ] as const) {
    test(`400: ${JSON.stringify(body)} is more than ten years ahead`, async () => {
      const answer = await service.ask('POST', '/sandbox/clock', { token: operator.token, body });
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, `too_high ${field}`], answer.text);
    });
  }

  // Guarantee: the ceiling is relative to the wall clock, so many small moves do not pass it either.
  test('400: a step over the ceiling, after one that just fits', async () => {
    const { world } = service;
    const ceiling = world.wall.now().toZonedDateTimeISO('UTC').add({ years: 10 }).toInstant();
    // Without any works: what becomes due in ten years does not matter here.
    assert.equal((await advance(world, [], { to: ceiling })).toString(), ceiling.toString());
    const body = { advance: 'PT1S' };
    const beyond = await service.ask('POST', '/sandbox/clock', { token: operator.token, body });
    assert.deepEqual([beyond.status, ...faultsOf(beyond)], [400, 'too_high advance']);
  });
});
