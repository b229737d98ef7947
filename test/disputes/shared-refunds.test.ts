// Refunds and disputes of one payment over several sellers: who bears what follows from what sellers have given, not from
// what came first.

import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import type { DisputeStage } from '../../src/acquirer/index.ts';
import { readBigint, readText } from '../../src/database/index.ts';
import { sharesOfAll } from '../../src/disputes/shares.ts';
import { listSharings, ofTransactions } from '../../src/disputes/store/disputes.ts';
import { money } from '../../src/kernel/index.ts';
import { aDisputedSplit, type DisputedSplit } from '../support/disputed-split.ts';
import { inWords } from '../support/findings.ts';
import { refundSplit } from '../support/marketplace.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { handleCallback } from '../support/rooms.ts';
import { Seeded } from '../support/seeded.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;

before(async () => {
  here = await aReconciling();
});

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

type Act = (split: DisputedSplit) => Promise<unknown>;

const refund =
  (seller = 0, amount = 10_000): Act =>
  (split) =>
    split.refundOf(seller, amount);
const dispute =
  (minor: bigint, key?: string): Act =>
  (split) =>
    split.say('opened', minor, key ? `${split.id} ${key}` : split.id);
const canceled =
  (seller: number, amount: number): Act =>
  async (split) => {
    const id = await split.refundOf(seller, amount);
    await split.ask(id, 'hold');
    await split.ask(id, 'cancel');
  };
const declined =
  (seller: number, amount: number, ...then: readonly ('approved' | 'returned')[]): Act =>
  async (split) => {
    const id = await split.refundOf(seller, amount);
    await split.send('unknown');
    await split.told(id, { kind: 'declined' });
    for (const kind of then) await split.told(id, { kind });
  };
const cameBack =
  (seller: number, amount: number): Act =>
  async (split) => {
    const id = await split.refundOf(seller, amount);
    await split.send();
    await split.told(id, { kind: 'returned' });
  };
const released =
  (seller: number, amount: number): Act =>
  async (split) => {
    const id = await split.refundOf(seller, amount);
    await split.ask(id, 'hold');
    await split.ask(id, 'release');
    await split.send();
  };

