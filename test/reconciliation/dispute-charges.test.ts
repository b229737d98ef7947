// Whose charge a dispute is about: the statement, the messages, and what an operator knows.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { DisputeStage, HandleCallback } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { reconcile } from '../../src/reconciliation/index.ts';
import { inWords } from '../support/findings.ts';
import { Gate } from '../support/gate.ts';
import { aChild, aPaidSplit, aPartner } from '../support/marketplace.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { claimDisputes, decideParked, handleCallback, listParked, tickAll } from '../support/rooms.ts';
import { aMerchant, type TestMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let other: TestMerchant;
/** Of 20.00 each, of two merchants. */
let first: string;
let second: string;

beforeEach(async () => {
  here = await aReconciling();
  other = await aMerchant(here.service);
  first = await here.pay();
  second = await chargeOf(await aPaidTransaction(here.service, other, { amount: 20 }));
});

const compare = () => here.compare(1, here.begun);

function chargeOf(id: string): Promise<string> {
  return here.world.db.sql.one((row) => readText(row, 'id'))`select id from charge where transaction_id = ${id}`;
}

const line = (chargeKey: string, minor: bigint | undefined = 2_000n, kind: 'dispute' | 'disputeWon' = 'dispute') =>
  here.bank.say(kind, 'dp', minor, { chargeKey });

function message(chargeKey: string, stage: DisputeStage = 'opened', minor = 2_000n): Promise<unknown> {
  const result = { kind: stage, chargeKey, amount: money(minor, 'PLN'), reason: '', respondUntil: null };
  return handleCallback(here.world, { kind: 'dispute', key: 'dp', result });
}

/** What accounts bear of the dispute: the first merchant, the second one, and what is not settled. */
async function borne(): Promise<bigint[]> {
  const available = async (id: string) => 2_000n + (await here.balanceOf(`merchant:${id}:available`));
  const owed = async (id: string) => here.balanceOf(`merchant:${id}:owed`);
  const of = async (id: string) => (await available(id)) + (await owed(id));
  return [await of(here.merchant.id), await of(other.id), await here.balanceOf('dispute:payable')];
}

const sentence = (charge: string, ours: string, kind = 'disputed amount', minor = '20.00') =>
  `The statement names a ${kind} of ${minor} on charge ${charge}; our dispute is about charge ${ours}.`;

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

const codes = async () => (await findingsOf(here.world)).map(({ code }) => code);

const comparesWith = async (state: string, found: number) => {
  const run = await compare();
  assert.deepEqual([run.state, run.found], [state, found]);
};

suite('a dispute whose line names another charge', () => {
  // Guarantee: what the bank moved is booked, and nobody's charge is taken for another's without an operator being asked.
  test('than its message', async () => {
    await message(first);
    line(second);
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence(second, first)]);
    assert.deepEqual(await borne(), [2_000n, 0n, 0n]);
    await comparesWith('differs', 0);
    await checkBooks();
  });

  // Guarantee: the same if the acquirer amends a line that was booked, however often: it is named while it lasts.
  test('than before, and again the first one', async () => {
    line(first);
    await comparesWith('agreed', 0);
    await comparesWith('agreed', 0);
    for (let times = 0; times < 2; times += 1) {
      line(second);
      await comparesWith('differs', 1);
      assert.deepEqual(await here.parked('dp'), [sentence(second, first)]);
      await comparesWith('differs', 0);
      await checkBooks();
      line(first);
      await comparesWith('agreed', 0);
      assert.deepEqual(await here.parked('dp'), []);
      await checkBooks();
    }
    assert.deepEqual(await borne(), [2_000n, 0n, 0n]);
  });

  // Guarantee: a charge that nobody has takes the dispute from nobody, and is not silently believed.
  test('that nobody has', async () => {
    line(first);
    await compare();
    line('nobody');
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence('nobody', first)]);
    assert.deepEqual(await borne(), [2_000n, 0n, 0n]);
    await checkBooks();
  });

  // Guarantee: what an operator has confirmed is confirmed with both charges.
  test('is confirmed as it is', async () => {
    line(first);
    await compare();
    line(second);
    await compare();
    await assert.rejects(here.decide('dp', { capturedMinor: 1_999n }));
    assert.equal(await here.decide('dp', { capturedMinor: 2_000n }), true);
    await comparesWith('agreed', 0);
    await checkBooks();
    line('nobody');
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence('nobody', first)]);
    await checkBooks();
  });

  // Guarantee: a dispute that somebody moves to another charge is not the one that was confirmed.
  test('was confirmed, and ours was changed', async () => {
    await message('nobody');
    line('another');
    await compare();
    assert.equal(await here.decide('dp', { capturedMinor: 2_000n }), true);
    await comparesWith('agreed', 0);
    await here.damage(`update dispute_unclaimed set charge_key = 'third'`);
    assert.ok((await codes()).includes('dispute_of_other_charge'));
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence('another', 'third')]);
  });

  // Guarantee: a promise of the acquirer that is not kept is named again, and one that is kept is over.
  test('that it is to correct', async () => {
    await message(first);
    line(second);
    await compare();
    assert.equal(await here.decide('dp', 'not-captured'), true);
    await comparesWith('differs', 0);
    line('nobody');
    await comparesWith('differs', 1);
    assert.equal(await here.decide('dp', 'not-captured'), true);
    here.world.clock.advance({ hours: 73 });
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence('nobody', first)]);
    assert.equal(await here.decide('dp', 'not-captured'), true);
    await checkBooks();
    line(first);
    await comparesWith('agreed', 0);
    assert.deepEqual(await borne(), [2_000n, 0n, 0n]);
    await checkBooks();
  });

  // Guarantee: amount and charge are two differences: deciding about one leaves the other to be named.
  test('and another amount', async () => {
    line(first);
    await compare();
    line(second, 1_500n);
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), ['The bank has a disputed amount of 15.00; our books have 20.00.']);
    await checkBooks();
    await here.decide('dp', { capturedMinor: 1_500n });
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence(second, first, 'disputed amount', '15.00')]);
    await here.decide('dp', { capturedMinor: 1_500n });
    await comparesWith('agreed', 0);
    line(first, 1_500n);
    await compare();
    assert.deepEqual(await borne(), [1_500n, 0n, 0n]);
    await checkBooks();
  });

  // Guarantee: the same of what is given back.
  test('in what is given back', async () => {
    line(first);
    await compare();
    line(second, 2_000n, 'disputeWon');
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence(second, first, 'disputed amount given back')]);
    await checkBooks();
    line(first, 2_000n, 'disputeWon');
    await comparesWith('agreed', 0);
    assert.deepEqual(await borne(), [0n, 0n, 0n]);
    await checkBooks();
  });
});

