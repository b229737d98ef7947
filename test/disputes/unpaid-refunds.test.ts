// Refunds that a dispute counted as gone and that end without the payer: the dispute is shared anew, as if they had never
// been.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { aDisputedSplit } from '../support/disputed-split.ts';
import { sayDispute } from '../support/disputes.ts';
import { inWords } from '../support/findings.ts';
import { aChild, aPaidSplit } from '../support/marketplace.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { decideParked, listParked, parkDisputes } from '../support/rooms.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;

beforeEach(async () => {
  here = await aReconciling();
});

/** Two sellers with 100.00 each in one payment, of which the partner takes this commission. */
const aSplit = (commission = 0) => aDisputedSplit(here, { commission });

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

async function stepsOf(key = 'dp_1'): Promise<string> {
  const kinds = await here.world.db.sql.many((row) => readText(row, 'kind'))`
    select step.kind from dispute join dispute_step as step on step.dispute_id = dispute.id
     where dispute.key = ${key} order by step.number`;
  return kinds.join(', ');
}

// Guarantee: a refund that the payer never gets takes nothing from another seller by a dispute, and no commission from one:
// each bears its proportion of what was not refunded, and the partner returns its commission in proportion.
suite('a refund that a dispute counted as gone', () => {
  test('that was not sent, and is canceled after the dispute is lost', async () => {
    const { refund, say, ask, more } = await aSplit();
    const held = await refund();
    await say('opened', 20_000n);
    await say('lost', 20_000n);
    assert.deepEqual(await more(), [0n, -5_000n, -5_000n]);
    await checkBooks();
    await ask(held, 'cancel');
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    assert.equal(await stepsOf(), 'opened, lost, shared');
    await checkBooks();
  });

  test('that was sent, and that the bank declines', async () => {
    const { refund, say, send, told, more } = await aSplit();
    const sent = await refund();
    await send('unknown');
    await say('opened', 20_000n);
    await told(sent, { kind: 'declined', why: 'disputed' });
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    await told(sent, { kind: 'declined', why: 'disputed' });
    await say('lost', 20_000n);
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    assert.equal(await stepsOf(), 'opened, shared, lost');
    await checkBooks();
  });

  test('that was sent, that the bank does not know, and that is not paid, as an operator says', async () => {
    const { refund, say, send, more } = await aSplit(1_000);
    const sent = await refund();
    await send('unknown');
    await say('lost', 20_000n);
    await send();
    assert.equal(await decideParked(here.world, sent, 'not-captured'), true);
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    assert.equal(await stepsOf(), 'lost, shared');
    await checkBooks();
  });

  test('that was paid, and comes back', async () => {
    const { refund, say, send, told, more } = await aSplit();
    const paid = await refund();
    await send();
    await say('opened', 20_000n);
    assert.deepEqual(await more(), [0n, -5_000n, -5_000n]);
    await checkBooks();
    await told(paid, { kind: 'returned' });
    await told(paid, { kind: 'returned' });
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    await say('lost', 20_000n);
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    await checkBooks();
  });

  test('that the partner holds, beside a dispute of half, and cancels', async () => {
    const { refund, say, ask, more } = await aSplit(1_000);
    const held = await refund();
    await ask(held, 'hold');
    await say('opened', 10_000n);
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    await say('lost', 10_000n);
    await checkBooks();
    await ask(held, 'cancel');
    assert.deepEqual(await more(), [1_000n, 4_500n, 4_500n]);
    await checkBooks();
  });

  test('that is of all, that the partner holds, and cancels: the commission', async () => {
    const { refund, say, ask, more } = await aSplit(1_000);
    const held = await refund({});
    await ask(held, 'hold');
    await say('lost', 20_000n);
    assert.deepEqual(await more(), [0n, -10_000n, -10_000n]);
    await checkBooks();
    await ask(held, 'cancel');
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    await checkBooks();
  });

  // Guarantee: the same whatever comes first.
  test('that ends before the dispute does, or after it', async () => {
    const results: bigint[][] = [];
    for (const isFirst of [true, false]) {
      const { refund, say, send, told, more, id } = await aSplit(1_000);
      const sent = await refund();
      await send('unknown');
      const declined = () => told(sent, { kind: 'declined' });
      await say('opened', 15_000n, id);
      if (isFirst) await declined();
      await say('lost', 15_000n, id);
      if (!isFirst) await declined();
      results.push(await more());
      assert.equal(await stepsOf(id), isFirst ? 'opened, shared, lost' : 'opened, lost, shared');
    }
    const before = await aSplit(1_000);
    const sent = await before.refund();
    await before.send('unknown');
    await before.told(sent, { kind: 'declined' });
    await before.say('lost', 15_000n);
    results.push(await before.more());
    assert.deepEqual(
      results,
      results.map(() => [500n, 2_250n, 2_250n]),
    );
    await checkBooks();
  });

  test('by two disputes, of which one is won then', async () => {
    const { refund, say, ask, more } = await aSplit(1_000);
    const held = await refund();
    await ask(held, 'hold');
    await say('opened', 4_000n, 'dp_1');
    await say('lost', 6_000n, 'dp_2');
    await checkBooks();
    await ask(held, 'cancel');
    assert.deepEqual(await more(), [1_000n, 4_500n, 4_500n]);
    assert.deepEqual([await stepsOf('dp_1'), await stepsOf('dp_2')], ['opened, shared', 'lost, shared']);
    await checkBooks();
    await say('won', 4_000n, 'dp_1');
    assert.deepEqual(await more(), [1_400n, 6_300n, 6_300n]);
    await checkBooks();
  });

  // Guarantee: what an account has and owes is right at each moment.
  test('whose seller owes something', async () => {
    const { refund, say, send, told, more, partner } = await aSplit();
    const paid = await refund();
    await send();
    const other = await aPaidSplit(here.service, partner, [aChild(partner, 0, 60_000)]);
    await say('lost', 10_000n);
    // Another dispute takes all that the first seller has.
    await sayDispute(here.world, other, 'lost', 60_000n);
    await sayDispute(here.world, other, 'lost', 50_000n, { key: 'more' });
    const [seller] = partner.sellers;
    assert.equal(await here.balanceOf(`merchant:${seller?.id}:available`), 0n);
    const before = await more();
    await told(paid, { kind: 'returned' });
    assert.deepEqual(
      (await more()).map((minor, index) => minor - (before[index] ?? 0n)),
      [0n, 5_000n, 5_000n],
    );
    await checkBooks();
  });

  test('that ends while nothing is disputed, or was won, changes no dispute', async () => {
    const { refund, say, ask, more } = await aSplit(1_000);
    const held = await refund();
    await ask(held, 'hold');
    await say('opened', 10_000n);
    await say('won', 10_000n);
    await ask(held, 'cancel');
    assert.deepEqual(await more(), [2_000n, 9_000n, 9_000n]);
    assert.equal(await stepsOf(), 'opened, won');
    await checkBooks();
  });

  // Guarantee: a refund that came after the dispute, and that ends, leaves everything as it was.
  test('that came later leaves the dispute as it was', async () => {
    const { refund, say, ask, more } = await aSplit(1_000);
    await say('opened', 10_000n);
    const before = await more();
    const later = await refund();
    await ask(later, 'hold');
    await ask(later, 'cancel');
    assert.deepEqual(await more(), before);
    assert.equal(await stepsOf(), 'opened, shared, shared');
    await checkBooks();
  });

  test('that ends late keeps no operator from being asked', async () => {
    const { refund, say, ask } = await aSplit();
    const held = await refund();
    await ask(held, 'hold');
    await say('lost', 10_000n);
    here.world.clock.advance({ hours: 71 });
    await ask(held, 'cancel');
    here.world.clock.advance({ hours: 2 });
    await parkDisputes(here.world);
    assert.deepEqual(
      (await listParked(here.world)).map(({ why }) => why.code),
      ['dispute_unsettled'],
    );
    await checkBooks();
  });

  // Guarantee: the same if both happen at once, whatever is first.
  test('that ends while the dispute does', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { refund, say, send, told, more, id } = await aSplit(1_000);
      const sent = await refund();
      await send('unknown');
      await say('opened', 12_000n, id);
      const declined = () => told(sent, { kind: 'declined' });
      const lost = () => say('lost', 15_000n, `${id} too`);
      await Promise.all(round % 2 === 0 ? [declined(), lost(), declined()] : [lost(), declined(), lost()]);
      // 270.00 of 200.00: what is beyond is shared by the parts.
      const all = await more();
      assert.equal(all[1], all[2]);
      assert.equal(
        all.reduce((sum, minor) => sum + minor, 0n),
        20_000n - 27_000n,
      );
    }
    await checkBooks();
  });

  // Guarantee: both or neither: if the dispute cannot be shared anew, the refund has not ended either, and is asked again.
  test('ends together with the new shares, or not at all', async () => {
    const { refund, say, ask, more, partner } = await aSplit();
    const held = await refund();
    await say('lost', 20_000n);
    const before = await more();
    const { sql } = here.world.db;
    await sql.run`
      alter table dispute_step add constraint no_more check (kind <> 'shared') not valid`;
    const failed = await here.service.ask('POST', `/refunds/${held}/cancel`, { token: partner.token });
    assert.equal(failed.status, 500, failed.text);
    assert.deepEqual(await more(), before);
    await checkBooks();
    await sql.run`alter table dispute_step drop constraint no_more`;
    await ask(held, 'cancel');
    assert.deepEqual(await more(), [0n, 0n, 0n]);
    await checkBooks();
  });
});