// Guarantee: whatever comes first, each account bears the same: nobody gives more than its part while the payer gets no
// more than was paid.
suite('a refund and a dispute of one payment leave each account with the same, whatever comes first', () => {
  const commission = { commission: 1_000 };
  const three = { amounts: [10_000, 5_000, 2_501], commission: 500 };
  for (const [name, paid, acts, expected] of [
    ['of one part, and of as much', {}, [refund(), dispute(10_000n)], [0n, 0n, 0n]],
    ['of one part, with commissions', commission, [refund(), dispute(10_000n)], [0n, 0n, 0n]],
    ['of a part of a part', commission, [refund(0, 6_000), dispute(7_000n)], [700n, 1_800n, 4_500n]],
    ['that is held and released', commission, [released(0, 6_000), dispute(7_000n)], [700n, 1_800n, 4_500n]],
    ['that is canceled', commission, [canceled(0, 5_000), dispute(10_000n)], [1_000n, 4_500n, 4_500n]],
    ['that is declined', commission, [declined(0, 5_000), dispute(10_000n)], [1_000n, 4_500n, 4_500n]],
    ['that comes back', commission, [cameBack(0, 5_000), dispute(10_000n)], [1_000n, 4_500n, 4_500n]],
    [
      'beside another one that is canceled',
      {},
      [refund(1, 5_000), dispute(10_000n), canceled(0, 100)],
      [0n, 3_333n, 1_667n],
    ],
    [
      'beside another one that is declined',
      {},
      [refund(1, 5_000), dispute(10_000n), declined(0, 100)],
      [0n, 3_333n, 1_667n],
    ],
    [
      'twice, and two disputes',
      {},
      [refund(0, 4_000), dispute(3_000n, 'a'), dispute(5_000n, 'b'), refund(1, 8_000)],
      undefined,
    ],
    ['over three sellers', three, [refund(0, 9_000), dispute(5_000n), refund(2, 2_501)], undefined],
  ] as const) {
    test(name, async () => {
      const results: bigint[][] = [];
      for (const order of [acts, acts.toReversed()]) {
        const split = await aDisputedSplit(here, paid);
        for (const act of order) await act(split);
        const more = await split.more();
        assert.ok(
          more.every((minor) => minor >= 0n),
          more.join(),
        );
        results.push(more);
      }
      assert.deepEqual(results[1], results[0]);
      if (expected) assert.deepEqual(results[0], expected);
      await checkBooks();
    });
  }

  // Guarantee: what the bank pays late of a refund that its seller has back takes nothing from a seller: it is ours.
  for (const [name, then] of [
    ['that is declined and paid late', ['approved']],
    ['that is declined, is paid late, and comes back', ['approved', 'returned']],
  ] as const)
    test(name, async () => {
      for (const order of [
        [0, 1],
        [1, 0],
      ] as const) {
        const split = await aDisputedSplit(here);
        const acts = [declined(0, 10_000, ...then), dispute(10_000n)];
        for (const index of order) await acts[index]?.(split);
        assert.deepEqual(await split.more(), [0n, 5_000n, 5_000n]);
        await split.say('lost', 20_000n, `${split.id} too`);
        assert.deepEqual(await split.more(), [0n, -5_000n, -5_000n]);
        await split.say('won', 10_000n, split.id);
        assert.deepEqual(await split.more(), [0n, 0n, 0n]);
        await checkBooks();
      }
    });

  // Guarantee: two disputes together take from nobody more than its part, and what exceeds the payment by the parts.
  test('if several disputes exceed the payment', async () => {
    const split = await aDisputedSplit(here, { amounts: [10_000, 10_000] });
    await split.refundOf(0, 10_000);
    await split.say('opened', 6_000n, `${split.id} one`);
    await split.say('opened', 8_000n, `${split.id} two`);
    assert.deepEqual(await split.more(), [0n, -2_000n, -2_000n]);
    await split.say('won', 6_000n, `${split.id} one`);
    assert.deepEqual(await split.more(), [0n, 0n, 2_000n]);
    await checkBooks();
  });

  // Guarantee: three disputes of a third each take from three sellers all, to the grosz.
  test('if several disputes are all of the payment', async () => {
    const split = await aDisputedSplit(here, { amounts: [100, 100, 100] });
    for (const key of ['one', 'two', 'three']) await split.say('opened', 100n, `${split.id} ${key}`);
    assert.deepEqual(await split.more(), [0n, 0n, 0n, 0n]);
    await checkBooks();
  });
});

