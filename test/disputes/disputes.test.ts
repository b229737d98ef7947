// Disputes: what the acquirer says about them, who bears them, and what becomes of refunds meanwhile.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { Callback, DisputeStage } from '../../src/acquirer/index.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { inWords } from '../support/findings.ts';
import { aChild, aPaidSplit, aPartner, refundSplit } from '../support/marketplace.ts';
import { aPaidTransaction, show } from '../support/payments.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRefund, fund, refund } from '../support/refunds.ts';
import { claimDisputes, decideParked, handleCallback, listParked, parkDisputes, tickAll } from '../support/rooms.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, type TestMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let merchant: TestMerchant;

beforeEach(async () => {
  here = await aReconciling();
  merchant = await aMerchant(here.service);
});

const minorOf = async (account: string) => -(await here.balanceOf(account));
const available = (id = merchant.id) => minorOf(`merchant:${id}:available`);
const owed = (id = merchant.id) => here.balanceOf(`merchant:${id}:owed`);
const payable = () => minorOf('dispute:payable');

interface Said {
  readonly key?: string;
  readonly minor?: bigint;
  readonly at?: Temporal.Instant;
  readonly reason?: string;
}

function news(
  stage: DisputeStage,
  chargeKey: string,
  { key = 'dp_1', minor = 1_000n, at, reason = 'fraudulent' }: Said,
): Callback {
  const result = { kind: stage, chargeKey, amount: money(minor, 'PLN'), reason, respondUntil: null };
  return { kind: 'dispute', key, result: at ? { ...result, at } : result };
}

const say = (stage: DisputeStage, chargeKey: string, more: Said = {}) =>
  handleCallback(here.world, news(stage, chargeKey, more));

/** Paid with 10.00; its charge has this key. */
async function aPaid(): Promise<{ id: string; charge: string }> {
  const id = await aPaidTransaction(here.service, merchant, { amount: 10 });
  return { id, charge: await chargeOf(id) };
}

async function chargeOf(id: string): Promise<string> {
  return here.world.db.sql.one((row) => readText(row, 'id'))`select id from charge where transaction_id = ${id}`;
}

/** Of 10.00, whose result the bank has not said. */
async function anOpenCharge(): Promise<string> {
  here.bank.answers = 'unknown';
  const { body } = await here.service.ask('POST', '/transactions', {
    token: merchant.token,
    body: { amount: 10, description: 'Order' },
  });
  await here.service.ask('POST', `/transactions/${body.transactionId}/pay`, {
    token: merchant.token,
    body: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
  });
  here.bank.answers = 'approved';
  return chargeOf(body.transactionId);
}

async function stateOf(key = 'dp_1'): Promise<string> {
  const states = await here.world.db.sql.many((row) => readText(row, 'state'))`
    select state from dispute where key = ${key}`;
  return states.join(', ');
}

async function toldOf(key = 'dp_1'): Promise<string> {
  const told = await here.world.db.sql.many((row) => JSON.parse(readText(row, 'body')).data)`
    select body from event where subject_id = (select id from dispute where key = ${key}) order by created_at, id`;
  return told.map(({ disputeStatus, disputeAmount }) => `${disputeStatus} ${disputeAmount}`).join(', ');
}

