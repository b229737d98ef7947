// Nothing is forgotten when its period is over, and nothing that was acknowledged hides what comes later.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { StatementAnswer } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { inWords } from '../support/findings.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { roomsOf } from '../support/service.ts';
import { whole } from '../support/verify.ts';

let here: Reconciling;
beforeEach(async () => {
  here = await aReconciling();
});

async function checkVerify(): Promise<void> {
  assert.deepEqual(inWords(await here.service.rooms.reconciliation.verify(whole(here.service.world))), []);
}

suite('payouts', () => {
  // Guarantee: a payout that is parked is read again by every run, so that nobody decides on an old amount.
  test('one that the bank amends long after it was parked', async () => {
    const { bank } = here;
    await here.pay();
    bank.say('payout', 'payout-1', 99_999n);
    await here.compare();
    for (let days = 0; days < 6; days += 1) await here.compare(24);
    bank.say('payout', 'payout-1', 500n);
    await here.compare(24);
    assert.deepEqual(await here.parked('payout-1'), []);
    assert.equal(await here.balanceOf('bank:client'), 500n);
    await checkVerify();
  });

  // Guarantee: what the bank takes back is nobody's to decide.
  test('one that was never booked and is gone from the statement', async () => {
    const { bank } = here;
    await here.pay();
    bank.say('payout', 'payout-1', 99_999n);
    await here.compare();
    bank.say('payout', 'payout-1', undefined);
    const { state } = await here.compare(24);
    assert.deepEqual([state, await here.parked('payout-1')], ['agreed', []]);
    await checkVerify();
  });
});

suite('periods', () => {
  // Guarantee: a run of a part does not count as a comparison of what was before it.
  test('a first run of today does not skip what was captured before', async () => {
    const { bank, world, begun } = here;
    bank.say('capture', 'stray', 1_111n);
    world.clock.advance({ hours: 200 });
    const { state } = await here.compare(1, world.clock.now().subtract({ hours: 1 }));
    assert.equal(state, 'agreed', 'within its own period');
    const next = await here.compare(1);
    assert.ok(Temporal.Instant.compare(next.fromAt, begun.add({ seconds: 2 })) <= 0, String(next.fromAt));
    assert.deepEqual(await here.parked('stray'), ['The bank captured 11.11; no payment of ours has it.']);
    const { fromAt } = await here.compare(24);
    assert.ok(Temporal.Instant.compare(fromAt, begun.add({ hours: 100 })) > 0, 'then it continues as every day');
  });
});

/** Money on the acquirer's account that belongs to nothing. */
async function aGift(minor: bigint): Promise<void> {
  const { db, ids, clock } = here.world;
  const id = ids.ulid();
  await db.atomic(async (sql) => {
    await sql.run`
      insert into journal (id, source, kind, currency, posted_at) values (${id}, ${id}, 'gift', 'PLN', ${clock.now()})`;
    await sql.run`
      insert into entry (journal_id, line, account, amount_minor)
      values (${id}, 1, 'acquirer:simulator:receivable', ${-minor}), (${id}, 2, 'bank:own', ${minor})`;
  });
}
const giftSentence = "The acquirer's account has 7.00 in the period that belongs to no payment, refund or payout.";

suite('sums', () => {
  async function decideTotal(): Promise<void> {
    const [item] = await here.service.rooms.reconciliation.parked.list();
    assert.ok(await here.service.rooms.reconciliation.parked.decide(item?.id ?? '', { capturedMinor: 700n }));
  }

  // Guarantee: what an operator looked into is that, not the next thing of the same size.
  test('a second gift of the same amount is named, although the first was confirmed', async () => {
    await here.pay();
    await aGift(700n);
    await here.compare();
    assert.deepEqual(await here.parked(), [giftSentence]);
    await decideTotal();
    assert.equal((await here.compare(1, here.begun)).state, 'agreed', 'the same period: an operator knows');
    for (let days = 0; days < 5; days += 1) {
      const { state } = await here.compare(24);
      if (state !== 'agreed') await decideTotal();
    }
    assert.equal((await here.compare(24)).state, 'agreed', 'it has left the period');
    await aGift(700n);
    const { state, found } = await here.compare(24);
    assert.deepEqual([state, found, await here.parked()], ['differs', 1, [giftSentence]]);
    await checkVerify();
  });

  // Guarantee: sums that agree again in the same period need no operator.
  test('a difference of sums closes when a run over its period finds none', async () => {
    await here.pay();
    await aGift(700n);
    await here.compare();
    await aGift(-700n);
    const { state, open } = await here.compare(1, here.begun);
    assert.deepEqual([state, open], ['agreed', 0]);
    await checkVerify();
  });
});

