// Money that goes back to a payer whose bank takes the same money back by a dispute.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { DisputeStage } from '../../src/acquirer/index.ts';
import type { Decision } from '../../src/banking/index.ts';
import { readText } from '../../src/database/index.ts';
import { lockUnclaimedById } from '../../src/disputes/store/unclaimed.ts';
import { money, Unavailable } from '../../src/kernel/index.ts';
import { inWords, reasonInWords } from '../support/findings.ts';
import { aPerson } from '../support/panel.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { claimDisputes, decideParked, handleCallback, listParked, parkDisputes } from '../support/rooms.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let charge: string;

beforeEach(async () => {
  here = await aReconciling();
  charge = await aSurplus();
});

/** 20.00 that were captured although the bank had declined them; returns their key. They are to go back. */
async function aSurplus(): Promise<string> {
  const { token } = here.merchant;
  const { body } = await here.service.ask('POST', '/transactions', {
    token,
    body: { amount: 20, description: 'Order' },
  });
  here.bank.answers = 'unknown';
  const data = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
  await here.service.ask('POST', `/transactions/${body.transactionId}/pay`, { token, body: data });
  here.bank.answers = 'approved';
  const key = await here.world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${body.transactionId}`;
  const amount = money(2_000n, 'PLN');
  for (const result of [
    { kind: 'declined', reason: 'timed out' },
    { kind: 'approved', amount },
  ] as const) {
    await handleCallback(here.world, { kind: 'charge', key, result });
  }
  here.bank.say('capture', key, 2_000n);
  return key;
}

function say(kind: DisputeStage, minor = 2_000n, key = 'dp_1'): Promise<void> {
  const at = here.world.clock.now();
  const result = { kind, chargeKey: charge, amount: money(minor, 'PLN'), reason: 'fraudulent', respondUntil: null, at };
  return handleCallback(here.world, { kind: 'dispute', key, result });
}

const stateOf = () =>
  here.world.db.sql.one((row) =>
    readText(row, 'state'),
  )`select state from outgoing_refund where charge_key = ${charge}`;

async function move(): Promise<string> {
  here.world.clock.advance({ hours: 1 });
  await here.moveRefunds();
  const parked = (await listParked(here.world)).map(
    ({ kind, why, amountMinor }) => `${kind} ${why.code} ${amountMinor}`,
  );
  return [await stateOf(), ...parked].join(', ');
}

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

// Guarantee: a payer does not get back a surplus by a refund and by a dispute without anybody noticing: it is not sent.
suite('a surplus that waits to be sent', () => {
  test('goes back if nothing is disputed', async () => {
    assert.equal(await move(), 'done');
    await checkBooks();
  });

  test('is not sent while its charge is disputed, and is sent once the dispute is won', async () => {
    await say('opened');
    const [waits] = [await move(), await move()];
    assert.equal(waits, 'sent, surplus return_disputed 2000');
    await checkBooks();
    const [parked] = await listParked(here.world);
    assert.equal(await decideParked(here.world, parked?.id ?? '', 'not-captured'), true);
    assert.equal(await move(), 'sent, surplus return_disputed 2000');
    await say('won');
    assert.equal(await decideParked(here.world, parked?.id ?? '', 'not-captured'), true);
    assert.equal(await move(), 'done');
    await checkBooks();
  });

  test('and is sent without a decision once the dispute is won', async () => {
    await say('opened');
    assert.equal(await move(), 'sent, surplus return_disputed 2000');
    await say('won');
    await move();
    assert.equal(await move(), 'done');
    await checkBooks();
  });

  // Guarantee: what the bank may have paid is looked up and not taken for unpaid; only what it does not know is not sent again.
  test('and that the bank does not know is not sent again', async () => {
    here.bank.answers = 'unknown';
    assert.equal(await move(), 'sent');
    here.bank.answers = 'approved';
    await say('opened');
    assert.equal(await move(), 'sent, surplus return_disputed 2000');
    await checkBooks();
  });
});

// Guarantee: what the payer got by a dispute that is lost is owed to nobody any more, and is no loss of ours, once an operator
// has ended it.
suite('a surplus whose dispute is lost', () => {
  /** What is booked where payers, disputes and we meet. */
  const balances = async () => {
    const names = ['refund:payable', 'dispute:payable', 'payer:unallocated', 'expense:loss'];
    return Promise.all(names.map((name) => here.balanceOf(name)));
  };
  const parkedOf = async (kind: string) => (await listParked(here.world)).find((one) => one.kind === kind)?.id ?? '';
  const decide = async (kind: string, decision: Decision) =>
    assert.equal(await decideParked(here.world, await parkedOf(kind), decision), true);

  /** Lost, and what the acquirer kept of it is in its statement. */
  async function lose(minor = 2_000n): Promise<void> {
    await say('lost', minor);
    here.bank.say('dispute', 'dp_1', minor, { chargeKey: charge });
    assert.equal(await move(), 'sent, surplus return_disputed 2000');
  }

  async function agrees(): Promise<void> {
    const run = await here.compare(1, here.begun);
    assert.deepEqual([run.state, run.found, run.open], ['agreed', 0, 0]);
    await checkBooks();
  }

  test('ends with it', async () => {
    await lose();
    await decide('surplus', 'not-captured');
    assert.equal(await move(), 'canceled');
    await agrees();
    assert.deepEqual(await balances(), [0n, 0n, 0n, 0n]);
    here.world.clock.advance({ hours: 24 * 40 });
    await Promise.all([claimDisputes(here.world), parkDisputes(here.world)]);
    assert.equal(await move(), 'canceled');
    await checkBooks();
  });

  // Guarantee: the merchant reads why this money never went back.
  test('says so in the panel', async () => {
    await lose();
    await decide('surplus', 'not-captured');
    const owner = await aPerson(here.service, 'owner', here.merchant.id);
    const id = await here.world.db.sql.one((row) => readText(row, 'transaction_id'))`
      select transaction_id from charge where id = ${charge}`;
    const { body } = await owner.ask('GET', `/panel/api/transactions/${id}`);
    const [surplus] = body.surpluses;
    assert.deepEqual([surplus.amount, surplus.doneAt, surplus.parked], [20, null, null]);
    const withdrawn = body.timeline.find(({ kind }: { kind: string }) => kind === 'surplus_withdrawn');
    assert.equal(withdrawn?.at, surplus.withdrawnAt);
  });

  test('ends with it, although the dispute was decided to be our loss', async () => {
    await lose();
    here.world.clock.advance({ hours: 80 });
    await claimDisputes(here.world);
    await decide('dispute', { capturedMinor: 2_000n });
    await agrees();
    assert.deepEqual(await balances(), [-2_000n, 0n, 0n, 2_000n]);
    await decide('surplus', 'not-captured');
    assert.deepEqual([await move(), await balances()], ['canceled', [0n, 0n, 0n, 0n]]);
    await agrees();
  });

  test('ends with two of them', async () => {
    await lose(1_200n);
    await say('lost', 900n, 'dp_2');
    here.bank.say('dispute', 'dp_2', 900n, { chargeKey: charge });
    await decide('surplus', 'not-captured');
    await agrees();
    // What exceeds the surplus is ours.
    assert.deepEqual(await balances(), [0n, 0n, 0n, 100n]);
    assert.equal(await move(), 'canceled');
  });

  test('keeps what the dispute did not take for its payer', async () => {
    await lose(1_200n);
    await decide('surplus', 'not-captured');
    await agrees();
    assert.deepEqual([await move(), await balances()], ['canceled', [0n, 0n, -800n, 0n]]);
  });

  /** Lost after the surplus was withdrawn, and the acquirer has kept it. */
  async function loseLater(minor: bigint, key: string): Promise<void> {
    await say('lost', minor, key);
    here.bank.say('dispute', key, minor, { chargeKey: charge });
    await here.compare(1, here.begun);
  }

  async function waiting(): Promise<string[]> {
    here.world.clock.advance({ hours: 80 });
    await claimDisputes(here.world);
    return (await listParked(here.world)).filter(({ kind }) => kind === 'dispute').map(({ id }) => id);
  }

  // Guarantee: what is left of the payer's money pays for the disputes of that payer that are lost later, and only what goes
  // beyond it is our loss.
  test('pays for a dispute that is lost later with what is left', async () => {
    await lose(1_200n);
    await decide('surplus', 'not-captured');
    await loseLater(500n, 'dp_2');
    const [second = ''] = await waiting();
    assert.equal(await decideParked(here.world, second, { capturedMinor: 500n }), true);
    assert.deepEqual([await here.balanceOf('payer:unallocated'), await here.balanceOf('expense:loss')], [-300n, 0n]);
    await loseLater(400n, 'dp_3');
    const [third = ''] = await waiting();
    assert.equal(await decideParked(here.world, third, { capturedMinor: 400n }), true);
    assert.deepEqual([await here.balanceOf('payer:unallocated'), await here.balanceOf('expense:loss')], [0n, 100n]);
    await agrees();
    assert.deepEqual(await balances(), [0n, 0n, 0n, 100n]);
  });

  // Guarantee: two that are decided at once do not use the same money.
  test('pays once for two that are lost later and decided at once', async () => {
    await lose(1_200n);
    await decide('surplus', 'not-captured');
    await loseLater(800n, 'dp_2');
    await loseLater(800n, 'dp_3');
    const ids = await waiting();
    assert.equal(ids.length, 2);
    const [one = '', other = ''] = ids;
    const { db } = here.world;
    await db.atomic(async (sql) => {
      await lockUnclaimedById(sql, one);
      const free = await db.sql.many((row) => readText(row, 'id'))`
        select id from dispute_unclaimed where id = ${other} for update skip locked`;
      assert.deepEqual(free, []);
    });
    await Promise.all(ids.map((id) => decideParked(here.world, id, { capturedMinor: 800n })));
    await agrees();
    assert.deepEqual(await balances(), [0n, 0n, 0n, 800n]);
  });

  // Guarantee: money of another charge, or that the bank has paid back all the same, pays for nothing.
  test('pays for nothing after the bank has sent it all the same', async () => {
    await lose(1_200n);
    await decide('surplus', 'not-captured');
    const id = await here.world.db.sql.one((row) => readText(row, 'id'))`
      select id from outgoing_refund where charge_key = ${charge}`;
    here.bank.say('refund', id, 2_000n, { chargeKey: charge });
    await here.compare(1, here.begun);
    await loseLater(500n, 'dp_2');
    const [second = ''] = await waiting();
    assert.equal(await decideParked(here.world, second, { capturedMinor: 500n }), true);
    assert.equal(await here.balanceOf('expense:loss'), 500n);
    await checkBooks();
  });

  test('does not end while another one is open', async () => {
    await lose(1_200n);
    await say('opened', 800n, 'dp_2');
    await decide('surplus', 'not-captured');
    assert.equal(await move(), 'sent, surplus return_disputed 2000');
    await checkBooks();
  });

  // Guarantee: a dispute that is opened in the moment of the decision ends nothing: the operator decides again.
  for (const stage of ['opened', 'won'] as const)
    test(`does not end if it is ${stage} by now`, async () => {
      await say(stage);
      const unsent = { acquirer: 'simulator', chargeKey: charge, amountMinor: 2_000n };
      const { outgoing } = here.service.rooms.banking;
      await assert.rejects(
        here.world.db.atomic((sql) => outgoing.coverDisputes(sql, unsent)),
        Unavailable,
      );
      await checkBooks();
    });

  // Guarantee: two operators at once end it once.
  test('is decided by two at once', async () => {
    await lose();
    const id = await parkedOf('surplus');
    await Promise.all([1, 2, 3].map(() => decideParked(here.world, id, 'not-captured')));
    assert.deepEqual([await move(), await balances()], ['canceled', [0n, -2_000n, 0n, 0n]]);
    await agrees();
  });

  // Guarantee: what is given back after all is the payer's, not ours.
  test('is the payer’s again if the dispute is won later', async () => {
    await lose();
    await decide('surplus', 'not-captured');
    here.world.clock.advance({ hours: 1 });
    await say('won');
    here.bank.say('disputeWon', 'dp_1', 2_000n, { chargeKey: charge });
    assert.equal(await move(), 'canceled, dispute dispute_unclaimed 0');
    await decide('dispute', { capturedMinor: 0n });
    assert.equal(await move(), 'canceled');
    await agrees();
    assert.deepEqual(await balances(), [0n, 0n, -2_000n, 0n]);
  });

  test('covers what it still takes, if less is disputed', async () => {
    await lose();
    await decide('surplus', 'not-captured');
    await agrees();
    here.bank.say('dispute', 'dp_1', 1_500n, { chargeKey: charge });
    await here.compare(1, here.begun);
    assert.equal(await here.decide('dp_1', { capturedMinor: 1_500n }), true);
    await here.compare(1, here.begun);
    await decide('dispute', { capturedMinor: 1_500n });
    await agrees();
    assert.deepEqual(await balances(), [0n, 0n, -500n, 0n]);
  });

  // Guarantee: a bank that pays it all the same is booked, and an operator is told that the payer has it twice.
  test('is paid all the same', async () => {
    await lose();
    await decide('surplus', 'not-captured');
    const { id, charge_key: chargeKey } = await here.world.db.sql.one((row) => ({
      id: readText(row, 'id'),
      charge_key: readText(row, 'charge_key'),
    }))`select id, charge_key from outgoing_refund where charge_key = ${charge}`;
    here.bank.say('refund', id, 2_000n, { chargeKey });
    const run = await here.compare(1, here.begun);
    assert.deepEqual([run.found, await move()], [0, 'done, surplus refunded_too 2000']);
    assert.deepEqual(await balances(), [0n, 0n, 2_000n, 0n]);
    await decide('surplus', { capturedMinor: 2_000n });
    here.bank.say('refundReturned', id, 2_000n, { chargeKey });
    await here.compare(1, here.begun);
    assert.deepEqual([await move(), await balances()], ['done, surplus came_back 2000', [0n, 0n, 0n, 0n]]);
    await checkBooks();
  });
});

// Guarantee: a payer who disputes what was paid back already is an operator's at once, while the dispute can be answered.
suite('what was paid back and is disputed afterwards', () => {
  const listed = async () => (await listParked(here.world)).map(({ why }) => reasonInWords(why));
  const paidBack = (key: string) => [
    `We have paid charge ${key} back, and the payer disputes it too. Contest dispute dp_1 at simulator: nobody here bears it.`,
  ];

  test('a surplus', async () => {
    assert.equal(await move(), 'done');
    await say('opened');
    await claimDisputes(here.world);
    assert.deepEqual(await listed(), paidBack(charge));
    await checkBooks();
    const [item] = await listParked(here.world);
    assert.equal(await decideParked(here.world, item?.id ?? '', { capturedMinor: 2_000n }), true);
    assert.equal(await here.balanceOf('expense:loss'), 2_000n);
    await checkBooks();
  });

  test('a capture of nobody', async () => {
    charge = here.world.ids.ulid();
    here.bank.say('capture', charge, 700n);
    await here.compare(1, here.begun);
    assert.equal(await here.decide(charge, { capturedMinor: 700n }), true);
    assert.equal(await move(), 'done');
    await say('opened', 700n);
    await claimDisputes(here.world);
    assert.deepEqual(await listed(), paidBack(charge));
  });

  test('but not if it came back', async () => {
    assert.equal(await move(), 'done');
    const key = await here.world.db.sql.one((row) => readText(row, 'id'))`
      select id from outgoing_refund where charge_key = ${charge}`;
    await handleCallback(here.world, { kind: 'refund', key, result: { kind: 'returned' } });
    await say('opened');
    await claimDisputes(here.world);
    assert.deepEqual(await listed(), [reasonInWords({ code: 'came_back', parameters: {} })]);
  });
});

// Guarantee: the same of a capture that belongs to nobody: an operator decides anew.
test('a capture of nobody that is to go back is not sent while it is disputed', async () => {
  charge = here.world.ids.ulid();
  here.bank.say('capture', charge, 700n);
  await here.moveRefunds();
  await here.compare(1, here.begun);
  assert.equal(await here.decide(charge, { capturedMinor: 700n }), true);
  await say('opened');
  assert.equal(await move(), 'held, capture return_disputed 700');
  await checkBooks();
  await say('won');
  assert.equal(await here.decide(charge, { capturedMinor: 700n }), true);
  assert.equal(await move(), 'done');
  await checkBooks();
});

// Guarantee: what the payer got by a dispute that is lost ends too if no payment of ours has the charge; it is no loss.
suite('a capture of nobody whose dispute is lost', () => {
  async function lose(minor: bigint): Promise<void> {
    charge = here.world.ids.ulid();
    here.bank.say('capture', charge, 700n);
    await here.moveRefunds();
    await here.compare(1, here.begun);
    assert.equal(await here.decide(charge, { capturedMinor: 700n }), true);
    await say('opened', minor);
    assert.equal(await move(), 'held, capture return_disputed 700');
    here.world.clock.advance({ hours: 1 });
    await say('lost', minor);
    here.bank.say('dispute', 'dp_1', minor, { chargeKey: charge });
  }

  for (const [minor, left] of [
    [700n, 0n],
    [500n, -200n],
  ] as const) {
    test(`of ${minor}`, async () => {
      await lose(minor);
      assert.equal(await here.decide(charge, 'not-captured'), true);
      const run = await here.compare(1, here.begun);
      assert.deepEqual([run.state, run.open, await move()], ['agreed', 0, 'canceled']);
      const names = ['dispute:payable', 'payer:unallocated', 'expense:loss'];
      assert.deepEqual(await Promise.all(names.map((name) => here.balanceOf(name))), [0n, left, 0n]);
      // What the bank amends is named, and not taken from money that waits for its payer: there is none.
      here.bank.say('capture', charge, 600n);
      assert.equal((await here.compare(1, here.begun)).found, 1);
      assert.equal(await here.decide(charge, { capturedMinor: 600n }), true);
      assert.equal((await here.compare(1, here.begun)).state, 'agreed');
      assert.deepEqual(await Promise.all(names.map((name) => here.balanceOf(name))), [0n, left, 100n]);
      await checkBooks();
    });
  }

  // Guarantee: what the bank is said to have reversed is that, whatever is disputed.
  test('that was never to go back', async () => {
    charge = here.world.ids.ulid();
    here.bank.say('capture', charge, 700n);
    await here.compare(1, here.begun);
    await say('lost', 700n);
    assert.equal(await here.decide(charge, 'not-captured'), true);
    assert.match((await here.parked(charge)).join(), /is to correct it/);
    await checkBooks();
  });

  // Guarantee: a dispute that can still be won ends nothing.
  test('that is open', async () => {
    await lose(700n);
    await say('opened', 100n, 'dp_2');
    assert.equal(await here.decide(charge, 'not-captured'), true);
    assert.match((await here.parked(charge)).join(), /is to correct it/);
    await checkBooks();
  });
});