/** Until this many statements stand before a lock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = () =>
    here.world.db.sql.one((row) => readInteger(row, 'waiting'))`
      select count(*)::integer as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`;
  for (let asked = 0; (await waiting()) < count; asked += 1) {
    assert.ok(asked < 20_000, 'no statement stands before a lock');
  }
}

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

suite('a dispute', () => {
  // Guarantee: opening takes the money from the merchant, winning gives it back, losing keeps it; each is told once.
  test('opened and won', async () => {
    const { charge } = await aPaid();
    const before = await available();
    await say('opened', charge);
    await say('opened', charge);
    assert.deepEqual([await available(), await owed(), await payable()], [before - 1_000n, 0n, 1_000n]);
    await checkBooks();
    await say('won', charge);
    await say('won', charge);
    assert.deepEqual([await available(), await owed(), await payable()], [before, 0n, 0n]);
    assert.deepEqual([await stateOf(), await toldOf()], ['won', 'opened 10.00, won 10.00']);
    await checkBooks();
  });

  test('opened and lost', async () => {
    const { charge } = await aPaid();
    const before = await available();
    await say('opened', charge);
    await say('lost', charge);
    await say('opened', charge);
    assert.deepEqual([await available(), await payable()], [before - 1_000n, 1_000n]);
    assert.deepEqual([await stateOf(), await toldOf()], ['lost', 'opened 10.00, lost 10.00']);
    await checkBooks();
  });

  // Guarantee: since when it has ended is what its steps say, also if it ended twice; verify names what was changed.
  test('that ended, since when it has', async () => {
    const { charge } = await aPaid();
    const now = here.world.clock.now();
    await say('won', charge, { at: now });
    here.world.clock.advance({ hours: 1 });
    await say('lost', charge, { at: now.add({ hours: 1 }) });
    await checkBooks();
    for (const endedAt of ['opened_at', "'2027-01-01Z'"]) {
      await here.damage(`update dispute set ended_at = ${endedAt}`);
      const codes = (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);
      assert.deepEqual(codes, ['dispute_steps_differ'], endedAt);
    }
  });

  // Guarantee: in any order, the end counts; an older message that comes late changes nothing.
  test('in any order', async () => {
    const { charge } = await aPaid();
    const before = await available();
    await say('won', charge, { key: 'early' });
    await say('opened', charge, { key: 'early' });
    assert.deepEqual([await stateOf('early'), await available()], ['won', before]);
    const now = here.world.clock.now();
    await say('lost', charge, { at: now });
    await say('won', charge, { at: now.subtract({ hours: 1 }) });
    await say('won', charge);
    assert.deepEqual([await stateOf(), await available()], ['lost', before - 1_000n]);
    await say('won', charge, { at: now.add({ hours: 1 }) });
    assert.deepEqual([await stateOf(), await available()], ['won', before]);
    await say('lost', charge, { at: now.add({ hours: 2 }) });
    assert.deepEqual([await stateOf(), await available()], ['lost', before - 1_000n]);
    assert.equal(await toldOf(), 'lost 10.00, won 10.00, lost 10.00');
    await checkBooks();
  });

  // Guarantee: a balance never goes below zero; what it does not cover is owed, and what comes back pays that first.
  test('that the balance does not cover', async () => {
    const [one, other] = [await aPaid(), await aPaid()];
    await say('opened', one.charge);
    await aRefund(here.service, merchant, other.id, { amount: 7 });
    const before = await available();
    assert.ok(before < 1_000n);
    await say('opened', other.charge, { key: 'dp_2', minor: 300n });
    const short = 300n > before ? 300n - before : 0n;
    assert.deepEqual([await available(), await owed()], [before > 300n ? before - 300n : 0n, short]);
    await say('lost', one.charge, { key: 'dp_3', minor: 500n });
    const debt = await owed();
    assert.equal((await available()) - debt, before - 800n);
    assert.ok(debt > 0n);
    await checkBooks();
    await say('won', one.charge);
    assert.deepEqual([await owed(), await available()], [0n, before + 200n]);
    await checkBooks();
  });

  // Guarantee: an acquirer can dispute only what went through it, and only what a merchant has; an operator is told.
  test('of a charge of another acquirer, or that was declined', async () => {
    const { charge } = await aPaid();
    await handleCallback(here.world, news('opened', charge, {}), 'other');
    await tickAll(here.world);
    assert.equal(await stateOf(), '');
    await checkBooks();
    here.world.clock.advance({ hours: 72 });
    await tickAll(here.world);
    const parked = await listParked(here.world);
    assert.deepEqual(
      parked.map(({ kind, why, amountMinor }) => [kind, why.code, amountMinor]),
      [['dispute', 'dispute_unclaimed', 1_000n]],
    );
    assert.equal(await decideParked(here.world, parked[0]?.id ?? '', { capturedMinor: 1_000n }), true);
    const open = await anOpenCharge();
    await say('opened', open);
    await handleCallback(here.world, {
      kind: 'charge',
      key: open,
      result: { kind: 'declined', reason: 'payer rejected' },
    });
    await tickAll(here.world);
    assert.equal(await stateOf(), '');
    await checkBooks();
  });

  // Guarantee: however many of them at once, each is booked once.
  test('many at once', async () => {
    const { charge } = await aPaid();
    const before = await available();
    const all = Array.from({ length: 12 }, (_, index) => say(index % 3 === 0 ? 'lost' : 'opened', charge));
    const others = Array.from({ length: 6 }, () => say('opened', charge, { key: 'dp_2', minor: 200n }));
    await Promise.all([...all, ...others]);
    assert.deepEqual([await stateOf(), await stateOf('dp_2')], ['lost', 'opened']);
    assert.equal((await available()) - (await owed()), before - 1_200n);
    await checkBooks();
  });
});

suite('a dispute of a charge that nobody has, or not yet', () => {
  // Guarantee: in any order of the charge's result, messages and lines, each of them repeated or not, one dispute is booked
  // once, as the last word says.
  test('whatever comes first, it is booked once', async () => {
    const draw = new Seeded('disputes in any order');
    // What is never done must not keep the test busy.
    const few = { roundsAtMost: 20 };
    for (let round = 0; round < 10; round += 1) {
      const [charge, key, minor] = [await anOpenCharge(), `dp_${round}`, 600n];
      const before = (await available()) - (await owed());
      const at = here.world.clock.now();
      const isWon = round % 2 === 0;
      const end = news(isWon ? 'won' : 'lost', charge, { key, minor, at });
      const lines: Callback[] = (['opened', ...(isWon ? (['won'] as const) : [])] as const).map((stage) => {
        const { result } = news(stage, charge, { key, minor, at, reason: '' }) as Extract<
          Callback,
          { kind: 'dispute' }
        >;
        return { kind: 'dispute', key, moved: true, result };
      });
      const paid: Callback = {
        kind: 'charge',
        key: charge,
        lookedUp: true,
        result: { kind: 'approved', amount: money(1_000n, 'PLN') },
      };
      const all = [paid, news('opened', charge, { key, minor }), end, ...lines];
      const twice = [...all, ...all.filter(() => draw.chance(0.5))];
      const said = twice
        .map((one) => ({ one, place: draw.below(1_000) }))
        .toSorted((left, right) => left.place - right.place);
      for (const { one } of said) {
        await handleCallback(here.world, one);
        if (draw.chance(0.3)) await tickAll(here.world, few);
      }
      await tickAll(here.world, few);
      const order = said.map(({ one }) => `${one.kind} ${one.result.kind}`).join(', ');
      assert.equal(await stateOf(key), isWon ? 'won' : 'lost', order);
      assert.equal((await available()) - (await owed()), before + (isWon ? 1_000n : 400n), order);
    }
    assert.equal(await tickAll(here.world, few), 0);
    assert.deepEqual(await listParked(here.world), []);
    await checkBooks();
  });

  // Guarantee: a dispute that cannot begin does not keep others from it, and begins once it can.
  test('beside one that cannot begin', async () => {
    const { world } = here;
    const charges = [await anOpenCharge(), await anOpenCharge()];
    for (const [index, charge] of charges.entries()) await say('opened', charge, { key: `dp_${index}`, minor: 500n });
    const result = { kind: 'approved', amount: money(1_000n, 'PLN') } as const;
    for (const key of charges) await handleCallback(world, { kind: 'charge', key, lookedUp: true, result });
    let fails = true;
    const ulid = () => {
      if (!fails) return world.ids.ulid();
      fails = false;
      throw new Error('The first one fails.');
    };
    assert.equal(await claimDisputes({ ...world, ids: { ulid } }), 1);
    assert.equal(await claimDisputes(world), 1);
    for (const index of charges.keys()) assert.equal(await stateOf(`dp_${index}`), 'opened');
    await checkBooks();
  });

  // Guarantee: what nobody claims for three days is an operator's; we bear what was decided, and get back what is won.
  test('is parked, and our loss', async () => {
    await say('opened', 'nobody', { minor: 500n });
    await say('opened', 'nobody', { minor: 500n });
    await tickAll(here.world);
    assert.deepEqual([await listParked(here.world), await payable()], [[], 0n]);
    here.world.clock.advance({ hours: 72 });
    await tickAll(here.world);
    const [parked] = await listParked(here.world);
    assert.deepEqual([parked?.kind, parked?.amountMinor], ['dispute', 500n]);
    // What the acquirer is asked about.
    const parameters = { acquirer: 'simulator', dispute: 'dp_1', charge: 'nobody' };
    assert.deepEqual(parked?.why, { code: 'dispute_unclaimed', parameters });
    // Nobody requested it: the bank has nothing to move.
    await assert.rejects(decideParked(here.world, parked?.id ?? '', { capturedMinor: 499n }), /not_about/);
    assert.equal(await decideParked(here.world, parked?.id ?? '', { capturedMinor: 500n }), true);
    assert.deepEqual([await payable(), await here.balanceOf('expense:loss')], [500n, 500n]);
    await checkBooks();
    await say('won', 'nobody', { minor: 500n });
    await tickAll(here.world);
    const [again] = await listParked(here.world);
    assert.equal(await decideParked(here.world, again?.id ?? '', { capturedMinor: 0n }), true);
    assert.deepEqual([await payable(), await here.balanceOf('expense:loss')], [0n, 0n]);
    await tickAll(here.world);
    assert.deepEqual(await listParked(here.world), []);
    await checkBooks();
  });

  // Guarantee: who bears it was decided: a charge that is paid afterwards changes nothing.
  test('that we bear, and whose charge is paid afterwards', async () => {
    const charge = await anOpenCharge();
    await say('opened', charge, { minor: 500n });
    here.world.clock.advance({ hours: 72 });
    await tickAll(here.world);
    const parked = (await listParked(here.world)).find(({ kind }) => kind === 'dispute');
    assert.equal(await decideParked(here.world, parked?.id ?? '', { capturedMinor: 500n }), true);
    const paid = { kind: 'approved', amount: money(1_000n, 'PLN') } as const;
    await handleCallback(here.world, { kind: 'charge', key: charge, lookedUp: true, result: paid });
    await say('opened', charge, { minor: 500n });
    await tickAll(here.world);
    assert.deepEqual([await stateOf(), await here.balanceOf('expense:loss'), await owed()], ['', 500n, 0n]);
    await checkBooks();
  });

  const paid = (key: string) =>
    handleCallback(here.world, {
      kind: 'charge',
      key,
      lookedUp: true,
      result: { kind: 'approved', amount: money(1_000n, 'PLN') },
    });

  // Guarantee: what is said while the dispute begins is not lost, although it was not a dispute yet when it was said.
  for (const [name, said, state] of [
    ['won', { stage: 'won' }, 'won 0'],
    ['taken by a line', { stage: 'opened', minor: 600n, moved: true }, 'opened 600'],
    ['not taken after all', { stage: 'opened', minor: 0n, moved: true }, 'opened 0'],
  ] as const)
    test(`and is ${name} while it is claimed`, async () => {
      const { world } = here;
      const charge = await anOpenCharge();
      await say('opened', charge);
      const { stage, ...more } = { minor: 1_000n, moved: undefined, ...said };
      const callback = news(stage, charge, more);
      const { hearing, claiming } = await world.db.atomic(async (sql) => {
        // Both wait for it before they write.
        await sql.run`lock table dispute_unclaimed in share mode`;
        const first = handleCallback(world, more.moved ? ({ ...callback, moved: true } as Callback) : callback);
        await untilWaiting(1);
        await paid(charge);
        const second = claimDisputes(world);
        await untilWaiting(2);
        return { hearing: first, claiming: second };
      });
      await Promise.all([hearing, claiming]);
      assert.equal(`${await stateOf()} ${await payable()}`, state);
      await tickAll(world);
      await checkBooks();
    });

  // Guarantee: what was said of one charge is never taken from the merchant of another one; an operator is asked.
  test('and then, under the same key, one of another charge', async () => {
    const { charge } = await aPaid();
    const before = await available();
    await say('opened', 'nobody', { minor: 1_500n });
    await say('opened', charge, { minor: 100n });
    await tickAll(here.world);
    assert.deepEqual([await stateOf(), await available(), await owed()], ['', before, 0n]);
    const [parked, ...others] = await listParked(here.world);
    assert.deepEqual([parked?.why.code, parked?.amountMinor, others], ['dispute_unclaimed', 1_500n, []]);
    assert.equal(await decideParked(here.world, parked?.id ?? '', { capturedMinor: 1_500n }), true);
    await say('opened', charge, { minor: 100n });
    assert.deepEqual([await available(), await payable(), await listParked(here.world)], [before, 1_500n, []]);
    await checkBooks();
  });

  // Guarantee: the same the other way round: what is said of a charge that nobody has does not become a second dispute.
  test('under the key of a dispute', async () => {
    const { charge } = await aPaid();
    await say('opened', charge, { minor: 100n });
    await say('opened', 'nobody', { minor: 1_500n });
    await say('lost', charge, { minor: 100n });
    here.world.clock.advance({ hours: 72 });
    await tickAll(here.world);
    assert.deepEqual([await stateOf(), await payable(), await listParked(here.world)], ['lost', 100n, []]);
    await checkBooks();
  });

  // Guarantee: those that only wait are not touched: looking for others never waits for them, nor they for it.
  test('that only waits is not locked', async () => {
    const { world } = here;
    await say('opened', 'nobody', { minor: 500n });
    await world.db.atomic(async (sql) => {
      await sql.run`select id from dispute_unclaimed for update`;
      const claiming = claimDisputes(world);
      assert.equal(await Promise.race([claiming, untilWaiting(1).then(() => 'blocked')]), 0);
    });
  });

  // Guarantee: while the acquirer is to take it back, nobody is asked; then an operator is again.
  test('that the acquirer is to take back', async () => {
    await say('opened', 'nobody', { minor: 500n });
    here.world.clock.advance({ hours: 72 });
    await tickAll(here.world);
    const [parked] = await listParked(here.world);
    assert.equal(await decideParked(here.world, parked?.id ?? '', 'not-captured'), true);
    await tickAll(here.world);
    assert.deepEqual(await listParked(here.world), []);
    here.world.clock.advance({ hours: 72 });
    await tickAll(here.world);
    assert.equal((await listParked(here.world)).length, 1);
    await checkBooks();
  });
});

suite('refunds of a disputed payment', () => {
  // Guarantee: what is disputed cannot be refunded as well; what is not can, and everything again once it is won.
  test('are refused up to what is disputed', async () => {
    const { id, charge } = await aPaid();
    await fund(here.service, merchant, 5_000n);
    await say('opened', charge, { minor: 600n });
    const [full, tooMuch] = [
      await refund(here.service, merchant, id, {}),
      await refund(here.service, merchant, id, { amount: 4.01 }),
    ];
    for (const answer of [full, tooMuch]) {
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.errorCode], [409, 'payment_disputed'], answer.text);
    }
    assert.equal((await refund(here.service, merchant, id, { amount: 4 })).status, 200);
    await say('lost', charge, { minor: 600n });
    assert.equal(
      (await refund(here.service, merchant, id, { amount: 0.01 })).body.errors?.[0]?.errorCode,
      'payment_disputed',
    );
    await say('won', charge, { minor: 600n, at: here.world.clock.now() });
    assert.equal((await refund(here.service, merchant, id, {})).status, 200);
    await checkBooks();
  });

  // Guarantee: a refund that was not sent waits, and is not released while the payer gets the money by the dispute.
  test('that were not sent are held', async () => {
    const { id, charge } = await aPaid();
    await fund(here.service, merchant, 5_000n);
    const first = await aRefund(here.service, merchant, id, { amount: 3 });
    await say('opened', charge, { minor: 700n });
    assert.equal(await statusOf(first), 'BLIK_pending');
    await say('opened', charge, { key: 'dp_2', minor: 1n });
    assert.equal(await statusOf(first), 'Hold');
    assert.deepEqual(await listParked(here.world), []);
    const released = await here.service.ask('POST', `/refunds/${first}/release`, { token: merchant.token });
    assert.deepEqual([released.status, released.body.errors?.[0]?.errorCode], [409, 'payment_disputed'], released.text);
    // No part of it can be released: the advice is another one than about a new refund.
    const advice = 'Release the refund once the dispute is won, or cancel it: its amount and fee return.';
    assert.equal(released.body.errors?.[0]?.devMessage, advice);
    assert.equal(await statusOf(first), 'Hold');
    // Guarantee: at the command line, customer service reads why, not that it can no longer be changed.
    const { stderr } = await runHere(['refund', 'release', first], await settingsIn(here.world));
    assert.equal(
      stderr,
      `The refund is Hold. The payer disputes this payment, and would get the money twice. ${advice}\n`,
    );
    await checkBooks();
    await say('won', charge, { minor: 700n });
    assert.equal((await here.service.ask('POST', `/refunds/${first}/release`, { token: merchant.token })).status, 200);
    assert.equal(await statusOf(first), 'BLIK_pending');
    await checkBooks();
  });

  // Guarantee: an operator who puts off what the acquirer does not settle takes nothing else off the list.
  test('that exceed what was paid while an operator decides', async () => {
    const { charge } = await aPaid();
    await say('lost', charge, { minor: 500n });
    here.world.clock.advance({ hours: 80 });
    await parkDisputes(here.world);
    const listed = async () => (await listParked(here.world)).map(({ why }) => why.code);
    const [parked] = await listParked(here.world);
    assert.deepEqual(await listed(), ['dispute_unsettled']);
    let decided: Promise<boolean> | undefined;
    await here.world.db.atomic(async (sql) => {
      // A step at another node, whose commit says that the payer got too much.
      await sql.run`select from dispute for update`;
      decided = decideParked(here.world, parked?.id ?? '', 'not-captured');
      await untilWaiting(1);
      await sql.run`update dispute set parked_why = 'refunded_too'`;
    });
    assert.equal(await decided, true);
    assert.deepEqual(await listed(), ['refunded_too']);
  });

  // Guarantee: a payer who gets the money twice does not go unnoticed.
  test('that were sent: an operator is told', async () => {
    const { id, charge } = await aPaid();
    await fund(here.service, merchant, 5_000n);
    await aRefund(here.service, merchant, id, { amount: 4 });
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    await say('opened', charge, { minor: 600n });
    assert.deepEqual(await listParked(here.world), []);
    await say('opened', charge, { key: 'dp_2', minor: 100n });
    const [parked] = await listParked(here.world);
    assert.deepEqual([parked?.kind, parked?.why.code, parked?.amountMinor], ['dispute', 'refunded_too', 100n]);
    assert.equal(await decideParked(here.world, parked?.id ?? '', { capturedMinor: 100n }), true);
    await say('lost', charge, { key: 'dp_2', minor: 100n });
    assert.deepEqual(await listParked(here.world), []);
    await checkBooks();
  });

  // Guarantee: what has been seen is what was listed: an operator is told of another amount that came since.
  test('that were sent, and more than an operator has seen', async () => {
    const { id, charge } = await aPaid();
    await fund(here.service, merchant, 5_000n);
    await aRefund(here.service, merchant, id);
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    await say('opened', charge, { minor: 1n });
    const [parked] = await listParked(here.world);
    assert.equal(parked?.amountMinor, 1n);
    await handleCallback(here.world, { ...news('opened', charge, { minor: 900n }), moved: true } as Callback);
    const stale = [{ capturedMinor: 1n }, 'not-captured'] as const;
    for (const seen of stale) await assert.rejects(decideParked(here.world, parked?.id ?? '', seen), /not_about/);
    assert.deepEqual(
      (await listParked(here.world)).map(({ amountMinor }) => amountMinor),
      [900n],
    );
    assert.equal(await decideParked(here.world, parked?.id ?? '', { capturedMinor: 900n }), true);
    assert.deepEqual(await listParked(here.world), []);
    await checkBooks();
  });

  const listed = async () => (await listParked(here.world)).map(({ why, amountMinor }) => [why.code, amountMinor]);

  /** Refunds of these amounts, of which the bank has not said yet whether the payer gets them. */
  async function areSent(id: string, ...amounts: readonly number[]): Promise<string[]> {
    await fund(here.service, merchant, 5_000n);
    const ids: string[] = [];
    for (const amount of amounts) ids.push(await aRefund(here.service, merchant, id, { amount }));
    here.bank.answers = 'unknown';
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    here.bank.answers = 'approved';
    return ids;
  }

  const declined = (key: string) => handleCallback(here.world, { kind: 'refund', key, result: { kind: 'declined' } });

  // Guarantee: what an operator is told is true: when the bank refuses refunds so that the payer gets no more than was paid,
  // nothing is listed, and not before.
  test('that were sent, and that the bank refuses', async () => {
    const { id, charge } = await aPaid();
    const [first = '', second = ''] = await areSent(id, 3, 3);
    await say('opened', charge, { minor: 850n });
    assert.deepEqual(await listed(), [['refunded_too', 850n]]);
    await declined(first);
    assert.deepEqual(await listed(), [['refunded_too', 850n]]);
    await declined(second);
    assert.deepEqual(await listed(), []);
    await handleCallback(here.world, { ...news('opened', charge, { minor: 900n }), moved: true } as Callback);
    assert.deepEqual(await listed(), []);
    await checkBooks();
  });

  // Guarantee: the same when a dispute gets smaller, or another one of the payment is won.
  test('that were sent, and together with disputes that become less', async () => {
    const { id, charge } = await aPaid();
    await areSent(id, 4);
    await say('opened', charge, { minor: 700n });
    assert.deepEqual(await listed(), [['refunded_too', 700n]]);
    await say('opened', charge, { key: 'dp_2', minor: 100n });
    assert.equal((await listed()).length, 2);
    await handleCallback(here.world, { ...news('opened', charge, { minor: 600n }), moved: true } as Callback);
    assert.equal((await listed()).length, 2);
    await say('won', charge, { key: 'dp_2', minor: 100n });
    assert.deepEqual(await listed(), []);
    await say('lost', charge, { minor: 600n });
    assert.deepEqual(await listed(), []);
    await checkBooks();
  });

  const codes = async () => (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);

  // Guarantee: nobody takes it from the list but an operator.
  test('that were sent, and that somebody took from the list', async () => {
    const { id, charge } = await aPaid();
    await fund(here.service, merchant, 5_000n);
    await aRefund(here.service, merchant, id);
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    await say('lost', charge);
    assert.equal((await listParked(here.world)).length, 1);
    await checkBooks();
    await here.damage('update dispute set parked_at = null, parked_why = null');
    assert.deepEqual(await codes(), ['dispute_refunded_too']);
  });

  // Guarantee: a refund that only the dispute keeps from being sent is missed when somebody lets it go.
  test('that are held, and that somebody releases', async () => {
    const { id, charge } = await aPaid();
    await fund(here.service, merchant, 5_000n);
    const held = await aRefund(here.service, merchant, id);
    await say('lost', charge);
    assert.equal(await statusOf(held), 'Hold');
    await checkBooks();
    await here.damage(`update refund set status = 'BLIK_pending' where id = '${held}'`);
    assert.deepEqual(await codes(), ['dispute_refunded_too']);
  });
});

