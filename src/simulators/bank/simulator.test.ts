// The bank as an acquirer: idempotent keys, correct books, callbacks at least once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  aBank,
  aCharge,
  aRefund,
  blik,
  byKey,
  card,
  linkIdOf,
  pln,
  recurring,
} from '../../../test/support/simulated-bank.ts';

describe('one thing for one key', () => {
  // Guarantee: a caller that retries after a crash does not pay twice.
  test('a repeated charge returns the result of the first, and captures once', async () => {
    const { bank } = aBank();
    const request = aCharge();
    const answers = await Promise.all([bank.charge(request), bank.charge(request), bank.charge(request)]);
    assert.deepEqual(new Set(answers.map(({ kind }) => kind)), new Set(['approved']));
    // Even with other data: the first request decides.
    const other = { ...request, amount: pln(9_999), instrument: blik('111111') };
    assert.deepEqual(await bank.charge(other), { kind: 'approved', amount: pln(1_000) });
    assert.deepEqual(
      bank.record().captures.map(({ key, amount }) => [key, amount.minor]),
      [[request.key, 1_000n]],
    );
  });

  test('a repeated charge that waits has the same link', async () => {
    const { bank } = aBank();
    const request = aCharge({ instrument: card() });
    assert.deepEqual(await bank.charge(request), await bank.charge(request));
  });

  test('a repeated refund gives back once', async () => {
    const { bank } = aBank();
    const charge = aCharge();
    await bank.charge(charge);
    const refund = aRefund(charge.key, 400);
    assert.deepEqual(await Promise.all([bank.refund(refund), bank.refund(refund)]), [
      { kind: 'approved' },
      { kind: 'approved' },
    ]);
    assert.equal(bank.record().netMinor.get(charge.key), 600n);
  });
});

describe('refunds', () => {
  // Guarantee: the bank never refunds more than it captured.
  test('never exceed what was captured', async () => {
    const { bank } = aBank();
    const charge = aCharge();
    await bank.charge(charge);
    const answers = await Promise.all([700, 700, 300, 1].map((minor) => bank.refund(aRefund(charge.key, minor))));
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['approved', 'declined', 'approved', 'declined'],
    );
    assert.equal(bank.record().netMinor.get(charge.key), 0n);
  });

  test('of what was never captured are declined', async () => {
    const { bank } = aBank();
    const waiting = aCharge({ instrument: card() });
    await bank.charge(waiting);
    const refund = aRefund(waiting.key, 1);
    assert.deepEqual(await bank.refund(refund), { kind: 'declined', why: 'refused' });
    assert.deepEqual(await bank.refund(aRefund('nothing', 1)), { kind: 'declined', why: 'refused' });
    assert.equal((await bank.findRefund(byKey(refund.key))).kind, 'declined');
    assert.deepEqual(await bank.findRefund(byKey('nothing')), { kind: 'notFound' });
  });
});

describe('cancel', () => {
  // Guarantee: a canceled charge never captures, whatever the payer does afterwards.
  test('of a waiting charge overrides the payer’s late choice', async () => {
    const { bank, callbacks, onCallback } = aBank();
    const request = aCharge({ instrument: card() });
    const linkId = linkIdOf(await bank.charge(request));
    assert.deepEqual(await bank.cancel(byKey(request.key)), { kind: 'canceled' });
    assert.deepEqual(await bank.cancel(byKey(request.key)), { kind: 'canceled' });
    assert.equal((await bank.choose(linkId, 'confirm'))?.page.state, 'canceled');
    assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'canceled' });
    assert.equal(await bank.deliverDue(onCallback), 0);
    assert.deepEqual([bank.record().captures, callbacks], [[], []]);
    assert.deepEqual(
      bank.record().cancels.map(({ key, amount }) => [key, amount.minor]),
      [[request.key, 1_000n]],
    );
  });

  // The cancel overtook its charge.
  test('of an unknown key stops the charge that arrives later', async () => {
    const { bank } = aBank();
    const request = aCharge();
    assert.deepEqual(await bank.cancel(byKey(request.key)), { kind: 'canceled' });
    assert.equal((await bank.charge(request)).kind, 'declined');
    assert.deepEqual(bank.record().captures, []);
  });

  test('of a final charge is too late', async () => {
    const { bank } = aBank();
    const [paid, refused] = [aCharge(), aCharge({ instrument: blik('111111') })];
    await Promise.all([bank.charge(paid), bank.charge(refused)]);
    assert.deepEqual(await bank.cancel(byKey(paid.key)), { kind: 'tooLate' });
    assert.deepEqual(await bank.cancel(byKey(refused.key)), { kind: 'tooLate' });
  });

  test('of a BLIK payment stops its time-out', async () => {
    const { bank, clock, onCallback } = aBank();
    const request = aCharge({ instrument: blik('500000') });
    await bank.charge(request);
    await bank.cancel(byKey(request.key));
    clock.advance({ hours: 1 });
    assert.equal(await bank.deliverDue(onCallback), 0);
    assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'canceled' });
  });
});

