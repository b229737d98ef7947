// What the statement says of disputes: the acquirer's part is booked by its line, and the room of disputes is told.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { DisputeStage } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { inWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { decideParked, handleCallback, listParked, parkDisputes, tickAll } from '../support/rooms.ts';
import { aMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let charge: string;

beforeEach(async () => {
  here = await aReconciling();
  charge = await here.pay();
});

/** What the acquirer owes us, what disputes have taken and the acquirer has not, and the merchant's balance. */
async function balances(): Promise<bigint[]> {
  const accounts = ['acquirer:simulator:receivable', 'dispute:payable', `merchant:${here.merchant.id}:available`];
  return Promise.all(accounts.map((account) => here.balanceOf(account)));
}

async function stateOf(): Promise<string[]> {
  return here.world.db.sql.many((row) => readText(row, 'state'))`select state from dispute order by key`;
}

const compare = () => here.compare(1, here.begun);

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

suite('lines of disputes', () => {
  // Guarantee: without any message, a line opens a dispute and another one wins it; each is booked once, by both sides.
  test('taken and given back, each booked once', async () => {
    here.bank.say('dispute', 'dp', 2_000n, { chargeKey: charge });
    assert.deepEqual([(await compare()).state, await balances()], ['agreed', [0n, 0n, 0n]]);
    assert.deepEqual(
      [(await compare()).state, await balances(), await stateOf()],
      ['agreed', [0n, 0n, 0n], ['opened']],
    );
    await checkBooks();
    here.bank.say('disputeWon', 'dp', 2_000n, { chargeKey: charge });
    assert.deepEqual([(await compare()).state, await balances()], ['agreed', [2_000n, 0n, -2_000n]]);
    assert.deepEqual([(await compare()).state, await stateOf()], ['agreed', ['won']]);
    await checkBooks();
  });

  // Guarantee: message and line together take the money once, whichever comes first.
  test('and messages', async () => {
    const result = {
      kind: 'opened',
      chargeKey: charge,
      amount: money(2_000n, 'PLN'),
      reason: 'fraudulent',
      respondUntil: null,
    } as const;
    await handleCallback(here.world, { kind: 'dispute', key: 'dp', result });
    assert.deepEqual(await balances(), [2_000n, -2_000n, 0n]);
    here.bank.say('dispute', 'dp', 2_000n, { chargeKey: charge });
    assert.deepEqual([(await compare()).state, await balances()], ['agreed', [0n, 0n, 0n]]);
    await handleCallback(here.world, { kind: 'dispute', key: 'dp', result });
    assert.deepEqual(await balances(), [0n, 0n, 0n]);
    await checkBooks();
  });

  // Guarantee: what moves again under the key of an earlier day is not taken for the same: it is named, as often as it moves,
  // until somebody has asked the acquirer.
  test('taken, won, and taken again under one key', async () => {
    const day = () => {
      const from = here.world.clock.now().subtract({ seconds: 1 });
      return async () => (await here.compare(24, from)).state;
    };
    here.bank.say('dispute', 'dp', 2_000n, { chargeKey: charge });
    assert.equal(await day()(), 'agreed');
    const second = day();
    here.bank.say('disputeWon', 'dp', 2_000n, { chargeKey: charge });
    assert.equal(await second(), 'agreed');
    const third = day();
    here.bank.moveAgain('dispute', 'dp');
    assert.equal(await third(), 'differs');
    const said = ['The statement names a disputed amount of 20.00 more than once, 40.00 in all; it was compared once.'];
    assert.deepEqual(await here.parked('dp'), said);
    assert.equal(await day()(), 'differs');
    assert.deepEqual(await here.parked('dp'), said);
    assert.equal(await here.decide('dp', { capturedMinor: 2_000n }), true);
    assert.equal(await day()(), 'agreed');
    const fifth = day();
    here.bank.moveAgain('dispute', 'dp');
    assert.equal(await fifth(), 'differs');
    assert.deepEqual(await here.parked('dp'), said);
    await checkBooks();
  });

  // Guarantee: the same of everything that the acquirer moves by itself.
  for (const kind of ['fee', 'payout', 'other'] as const)
    test(`${kind}: moved again on another day under one key`, async () => {
      here.bank.say(kind, 'key', 500n);
      await here.compare(24);
      await here.compare(24);
      const before = await here.parked('key');
      const from = here.world.clock.now().subtract({ seconds: 1 });
      here.bank.moveAgain(kind, 'key');
      assert.equal((await here.compare(24, from)).state, 'differs');
      const found = (await here.parked('key')).filter((one) => !before.includes(one));
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', /5\.00 more than once, 10\.00 in all/);
      await checkBooks();
    });

  // Guarantee: another amount that moves again later is another line, not the first one amended: nobody is offered to book it
  // instead.
  test('taken again under one key, with another amount', async () => {
    here.bank.say('dispute', 'dp', 2_000n, { chargeKey: charge });
    for (let days = 0; days < 6; days += 1) await here.compare(24);
    here.bank.moveAgain('dispute', 'dp', 500n);
    assert.deepEqual([(await here.compare(24)).state, (await here.compare(24)).state], ['differs', 'differs']);
    assert.deepEqual(await here.parked('dp'), [
      'The statement names a disputed amount of 20.00 more than once, 25.00 in all; it was compared once.',
    ]);
    assert.deepEqual(await balances(), [0n, 0n, 0n]);
    assert.equal(await here.decide('dp', { capturedMinor: 2_000n }), true);
    assert.equal((await here.compare(24)).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: a line that is amended is named; once an operator has decided, the merchant bears what moved.
  test('amended: the merchant bears what moved', async () => {
    here.bank.say('dispute', 'dp', 2_000n, { chargeKey: charge });
    await compare();
    here.bank.say('dispute', 'dp', 1_500n, { chargeKey: charge });
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await balances(), [0n, 0n, 0n]);
    await here.decide('dp', { capturedMinor: 1_500n });
    assert.deepEqual([(await compare()).state, await balances()], ['agreed', [500n, 0n, -500n]]);
    await checkBooks();
    const [total] = (
      await here.service.rooms.reconciliation.totals(
        (await here.service.rooms.reconciliation.runs()).slice(0, 1).map(({ id }) => id),
      )
    ).filter(({ kind }) => kind === 'dispute');
    assert.deepEqual([total?.bankMinor, total?.ourMinor, total?.unexplainedMinor], [1_500n, 1_500n, 0n]);
  });

  // Guarantee: the merchant bears what the lines say, whatever was told first.
  for (const [name, steps, available] of [
    [
      'taken, given back, and then more was taken',
      [
        [1_000n, undefined],
        [1_000n, 1_000n],
        [2_000n, 1_000n],
      ],
      -1_000n,
    ],
    [
      'taken in part, then most given back, and then all was taken',
      [
        [500n, undefined],
        [500n, 1_200n],
        [2_000n, 1_200n],
      ],
      -1_200n,
    ],
    [
      'given back, before the line that took it',
      [
        [undefined, 1_200n],
        [2_000n, 1_200n],
      ],
      -1_200n,
    ],
    [
      'taken, given back, and then less was taken',
      [
        [2_000n, undefined],
        [2_000n, 1_000n],
        [1_500n, 1_000n],
      ],
      -1_500n,
    ],
  ] as const)
    test(`amended: ${name}`, async () => {
      for (const [taken, given] of steps) {
        here.bank.say('dispute', 'dp', taken, { chargeKey: charge });
        here.bank.say('disputeWon', 'dp', given, { chargeKey: charge });
        if ((await compare()).found > 0 && taken !== undefined) await here.decide('dp', { capturedMinor: taken });
        await compare();
      }
      assert.deepEqual([(await compare()).state, await balances()], ['agreed', [-available, 0n, available]]);
      here.world.clock.advance({ hours: 100 });
      await parkDisputes(here.world);
      assert.deepEqual(await listParked(here.world), []);
      await checkBooks();
    });

  // Guarantee: what the acquirer did not take or give back after all, the merchant gets back or gives back.
  for (const [name, says, decision, after] of [
    ['taken, then gone', [['dispute', undefined]], 'not-captured', [2_000n, 0n, -2_000n]],
    ['taken, then nothing', [['dispute', 0n]], { capturedMinor: 0n }, [2_000n, 0n, -2_000n]],
    [
      'given back, then gone',
      [
        ['disputeWon', 2_000n],
        ['disputeWon', undefined],
      ],
      'not-captured',
      [0n, 0n, 0n],
    ],
  ] as const)
    test(name, async () => {
      here.bank.say('dispute', 'dp', 2_000n, { chargeKey: charge });
      await compare();
      for (const [kind, minor] of says) {
        assert.equal((await compare()).state, 'agreed');
        here.bank.say(kind, 'dp', minor, { chargeKey: charge });
      }
      assert.equal((await compare()).found, 1);
      assert.equal(await here.decide('dp', decision), true);
      assert.deepEqual([(await compare()).state, await balances()], ['agreed', after]);
      await checkBooks();
    });

  // Guarantee: what we bear ourselves is ours to get back: an operator is asked again.
  test('of a charge that nobody has: taken, then gone', async () => {
    const { world } = here;
    here.bank.say('dispute', 'dn', 2_000n, { chargeKey: 'nobody' });
    await compare();
    await compare();
    world.clock.advance({ hours: 73 });
    await tickAll(world);
    const decide = async (capturedMinor: bigint) => {
      const [item] = (await listParked(world)).filter(({ kind }) => kind === 'dispute');
      assert.equal(item?.amountMinor, capturedMinor);
      await decideParked(world, item.id, { capturedMinor });
    };
    await decide(2_000n);
    assert.deepEqual([await here.balanceOf('expense:loss'), (await balances())[1]], [2_000n, 0n]);
    here.bank.say('dispute', 'dn', undefined);
    await compare();
    await here.decide('dn', 'not-captured');
    assert.equal((await compare()).state, 'agreed');
    await decide(0n);
    assert.deepEqual([await here.balanceOf('expense:loss'), (await balances())[1]], [0n, 0n]);
    await checkBooks();
  });

  const message = (kind: DisputeStage, minor: bigint, at?: Temporal.Instant) => {
    const said = { kind, chargeKey: charge, amount: money(minor, 'PLN'), reason: '', respondUntil: null };
    return handleCallback(here.world, { kind: 'dispute', key: 'dp', result: at ? { ...said, at } : said });
  };
  const line = async (kind: 'dispute' | 'disputeWon', minor: bigint) => {
    here.bank.say(kind, 'dp', minor, { chargeKey: charge });
    await compare();
    await compare();
  };

  // Guarantee: money that somebody bears and the acquirer does not keep, or the reverse, is named once it is late, never before.
  for (const [name, days, borne, moved, make] of [
    [
      'won, and never given back',
      3,
      0,
      2_000,
      async () => [await line('dispute', 2_000n), await message('won', 2_000n)],
    ],
    ['lost, and never taken', 3, 2_000, 0, () => message('lost', 2_000n)],
    ['opened, and never taken', 90, 2_000, 0, () => message('opened', 2_000n)],
    [
      'lost by a later message, and given back',
      3,
      2_000,
      0,
      async () => {
        await line('dispute', 2_000n);
        await message('lost', 2_000n, here.world.clock.now().add({ hours: 24 }));
        await line('disputeWon', 2_000n);
      },
    ],
    [
      'more given back than taken',
      3,
      0,
      -500,
      async () => [await line('dispute', 1_000n), await line('disputeWon', 1_500n)],
    ],
    ['given back and never taken', 3, 0, -1_500, () => line('disputeWon', 1_500n)],
  ] as const)
    test(`${name}: named after ${days} days`, async () => {
      await make();
      here.world.clock.advance({ hours: days * 24 - 3 });
      await checkBooks();
      here.world.clock.advance({ hours: 4 });
      assert.deepEqual(await findingsOf(here.world), [
        { code: 'dispute_unsettled', parameters: { id: 'simulator:dp', borne, moved } },
      ]);
    });

  const late = async () => {
    here.world.clock.advance({ hours: 73 });
    await parkDisputes(here.world);
    return (await listParked(here.world)).filter(({ why }) => why.code === 'dispute_unsettled');
  };

  // Guarantee: what the acquirer never corrects is an operator's to decide; accounts get back what it did not keep, and bear
  // nothing more: the rest is our loss.
  for (const [name, off, loss, merchant, make] of [
    [
      'won, and never given back',
      2_000n,
      2_000n,
      -2_000n,
      async () => [await line('dispute', 2_000n), await message('won', 2_000n)],
    ],
    ['lost, and never taken', 2_000n, 0n, -2_000n, () => message('lost', 2_000n)],
    ['given back and never taken', 1_500n, -1_500n, -2_000n, () => line('disputeWon', 1_500n)],
  ] as const)
    test(`${name}: the statement stands, as an operator decides`, async () => {
      await make();
      const [parked, ...others] = await late();
      assert.deepEqual([parked?.kind, parked?.amountMinor, others], ['dispute', off, []]);
      await checkBooks();
      await assert.rejects(decideParked(here.world, parked?.id ?? '', { capturedMinor: off + 1n }));
      assert.equal(await decideParked(here.world, parked?.id ?? '', { capturedMinor: off }), true);
      const [, payable, available] = await balances();
      assert.deepEqual([payable, available, await here.balanceOf('expense:loss')], [0n, merchant, loss]);
      assert.deepEqual(await late(), []);
      await checkBooks();
    });

  // Guarantee: the acquirer gets three days to correct it, as often as an operator says so; what it corrects is nobody's any more.
  test('that the acquirer is to correct', async () => {
    await line('dispute', 2_000n);
    await message('won', 2_000n);
    for (let times = 0; times < 2; times += 1) {
      const [parked] = await late();
      assert.equal(await decideParked(here.world, parked?.id ?? '', 'not-captured'), true);
      await parkDisputes(here.world);
      assert.deepEqual(await listParked(here.world), []);
      await checkBooks();
    }
    assert.equal((await late()).length, 1);
    await line('disputeWon', 2_000n);
    await parkDisputes(here.world);
    assert.deepEqual(await listParked(here.world), []);
    await checkBooks();
  });

  // Guarantee: what the acquirer gives back after all, once it was our loss, is no loss any more.
  test('that was our loss, and is given back after all', async () => {
    await line('dispute', 2_000n);
    await message('won', 2_000n);
    const [first] = await late();
    await decideParked(here.world, first?.id ?? '', { capturedMinor: 2_000n });
    await line('disputeWon', 2_000n);
    const [again] = await late();
    assert.equal(await decideParked(here.world, again?.id ?? '', { capturedMinor: 2_000n }), true);
    assert.deepEqual([(await balances())[1], await here.balanceOf('expense:loss')], [0n, 0n]);
    await checkBooks();
  });

  // Guarantee: the same of what nobody claimed and was made our loss.
  test('of a charge that nobody has, our loss, and never taken', async () => {
    const said = {
      kind: 'lost',
      chargeKey: 'nobody',
      amount: money(500n, 'PLN'),
      reason: '',
      respondUntil: null,
    } as const;
    await handleCallback(here.world, { kind: 'dispute', key: 'dn', result: said });
    here.world.clock.advance({ hours: 73 });
    await tickAll(here.world);
    const [asked] = await listParked(here.world);
    await decideParked(here.world, asked?.id ?? '', { capturedMinor: 500n });
    assert.equal(await here.balanceOf('expense:loss'), 500n);
    const [first] = await late();
    assert.equal(first?.amountMinor, 500n);
    assert.equal(await decideParked(here.world, first?.id ?? '', 'not-captured'), true);
    await checkBooks();
    const [again] = await late();
    assert.equal(await decideParked(here.world, again?.id ?? '', { capturedMinor: 500n }), true);
    assert.deepEqual([(await balances())[1], await here.balanceOf('expense:loss'), await late()], [0n, 0n, []]);
    await checkBooks();
  });

  // Guarantee: of what nobody has, and nobody disputes any more, an operator is asked what the acquirer keeps, or gave back
  // beyond what it took; the decision ends it.
  for (const [name, givenBack, loss] of [
    ['won, and never given back', undefined, 1_000n],
    ['more given back than taken', 1_500n, -500n],
  ] as const)
    test(`of a charge that nobody has, ${name}: decided`, async () => {
      const nobodys = async (kind: 'dispute' | 'disputeWon', minor: bigint) => {
        here.bank.say(kind, 'dn', minor, { chargeKey: 'nobody' });
        await compare();
        await compare();
      };
      const decideLate = async (off: bigint) => {
        await tickAll(here.world);
        const [parked, ...others] = await late();
        assert.deepEqual([parked?.kind, parked?.amountMinor, others], ['dispute', off, []]);
        await checkBooks();
        assert.equal(await decideParked(here.world, parked?.id ?? '', 'not-captured'), true);
        assert.deepEqual(await listParked(here.world), []);
        const [again] = await late();
        await assert.rejects(decideParked(here.world, again?.id ?? '', { capturedMinor: off + 1n }));
        assert.equal(await decideParked(here.world, again?.id ?? '', { capturedMinor: off }), true);
      };
      const isSettledWith = async (minor: bigint) => {
        assert.deepEqual([(await balances())[1], await here.balanceOf('expense:loss')], [0n, minor]);
        await tickAll(here.world);
        assert.deepEqual([await late(), await listParked(here.world)], [[], []]);
        assert.equal((await compare()).state, 'agreed');
        await checkBooks();
      };
      await nobodys('dispute', 1_000n);
      const said = { chargeKey: 'nobody', amount: money(1_000n, 'PLN'), reason: '', respondUntil: null };
      await handleCallback(here.world, { kind: 'dispute', key: 'dn', result: { ...said, kind: 'won' } });
      if (givenBack !== undefined) await nobodys('disputeWon', givenBack);
      await decideLate(loss < 0n ? -loss : loss);
      await isSettledWith(loss);
    });

  // Guarantee: a line about a charge of another acquirer is nobody's; an operator is asked, and the decision ends it.
  test('of a charge of another acquirer: decided', async () => {
    await here.damage(`update charge set acquirer = 'other' where id = '${charge}'`);
    await line('dispute', 2_000n);
    assert.deepEqual(await stateOf(), []);
    here.world.clock.advance({ hours: 73 });
    await tickAll(here.world);
    const parked = (await listParked(here.world)).filter(({ kind }) => kind === 'dispute');
    assert.deepEqual(
      parked.map(({ why, amountMinor }) => [why.code, amountMinor]),
      [['dispute_unclaimed', 2_000n]],
    );
    assert.equal(await decideParked(here.world, parked[0]?.id ?? '', { capturedMinor: 2_000n }), true);
    assert.deepEqual([(await balances())[1], await here.balanceOf('expense:loss')], [0n, 2_000n]);
    assert.deepEqual(inWords(await findingsOf(here.world, undefined, 'disputes')), []);
  });

  // Guarantee: a line that corrects a charge that nobody has is believed: its merchant bears what moved, and nothing else.
  test('of another charge than a message said before', async () => {
    const said = {
      kind: 'opened',
      chargeKey: 'nobody',
      amount: money(1_500n, 'PLN'),
      reason: '',
      respondUntil: null,
    } as const;
    await handleCallback(here.world, { kind: 'dispute', key: 'dp', result: said });
    await line('dispute', 100n);
    assert.deepEqual([await balances(), await here.balanceOf('expense:loss')], [[1_900n, 0n, -1_900n], 0n]);
    assert.deepEqual([await listParked(here.world), await late()], [[], []]);
    await checkBooks();
  });

  // Guarantee: what was decided stands in the books and in the row.
  test('a loss that somebody changes is noticed', async () => {
    await line('dispute', 2_000n);
    await message('won', 2_000n);
    const [parked] = await late();
    await decideParked(here.world, parked?.id ?? '', { capturedMinor: 2_000n });
    await here.damage('update dispute set lost_minor = lost_minor - 1');
    const codes = (await findingsOf(here.world)).map(({ code }) => code);
    assert.ok(codes.includes('dispute_misbooked') && codes.includes('account_sum_wrong'), codes.join());
  });

  // Guarantee: nobody keeps an operator from being asked.
  test('one that somebody made wait until 9999', async () => {
    await line('dispute', 2_000n);
    await message('won', 2_000n);
    await here.damage(`update dispute set park_at = '9999-01-01Z'`);
    here.world.clock.advance({ hours: 73 });
    assert.deepEqual(
      (await findingsOf(here.world)).map(({ code }) => code),
      ['dispute_unsettled'],
    );
  });

  // Guarantee: the acquirer has a month to correct it, however often somebody says that it is to.
  test('one that somebody puts off again and again', async () => {
    await line('dispute', 2_000n);
    await message('won', 2_000n);
    const codes = async () => (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);
    const putOff = async (days: number) => {
      here.world.clock.advance({ hours: days * 24 });
      await here.damage(`update dispute set park_at = '${here.world.clock.now().add({ hours: 72 })}'`);
    };
    await putOff(30);
    assert.deepEqual(await codes(), []);
    await putOff(4);
    assert.deepEqual(await codes(), ['dispute_unsettled']);
  });

  // Guarantee: a dispute that is gone is missed although its line says that nobody was told.
  test('whose dispute is gone', async () => {
    here.bank.say('dispute', 'dn', 2_000n, { chargeKey: 'nobody' });
    await compare();
    await compare();
    await here.damage(`delete from dispute_unclaimed`);
    await here.damage(`update acquirer_line set told_at = null where kind = 'dispute'`);
    here.world.clock.advance({ hours: 73 });
    assert.deepEqual(inWords(await findingsOf(here.world)), [
      'Dispute simulator:dn: accounts bear 0 of it, but the acquirer has kept 2000; its statement should have settled the difference by now.',
    ]);
  });

  // Guarantee: only the merchant of the payment bears it, and nobody gets a balance for a debt.
  test('borne by another, or lent to oneself', async () => {
    await line('dispute', 2_000n);
    await here.damage(`with taken as (
      update entry set amount_minor = amount_minor - 3000 where account = 'merchant:${here.merchant.id}:available'
         and journal_id = (select id from journal where kind = 'dispute') returning journal_id)
      insert into entry (journal_id, line, account, amount_minor)
      select journal_id, 3, 'merchant:${here.merchant.id}:owed', 3000 from taken`);
    const codes = async () => (await findingsOf(here.world, undefined, 'disputes')).map(({ code }) => code);
    assert.ok((await codes()).includes('journal_unfounded'));
    const other = await aMerchant(here.service);
    await here.damage(`update dispute_share set account_id = '${other.id}'`);
    assert.ok((await codes()).includes('dispute_borne_by_others'));
  });

  // Guarantee: nobody waits longer for an operator than three days.
  test('of a charge that nobody has, that is never asked about', async () => {
    here.bank.say('dispute', 'dn', 2_000n, { chargeKey: 'nobody' });
    await compare();
    await compare();
    await checkBooks();
    await here.damage(`update dispute_unclaimed set park_at = '9999-01-01Z'`);
    assert.deepEqual(
      (await findingsOf(here.world)).map(({ code }) => code),
      ['dispute_unclaimed_differs'],
    );
  });
});