suite('a dispute of a payment over several sellers', () => {
  // Guarantee: each seller bears its part less the commission, which the partner returns; won, each has it again.
  test('is shared as a refund is', async () => {
    const partner = await aPartner(here.service);
    const accounts = [partner, ...partner.sellers].map(({ id }) => id);
    const nets = () => Promise.all(accounts.map(async (id) => (await available(id)) - (await owed(id))));
    const id = await aPaidSplit(here.service, partner, [
      aChild(partner, 0, 700, { commission: 70 }),
      aChild(partner, 1, 300),
    ]);
    const charge = await chargeOf(id);
    const before = await nets();
    const less = async () => (await nets()).map((minor, index) => (before[index] ?? 0n) - minor);
    await say('opened', charge, { minor: 500n });
    assert.deepEqual(await less(), [35n, 315n, 150n, 0n]);
    const refused = await refundSplit(here.service, partner, id);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.errorCode], [409, 'payment_disputed'], refused.text);
    await checkBooks();
    await say('won', charge, { minor: 500n });
    assert.deepEqual(await less(), [0n, 0n, 0n, 0n]);
    assert.equal(await stateOf(), 'won');
    await checkBooks();
  });

  /** Paid with 7.00 and 3.00, of which 5.00 are disputed. */
  async function aDisputed() {
    const partner = await aPartner(here.service);
    const id = await aPaidSplit(here.service, partner, [
      aChild(partner, 0, 700, { commission: 70 }),
      aChild(partner, 1, 300),
    ]);
    const charge = await chargeOf(id);
    await say('opened', charge, { minor: 500n });
    const [one, other] = [partner.sellers[0]?.id, partner.sellers[1]?.id];
    assert.ok(one && other);
    return { partner, id, charge, one, other };
  }

  // Guarantee: a step that changes nothing of the amount moves nothing between sellers: the refund in between has.
  test('stays where a refund has left it', async () => {
    const { partner, id, charge, one, other } = await aDisputed();
    const refunded = await refundSplit(here.service, partner, id, {
      childTransactions: [{ merchantId: one, amount: 300 }],
    });
    assert.equal(refunded.status, 200, refunded.text);
    const nets = () =>
      Promise.all([partner.id, one, other].map(async (of) => (await available(of)) - (await owed(of))));
    const before = await nets();
    await say('lost', charge, { minor: 500n });
    assert.deepEqual(await nets(), before);
    await checkBooks();
  });

  // Guarantee: a message is taken also if the bank paid a refund that it had declined: the commission of what is gone is
  // still with the partner, and takes no seller below nothing.
  test('gets smaller after the bank paid a declined refund late', async () => {
    const partner = await aPartner(here.service);
    const id = await aPaidSplit(here.service, partner, [
      aChild(partner, 0, 700, { commission: 70 }),
      aChild(partner, 1, 300),
    ]);
    const [charge, one] = [await chargeOf(id), partner.sellers[0]?.id];
    await Promise.all(partner.sellers.map((seller) => fund(here.service, seller, 2_000n)));
    const refunded = await refundSplit(here.service, partner, id, {
      childTransactions: [{ merchantId: one, amount: 690 }],
    });
    assert.equal(refunded.status, 200, refunded.text);
    here.bank.answers = 'unknown';
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    const settled = (kind: 'approved' | 'declined') =>
      handleCallback(here.world, { kind: 'refund', key: refunded.body.refundId, result: { kind } });
    await settled('declined');
    await say('opened', charge, { minor: 310n });
    await settled('approved');
    const amended = news('opened', charge, { minor: 100n }) as Extract<Callback, { kind: 'dispute' }>;
    await handleCallback(here.world, { ...amended, moved: true });
    await checkBooks();
    await say('won', charge, { minor: 100n });
    await handleCallback(here.world, { ...(news('won', charge, { minor: 99n }) as typeof amended), moved: true });
    assert.deepEqual([await stateOf(), await payable()], ['won', 1n]);
    await checkBooks();
  });

  // Guarantee: each bears its part of the payment, and no step moves money between accounts; verify names what does.
  test('of which another seller bears more than its part', async () => {
    const { one, other } = await aDisputed();
    await here.damage(`with less as (
        update dispute_share set amount_minor = amount_minor - 100 where account_id = '${one}' returning step_id)
      update dispute_share set amount_minor = amount_minor + 100
       where account_id = '${other}' and step_id = (select step_id from less)`);
    const codes = (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);
    assert.ok(codes.includes('dispute_shared_otherwise'), codes.join());
  });

  // Guarantee: the same of a dispute of 0.00, which the schema refuses.
  test('of 0.00 that moves money to another seller', async () => {
    const { one, other } = await aDisputed();
    await here.damage(`with made as (
        insert into dispute select (jsonb_populate_record(dispute, jsonb_build_object('id', '7' || right(id, 25), 'key', 'dp_0',
          'amount_minor', 0, 'state', 'won', 'ended_at', opened_at))).* from dispute returning *)
      insert into dispute_step (id, dispute_id, number, kind, state, amount_minor, returned_minor, at)
      select id, id, 1, 'won', 'won', 0, 0, opened_at from made`);
    const { sql } = here.world.db;
    const move = (from: string, to: string, minor: bigint) => sql.run`
      insert into dispute_share select id, account_id, minor from dispute_step
       cross join (values (${from}, -${minor}::bigint), (${to}, ${minor}::bigint)) as moved (account_id, minor)
       where dispute_id = (select id from dispute where key = 'dp_0') and minor <> 0`;
    await assert.rejects(move(one, other, 100n), /moves money between accounts/);
  });
});

async function statusOf(id: string): Promise<string> {
  return (await here.service.ask('GET', `/refunds/${id}`, { token: merchant.token })).body.status;
}

// Guarantee: a disputed transaction is what it was, for the payer and for the merchant.
test('a disputed transaction stays paid', async () => {
  const { id, charge } = await aPaid();
  await say('lost', charge);
  assert.equal((await show(here.service, merchant, id)).body.status, 'paid');
});