/** Its statements have a line from now on that cannot be read: no run is complete. */
function makeUnreadable(): void {
  const { bank } = here;
  const statement = bank.statement.bind(bank);
  bank.statement = async (request): Promise<StatementAnswer> => {
    const answer = await statement(request);
    return answer.kind === 'page' ? { ...answer, unreadable: [1] } : answer;
  };
}

suite('incomplete statements', () => {
  // Guarantee: a period without a complete statement counts as not compared.
  test('their period is compared by the next run', async () => {
    await here.pay();
    assert.equal((await here.compare()).state, 'agreed');
    const { statement } = here.bank;
    makeUnreadable();
    here.world.clock.advance({ hours: 24 * 10 });
    assert.equal((await here.compare()).state, 'incomplete');
    here.bank.statement = statement;
    const { state, fromAt } = await here.compare();
    assert.equal(state, 'agreed');
    assert.ok(Temporal.Instant.compare(fromAt, here.begun.add({ hours: 2 })) < 0, `${fromAt}`);
  });

  // Guarantee: what a statement without all of its lines does not show may be in those that are missing.
  test('close no difference of sums', async () => {
    await here.pay();
    await aGift(700n);
    await here.compare();
    await aGift(-700n);
    makeUnreadable();
    assert.equal((await here.compare(1, here.begun)).state, 'incomplete');
    assert.deepEqual(await here.parked(), [giftSentence]);
  });
});

suite('repeated lines', () => {
  let isTwice = true;
  beforeEach(() => {
    isTwice = true;
    const { bank } = here;
    const statement = bank.statement.bind(bank);
    bank.statement = async (request): Promise<StatementAnswer> => {
      const answer = await statement(request);
      if (answer.kind !== 'page' || !isTwice) return answer;
      return { ...answer, lines: [...answer.lines, ...answer.lines] };
    };
  });
  const sentence = 'The statement names a capture of 20.00 more than once, 40.00 in all; it was compared once.';

  // Guarantee: a line that the statement repeats stays open until somebody has asked the bank.
  test('one stays open after its period, until it is decided', async () => {
    const key = await here.pay();
    const first = await here.compare();
    assert.deepEqual([first.state, first.found], ['differs', 1]);
    for (let days = 0; days < 6; days += 1) await here.compare(24);
    assert.deepEqual(await here.parked(key), [sentence]);
    await assert.rejects(here.decide(key, 'not-captured'), {
      why: { code: 'line_repeated', parameters: { bank: '40.00', once: '20.00' } },
    });
    assert.ok(await here.decide(key, { capturedMinor: 2_000n }));
    assert.equal((await here.compare(1, here.begun)).state, 'agreed', 'an operator knows');
    await checkVerify();
  });

  test('one closes when the bank repeats it no more', async () => {
    await here.pay();
    await here.compare();
    isTwice = false;
    const { state, open } = await here.compare();
    assert.deepEqual([state, open], ['agreed', 0]);
    await checkVerify();
  });

  test('one stays open when the statement is not complete', async () => {
    const key = await here.pay();
    await here.compare();
    isTwice = false;
    makeUnreadable();
    assert.equal((await here.compare()).state, 'incomplete');
    assert.deepEqual(await here.parked(key), [sentence]);
  });

  // Guarantee: a promise of the bank about it is kept or named again.
  test('one that the bank is to correct is named again after three days', async () => {
    const key = await here.pay();
    await here.compare();
    assert.ok(await here.decide(key, { capturedMinor: 4_000n }));
    assert.equal((await here.compare(24)).found, 0);
    for (let days = 0; days < 6; days += 1) await here.compare(24);
    const [reason] = await here.parked(key);
    assert.match(
      reason ?? '',
      /^The bank was to correct it, .* still has a capture of 40\.00; our books have 20\.00\.$/,
    );
    await checkVerify();
  });

  // Guarantee: a last page with nothing new does not make the statement incomplete.
  test('a page that only repeats ends no run', async () => {
    const { bank } = here;
    isTwice = false;
    await here.pay();
    const statement = bank.statement.bind(bank);
    bank.statement = async (request) => {
      const answer = await statement({ ...request, after: null });
      return answer.kind === 'page' ? { ...answer, next: request.after === null ? 'again' : null } : answer;
    };
    assert.deepEqual((await here.compare()).state, 'differs');
  });
});

