// Money that goes back to a payer whose bank takes the same money back by a dispute.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { DisputeStage } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { inWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { decideParked, handleCallback, listParked } from '../support/rooms.ts';
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

function say(kind: DisputeStage): Promise<void> {
  const result = { kind, chargeKey: charge, amount: money(2_000n, 'PLN'), reason: 'fraudulent', respondUntil: null };
  return handleCallback(here.world, { kind: 'dispute', key: 'dp_1', result });
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