suite('a dispute of a charge that nobody has', () => {
  // Guarantee: once the acquirer's statement names a charge that we have, its merchant bears the dispute, and nobody else.
  for (const [name, begin] of [
    [
      'by a line',
      () => {
        line('nobody');
        return compare();
      },
    ],
    ['by a message', () => message('nobody')],
  ] as const)
    test(`${name}, corrected by a line`, async () => {
      await begin();
      line(second);
      await comparesWith('differs', 1);
      assert.deepEqual(await borne(), [0n, 2_000n, 0n]);
      await comparesWith('agreed', 0);
      assert.deepEqual(await listParked(here.world), []);
      line(second, 2_000n, 'disputeWon');
      await comparesWith('agreed', 0);
      assert.deepEqual(await borne(), [0n, 0n, 0n]);
      await checkBooks();
    });

  // Guarantee: what waits for an operator is taken all the same, and later amounts reach it.
  test('that was parked, corrected and then amended', async () => {
    line('nobody');
    await compare();
    here.world.clock.advance({ hours: 73 });
    await tickAll(here.world);
    assert.equal((await listParked(here.world)).length, 1);
    line(second);
    await compare();
    await comparesWith('agreed', 0);
    assert.deepEqual([await borne(), await listParked(here.world)], [[0n, 2_000n, 0n], []]);
    line(second, 1_500n);
    await compare();
    await here.decide('dp', { capturedMinor: 1_500n });
    await compare();
    assert.deepEqual(await borne(), [0n, 1_500n, 0n]);
    await checkBooks();
  });

  // Guarantee: what an operator made our loss stays ours, and the correction is named.
  test('that is our loss, and is corrected', async () => {
    line('nobody');
    await compare();
    here.world.clock.advance({ hours: 73 });
    await tickAll(here.world);
    const [asked] = await listParked(here.world);
    await decideParked(here.world, asked?.id ?? '', { capturedMinor: 2_000n });
    line(second);
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence(second, 'nobody')]);
    assert.deepEqual([await borne(), await here.balanceOf('expense:loss')], [[0n, 0n, 0n], 2_000n]);
    await checkBooks();
  });

  // Guarantee: of two charges that we have, an operator finds out which is disputed, and no merchant bears it meanwhile.
  test('was said of one that is not paid, and then of a paid one', async () => {
    await here.damage(`update charge set acquirer = 'other' where id = '${first}'`);
    await message(first);
    line(second);
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence(second, first)]);
    const parked = (await listParked(here.world)).map(({ why }) => why.code).sort();
    assert.deepEqual(
      [await borne(), parked],
      [
        [0n, 0n, 2_000n],
        ['dispute_other_charge', 'dispute_unclaimed'],
      ],
    );
    assert.deepEqual(inWords(await findingsOf(here.world, undefined, 'disputes')), []);
  });

  // Guarantee: it is taken as soon as its charge is paid, also if that is after the correction.
  test('corrected to one that is paid later', async () => {
    here.bank.answers = 'unknown';
    const { body } = await here.service.ask('POST', '/transactions', {
      token: other.token,
      body: { amount: 20, description: 'Order' },
    });
    await here.service.ask('POST', `/transactions/${body.transactionId}/pay`, {
      token: other.token,
      body: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
    });
    const open = await chargeOf(body.transactionId);
    line('nobody');
    await compare();
    line(open);
    await comparesWith('differs', 1);
    assert.deepEqual(await borne(), [0n, 0n, 2_000n]);
    here.bank.say('capture', open, 2_000n);
    await comparesWith('differs', 0);
    await comparesWith('agreed', 0);
    assert.deepEqual(await borne(), [0n, 0n, 0n], 'the second merchant has 20.00 of the other payment, less 20.00');
    await checkBooks();
  });

  // Guarantee: sellers and their partner bear a corrected dispute as any other.
  test('corrected to a payment over several sellers', async () => {
    const partner = await aPartner(here.service);
    const children = [aChild(partner, 0, 700, { commission: 70 }), aChild(partner, 1, 300)];
    const charge = await chargeOf(await aPaidSplit(here.service, partner, children));
    const accounts = [partner, ...partner.sellers].map(({ id }) => id);
    const nets = () => Promise.all(accounts.map((id) => here.balanceOf(`merchant:${id}:available`)));
    const before = await nets();
    line('nobody', 500n);
    await compare();
    line(charge, 500n);
    await compare();
    await comparesWith('agreed', 0);
    const given = (await nets()).map((minor, index) => minor - (before[index] ?? 0n));
    assert.deepEqual(given, [35n, 315n, 150n, 0n]);
    await checkBooks();
  });
});