describe('the payer’s choice', () => {
  const rows = [
    [card(), 'confirm', { kind: 'approved', amount: pln(1_000) }],
    [card(), 'refuse', { kind: 'declined', reason: 'payer rejected' }],
    [{ kind: 'transfer' }, 'confirm', { kind: 'approved', amount: pln(1_000) }],
    [{ kind: 'transfer' }, 'refuse', { kind: 'declined', reason: 'payer rejected' }],
    [{ kind: 'onlineWallet' }, 'refuse', { kind: 'declined', reason: 'payer rejected' }],
  ] as const;
  for (const [instrument, choice, result] of rows) {
    // Guarantee: the first choice is final: a second click or tab changes nothing and sends no callback.
    test(`${instrument.kind}: ${choice} is reported once, and is final`, async () => {
      const { bank, callbacks, onCallback } = aBank();
      const request = aCharge({ instrument });
      const linkId = linkIdOf(await bank.charge(request));
      await bank.choose(linkId, choice);
      await bank.choose(linkId, choice === 'confirm' ? 'refuse' : 'confirm');
      await bank.deliverDue(onCallback);
      await bank.deliverDue(onCallback);
      assert.deepEqual(callbacks, [{ kind: 'charge', key: request.key, result }]);
      assert.deepEqual(await bank.findCharge(byKey(request.key)), result);
    });
  }
});

describe('callbacks', () => {
  // Guarantee: a service that is down for a while still receives everything.
  test('that are not taken come again, later each time', async () => {
    const { bank, clock } = aBank();
    const linkId = linkIdOf(await bank.charge(aCharge({ instrument: card() })));
    await bank.choose(linkId, 'confirm');
    let tries = 0;
    const failing = async () => {
      tries += 1;
      throw new Error('not now');
    };
    assert.equal(await bank.deliverDue(failing), 0);
    assert.equal(await bank.deliverDue(failing), 0);
    assert.equal(tries, 1);
    clock.advance({ seconds: 5 });
    await bank.deliverDue(failing);
    clock.advance({ seconds: 9 });
    await bank.deliverDue(failing);
    assert.equal(tries, 2);
    clock.advance({ seconds: 1 });
    assert.equal(await bank.deliverDue(async () => undefined), 1);
    clock.advance({ hours: 24 });
    assert.equal(await bank.deliverDue(failing), 0);
  });

  // Guarantee: two engines share the callbacks instead of sending them twice; a lost claim is taken again later.
  test('are claimed by one caller at a time, until its claim ends', async () => {
    const { bank, clock } = aBank();
    const linkId = linkIdOf(await bank.charge(aCharge({ instrument: card() })));
    await bank.choose(linkId, 'confirm');
    const { promise: stuck, resolve } = Promise.withResolvers<void>();
    const first = bank.deliverDue(() => stuck);
    assert.equal(await bank.deliverDue(async () => undefined), 0);
    clock.advance({ seconds: 15 });
    assert.equal(await bank.deliverDue(async () => undefined), 1);
    resolve();
    await first;
  });
});

// Guarantee: a restarted bank still knows every key.
test('the record is durable', async () => {
  const first = aBank();
  const requests = [aCharge(), aCharge({ instrument: blik('222222') }), aCharge({ instrument: card() })];
  const answers = await Promise.all(requests.map((request) => first.bank.charge(request)));
  first.bank.setFaults({ slow: { probability: 0, seed: 1 } });
  await first.bank.close();
  const second = aBank(first.file, first.clock);
  assert.deepEqual(await Promise.all(requests.map((request) => second.bank.charge(request))), answers);
  assert.deepEqual(second.bank.faults(), { slow: { probability: 0, seed: 1 } });
});

// Guarantee: the bank's responses match its books, which every test of the service relies on.
test('the record equals the responses', async () => {
  const { bank } = aBank();
  const codes = ['777000', '111000', '222000', '333000', '500000', '999000'];
  const requests = Array.from({ length: 300 }, (_, index) =>
    aCharge({ amount: pln(100 + index), instrument: blik(codes[index % codes.length] ?? '') }),
  );
  const answers = await Promise.all(requests.map((request) => bank.charge(request)));
  const approved = requests.filter((_, index) => answers[index]?.kind === 'approved');
  assert.equal(approved.length, 50);
  assert.deepEqual(bank.record().netMinor, new Map(approved.map(({ key, amount }) => [key, amount.minor])));
});

// Guarantee: card numbers, codes and tokens never reach the bank's disk.
test('no card number, code or token is stored', async () => {
  const { bank, file } = aBank();
  await bank.charge(aCharge({ instrument: card('4111111111111111'), description: 'plain text' }));
  await bank.charge(aCharge({ instrument: blik('777314') }));
  await bank.charge(aCharge({ instrument: recurring('tok_secret_5a5a') }));
  const bytes = [file, `${file}-wal`].map((name) => readFileSync(name, 'latin1')).join('');
  assert.ok(bytes.includes('plain text'));
  for (const secret of ['4111111111111111', '777314', 'tok_secret_5a5a']) assert.ok(!bytes.includes(secret));
});

// Guarantee: when the bank's disk fails, the result is unknown and nothing is thrown at the engine.
test('a record that cannot be written is unknown', async () => {
  const { bank } = aBank();
  await bank.close();
  assert.deepEqual(await bank.charge(aCharge()), { kind: 'unknown' });
});