// Guarantee: what a seller gets back of a dispute covers its refund, a dry run says so, and it leaves nothing.
test('a refund after a dispute needs no more than the payment gave', async () => {
  const split = await aDisputedSplit(here, { funds: 0n });
  await split.say('opened', 10_000n, split.id);
  const [one, other] = split.partner.sellers;
  const body = { childTransactions: [{ merchantId: one?.id, amount: 10_000 }] };
  const stored = () =>
    here.world.db.sql.one((row) => readText(row, 'rows'))`
      select format('%s %s %s %s', (select count(*) from refund), (select count(*) from dispute_step),
                    (select count(*) from journal), (select count(*) from refund_part)) as rows`;
  const before = await stored();
  const preview = await refundSplit(here.service, split.partner, split.id, body, '?dryRun=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(preview.body.preview.balances, [{ merchantId: one?.id, before: 5_000, after: 0 }]);
  assert.deepEqual([await stored(), await split.more()], [before, [0n, 5_000n, 5_000n]]);
  await split.refundOf(0, 10_000);
  assert.deepEqual(await split.more(), [0n, 0n, 0n]);
  assert.equal(await here.balanceOf(`merchant:${other?.id}:available`), 0n);
  await checkBooks();
});

// Guarantee: both or neither: a refund that is refused, or whose database transaction fails, leaves the shares as they were.
test('a refund after a dispute that fails moves nothing', async () => {
  const split = await aDisputedSplit(here, { funds: 0n });
  await split.say('opened', 10_000n, split.id);
  const before = await split.more();
  const { sql } = here.world.db;
  await sql.run`alter table dispute_step add constraint no_more check (kind <> 'shared') not valid`;
  const [one] = split.partner.sellers;
  const body = { childTransactions: [{ merchantId: one?.id, amount: 5_000 }] };
  const failed = await refundSplit(here.service, split.partner, split.id, body);
  assert.equal(failed.status, 500, failed.text);
  assert.deepEqual(await split.more(), before);
  await checkBooks();
  await sql.run`alter table dispute_step drop constraint no_more`;
  await split.refundOf(0, 5_000);
  // 66.67 of the dispute is the other seller's by now.
  assert.deepEqual(await split.more(), [0n, 1_667n, 3_333n]);
  await checkBooks();
});

/** What each account has of a payment: what it was paid, less what it gave by refunds that stand and what it bears. */
async function expectedOf({ id, partner }: DisputedSplit): Promise<bigint[]> {
  const { sql } = here.world.db;
  const [sharing] = await listSharings(sql, ofTransactions([id]));
  assert.ok(sharing);
  const shares = [...sharesOfAll(sharing).values()].flat();
  const flows = await sql.many((row) => ({ account: readText(row, 'account'), minor: readBigint(row, 'minor') }))`
    select moved.account, moved.minor from transaction_part as part
     cross join lateral (values (part.merchant_id, part.amount_minor - part.commission_minor),
                                (${partner.id}, part.commission_minor)) as moved (account, minor)
     where part.transaction_id = ${id}
    union all
    select moved.account, moved.minor from refund join refund_part as part on part.refund_id = refund.id
     cross join lateral (values (part.merchant_id, part.commission_minor - part.amount_minor),
                                (${partner.id}, -part.commission_minor)) as moved (account, minor)
     where refund.transaction_id = ${id} and refund.canceled_by is null`;
  return [partner, ...partner.sellers].map(({ id: account }) =>
    [
      ...flows.filter((flow) => flow.account === account).map(({ minor }) => minor),
      ...shares.filter(({ accountId }) => accountId === account).map(({ minor }) => -minor),
    ].reduce((sum, minor) => sum + minor, 0n),
  );
}

/** One thing that may happen; what is refused is refused. */
async function happen(
  draw: Seeded,
  split: DisputedSplit,
  amounts: readonly number[],
  refunds: string[],
): Promise<void> {
  const refundId = refunds.length > 0 ? draw.of(refunds) : undefined;
  const what = draw.below(10);
  if (what < 3) {
    const [seller, most] = draw.of(amounts.map((amount, index) => [index, amount] as const));
    const merchantId = split.partner.sellers[seller]?.id;
    const body = { childTransactions: [{ merchantId, amount: 1 + draw.below(most) }] };
    const answer = await refundSplit(
      here.service,
      split.partner,
      split.id,
      body,
      draw.chance(0.2) ? '?dryRun=true' : '',
    );
    assert.ok(answer.status < 500, answer.text);
    if (answer.body.refundId) refunds.push(answer.body.refundId);
  } else if (what < 4) {
    here.bank.answers = draw.of(['unknown', 'approved'] as const);
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
  } else if (what < 5 && refundId) {
    const asked = draw.of(['hold', 'release', 'cancel'] as const);
    const answer = await here.service.ask('POST', `/refunds/${refundId}/${asked}`, { token: split.partner.token });
    assert.ok(answer.status < 500, answer.text);
  } else if (what < 7 && refundId) {
    await split.told(refundId, { kind: draw.of(['approved', 'declined', 'returned'] as const) });
  } else {
    const paid = amounts.reduce((sum, amount) => sum + amount, 0);
    const chargeKey = await here.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${split.id} and state = 'correct'`;
    const kind = draw.of<DisputeStage>(['opened', 'won', 'lost']);
    const amount = money(BigInt(1 + draw.below(paid)), 'PLN');
    const moved = kind !== 'lost' && draw.chance(0.3) ? ({ moved: true } as const) : {};
    const at = here.world.clock.now();
    here.world.clock.advance({ seconds: 1 });
    const result = { kind, chargeKey, amount, reason: 'fraudulent', respondUntil: null, at };
    await handleCallback(here.world, { kind: 'dispute', key: `${split.id} ${draw.below(2)}`, result, ...moved });
  }
}

// Guarantee: after any story each account has what it was paid, less what it gave by refunds that stand and its shares of
// the disputes; no account has less than nothing of the payment while the payer got no more than was paid.
suite('any story of refunds and disputes', () => {
  for (const seed of Array.from({ length: 12 }, (_, index) => index + 1))
    test(`seed ${seed}`, async () => {
      const draw = new Seeded(`refunds and disputes ${seed}`);
      const amounts = Array.from({ length: 2 + draw.below(2) }, () => 1_000 + draw.below(9_000));
      const commission = draw.chance(0.5) ? draw.below(900) : 0;
      const split = await aDisputedSplit(here, { amounts, commission });
      const refunds: string[] = [];
      for (let step = 0; step < 12; step += 1) {
        await happen(draw, split, amounts, refunds);
        const more = await split.more();
        assert.deepEqual(more, await expectedOf(split), `step ${step}`);
        const total = more.reduce((sum, minor) => sum + minor, 0n);
        // Commissions of several refunds are rounded.
        if (total >= 0n)
          assert.ok(
            more.every((minor) => minor >= -BigInt(refunds.length)),
            more.join(),
          );
      }
      await checkBooks();
    });
});

// Guarantee: the same if all of it happens at once, and nothing fails.
test('refunds and disputes at once', async () => {
  for (let round = 0; round < 4; round += 1) {
    const split = await aDisputedSplit(here, { amounts: [9_001, 9_001, 9_001], commission: 777 });
    const sent = await split.refundOf(0, 3_000);
    await split.send('unknown');
    const acts = [
      () => split.say('opened', 5_000n, split.id),
      () => split.say('lost', 4_000n, `${split.id} too`),
      () => split.refundOf(1, 2_000),
      () => split.refundOf(2, 3_000),
      () => split.told(sent, { kind: 'declined' }),
      () => split.told(sent, { kind: 'declined' }),
    ];
    await Promise.all([...acts.slice(round), ...acts.slice(0, round)].map((act) => act()));
    assert.deepEqual(await split.more(), await expectedOf(split));
  }
  await checkBooks();
});

// Guarantee: shares that a refund did not change are named, and a single grosz that somebody moved.
suite('verify', () => {
  beforeEach(async () => {
    here = await aReconciling();
  });
  const codes = async () => (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);
  test('names a dispute that was not shared anew when a refund was made', async () => {
    const split = await aDisputedSplit(here);
    await split.say('opened', 10_000n, split.id);
    await split.refundOf(0, 4_000);
    assert.deepEqual(await codes(), []);
    await here.damage(`with undone as (
        delete from dispute_share where step_id = (select id from dispute_step where kind = 'shared')), gone as (
        delete from dispute_step where kind = 'shared')
      update dispute set steps = steps - 1 where transaction_id = '${split.id}'`);
    assert.equal((await codes())[0], 'dispute_shared_otherwise');
  });

  test('names one grosz', async () => {
    const split = await aDisputedSplit(here);
    await split.say('opened', 10_000n, split.id);
    await here.damage(`with less as (
        update dispute_share set amount_minor = amount_minor - 1
         where account_id = '${split.partner.sellers[0]?.id}' returning step_id)
      update dispute_share as share set amount_minor = share.amount_minor + 1
        from less where share.step_id = less.step_id and share.account_id = '${split.partner.sellers[1]?.id}'`);
    assert.equal((await codes())[0], 'dispute_shared_otherwise');
  });
});