suite('a run that was taken over', () => {
  const nodes = { self: null, isDead: () => false };

  /** What an operator has decided is not told by the runs that follow. */
  async function comparesUntold(): Promise<void> {
    here.world.clock.advance({ hours: 1 });
    const applyResult: HandleCallback = () => Promise.reject(new Error('not now'));
    await reconcile({ ...here.world, nodes, applyResult }, { from: here.begun });
  }

  // Guarantee: a run that lives, and tells late of a line with another charge, does not make the right one be forgotten.
  test('tells an old charge', async () => {
    const { world } = here;
    line(first);
    await compare();
    line(second, 1_500n);
    await comparesUntold();
    await here.decide('dp', { capturedMinor: 1_500n });
    const gate = new Gate();
    const applyResult: HandleCallback = async (acquirer, callback) => {
      await gate.pass();
      await handleCallback(world, callback, acquirer);
    };
    const frozen = reconcile({ ...world, nodes, applyResult }, { from: here.begun });
    await gate.reachedBy(frozen);
    world.wall.advance({ seconds: 46 });
    line(first, 1_500n);
    await comparesUntold();
    gate.open();
    await frozen;
    await comparesWith('agreed', 0);
    assert.deepEqual(await borne(), [1_500n, 0n, 0n]);
    await checkBooks();
  });
});

suite('a charge that somebody writes into the tables', () => {
  // Guarantee: nobody takes a dispute from another merchant by changing what the acquirer named.
  test('of a dispute that nobody claimed', async () => {
    line('nobody');
    await compare();
    await compare();
    await here.damage(`update dispute_unclaimed set charge_key = '${second}'`);
    assert.ok((await codes()).includes('dispute_of_other_charge'));
    await claimDisputes(here.world);
    assert.deepEqual((await borne())[1], 0n);
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence('nobody', second)]);
  });

  // Guarantee: the same of a dispute, with everything that follows from its charge.
  test('of a dispute', async () => {
    line(first);
    await compare();
    await here.damage(`update dispute set (charge_id, transaction_id, merchant_id) =
      (select id, transaction_id, merchant_id from charge where id = '${second}')`);
    assert.ok((await codes()).includes('dispute_of_other_charge'));
    await comparesWith('differs', 1);
    assert.deepEqual(await here.parked('dp'), [sentence(first, second)]);
  });

  // Guarantee: the charge of a line is the one that its last record says.
  test('of a line', async () => {
    line(first);
    await compare();
    await here.damage(`update acquirer_line set charge_key = '${second}' where kind = 'dispute'`);
    assert.ok((await codes()).includes('reconciliation_row_changed'));
    await comparesWith('agreed', 0);
    await checkBooks();
  });

  // Guarantee: a confirmation that nobody gave does not hide it.
  test('of a difference', async () => {
    await message(first);
    line(second);
    await compare();
    await here.damage(`update reconciliation_item set our_charge_key = 'nobody'`);
    assert.ok((await codes()).includes('reconciliation_row_changed'));
  });
});