suite('verify, of a dispute beside refunds', () => {
  const codes = async () => (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);
  const shift = `with less as (
        update dispute_share set amount_minor = amount_minor - 100
         where ctid = (select ctid from dispute_share where amount_minor > 100 order by account_id limit 1) returning step_id, account_id)
      update dispute_share as share set amount_minor = share.amount_minor + 100
        from less where share.step_id = less.step_id and share.account_id <> less.account_id`;

  // Guarantee: shares that are not what the rules say are named, also if a refund was canceled, or counts.
  for (const [name, end] of [
    ['was canceled before', 'before'],
    ['was canceled after', 'after'],
    ['counts', 'never'],
  ] as const)
    test(`of which one ${name}, names shares that somebody changed`, async () => {
      const { refund, say, ask, partner } = await aSplit();
      const held = await refund({ childTransactions: [{ merchantId: partner.sellers[0]?.id, amount: 5_000 }] });
      await ask(held, 'hold');
      if (end === 'before') await ask(held, 'cancel');
      await say('lost', 12_000n);
      if (end === 'after') await ask(held, 'cancel');
      assert.deepEqual(await codes(), []);
      await here.damage(shift);
      assert.ok((await codes()).includes('dispute_shared_otherwise'));
    });

  test('of which one ended and one counts, names shares that somebody changed', async () => {
    const { refund, say, ask, partner } = await aSplit();
    const of = (seller: number, amount: number) => ({
      childTransactions: [{ merchantId: partner.sellers[seller]?.id, amount }],
    });
    const first = await refund(of(0, 5_000));
    await ask(first, 'hold');
    await say('lost', 5_000n);
    await refund(of(1, 5_000));
    await ask(first, 'cancel');
    assert.deepEqual(await codes(), []);
    await here.damage(shift);
    assert.ok((await codes()).includes('dispute_shared_otherwise'));
  });

  test('names a dispute that was not shared anew', async () => {
    const { refund, say, ask, id } = await aSplit();
    const held = await refund();
    await say('lost', 20_000n);
    await ask(held, 'cancel');
    await here.damage(`with undone as (
        delete from dispute_share where step_id = (select id from dispute_step where kind = 'shared')), gone as (
        delete from dispute_step where kind = 'shared')
      update dispute set steps = steps - 1 where transaction_id = '${id}'`);
    assert.ok((await codes()).includes('dispute_shared_otherwise'));
  });
});