suite('a refund on another charge', () => {
  // Guarantee: who confirmed one charge has not confirmed another.
  test('is named again when it is yet another one', async () => {
    const { bank, service, merchant, world } = here;
    await fund(service, merchant, 1_000_000n);
    const id = await aTransaction(service, merchant, { amount: 50 });
    await payBlik(service, merchant, id);
    const refundId = await aRefund(service, merchant, id, { amount: 20 });
    world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    bank.say('refund', refundId, 2_000n, { chargeKey: 'charge-a' });
    await here.compare(1, here.begun);
    const sentence = (charge: string) =>
      `The bank paid the refund of 20.00 on another charge than ours (${charge}), to another payer.`;
    assert.deepEqual(await here.parked(refundId), [sentence('charge-a')]);
    bank.say('refund', refundId, 2_000n, { chargeKey: 'charge-b' });
    assert.equal((await here.compare(1, here.begun)).found, 1, 'while it is open');
    assert.deepEqual(await here.parked(refundId), [sentence('charge-b')]);
    assert.ok(await here.decide(refundId, { capturedMinor: 2_000n }));
    assert.equal((await here.compare(1, here.begun)).found, 0);
    bank.say('refund', refundId, 2_000n, { chargeKey: 'charge-a' });
    assert.equal((await here.compare(1, here.begun)).found, 1, 'after it was confirmed');
    assert.deepEqual(await here.parked(refundId), [sentence('charge-a')]);
    await checkVerify();
  });
});

suite('decisions', () => {
  // Guarantee: what is listed can be decided, also when the operator thinks better of it.
  test('a promise of the bank can be decided again', async () => {
    const { bank } = here;
    const key = await here.pay();
    bank.say('capture', key, 500n);
    bank.say('capture', 'stray', 1_111n);
    await here.compare();
    assert.ok(await here.decide(key, { capturedMinor: 2_000n }));
    assert.ok(await here.decide(key, { capturedMinor: 500n }), 'the bank will not correct it after all');
    assert.ok(await here.decide('stray', 'not-captured'));
    assert.ok(await here.decide('stray', { capturedMinor: 1_111n }), 'it was captured after all');
    await here.moveRefunds();
    assert.equal(await here.balanceOf('payer:unallocated'), 0n);
    assert.equal((await here.compare()).state, 'agreed');
    await checkVerify();
  });

  const returns = () =>
    here.world.db.sql.many((row) => `${readText(row, 'state')} ${row.amount_minor}`)`
      select state, amount_minor from outgoing_refund order by id`;

  // Guarantee: what the bank amended before it was sent back does not go out with the old amount.
  for (const [name, minor] of [
    ['amends', 9_999n],
    ['takes back', undefined],
  ] as const) {
    test(`a return is not sent if the bank ${name} the capture before`, async () => {
      const { bank } = here;
      bank.say('capture', 'stray', 1_111n);
      await here.compare();
      assert.ok(await here.decide('stray', { capturedMinor: 1_111n }));
      bank.say('capture', 'stray', minor);
      await here.compare();
      await here.moveRefunds();
      assert.deepEqual(await returns(), ['canceled 1111']);
      assert.ok(await here.decide('stray', minor === undefined ? 'not-captured' : { capturedMinor: minor }));
      await here.moveRefunds();
      assert.deepEqual(await returns(), minor === undefined ? ['canceled 1111'] : ['canceled 1111', 'done 9999']);
      assert.equal(await here.balanceOf('payer:unallocated'), 0n);
      assert.equal((await here.compare()).state, 'agreed');
      await checkVerify();
    });
  }
});

suite('acquirers that are no longer configured', () => {
  // Guarantee: whoever makes up a payment of an acquirer that nobody asks any more is noticed.
  test('what was booked after the last comparison is named, and measured', async () => {
    const { service, world } = here;
    const other = new Proxy(here.bank, {
      get: (target, name) => (name === 'name' ? 'other' : Reflect.get(target, name)),
    });
    const { reconciliation } = await roomsOf({ ...world, acquirers: acquirersOf(world, other) });
    const found = async () => inWords(await reconciliation.verify(whole(world)));
    const uncompared = async () => {
      const { text } = await service.ask('GET', '/metrics');
      return Number(/^grosz_reconciliation_uncompared_seconds\{acquirer="simulator"\} (.+)$/m.exec(text)?.[1]);
    };
    await here.pay();
    await here.compare();
    assert.deepEqual([await found(), await uncompared()], [[], 0]);
    world.clock.advance({ hours: 72 });
    await here.pay();
    assert.deepEqual([await found(), await uncompared()], [[], 72 * 3_600], 'it may have been open until then');
    world.clock.advance({ seconds: 1 });
    await here.pay();
    assert.deepEqual(await found(), [
      'Acquirer simulator is no longer configured, and the books contain payments that are newer than its last compared statement.',
    ]);
    const configured = inWords(await service.rooms.reconciliation.verify(whole(world)));
    assert.ok(!configured.some((sentence) => sentence.includes('simulator')), 'the daily comparison is only late');
    await here.compare();
    assert.deepEqual([await found(), await uncompared()], [[], 0], 'it was configured again, and compared');
  });
});
