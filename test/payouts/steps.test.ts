// Payouts from state to state, with their journals; where they go, and who may say so.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { SqlText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import {
  blockPayouts,
  cancelApproved,
  cancelCreated,
  cancelSent,
  findPayout,
  ibanFrom,
  markApproved,
  markSent,
  openNumberOf,
  releasePayouts,
  settleFailed,
  verifyPayoutAccount,
} from '../../src/payouts/index.ts';
import { damage } from '../support/damage.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPayout, aPayoutAccount, aSent, bankMoves, giveAccount, someIbans } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';
import { findingsAgain, findingsOf } from '../support/verify.ts';

let service: Service;
before(async () => {
  service = await aService();
});

const inOne = <T>(work: (sql: Service['world']['db']['sql']) => Promise<T>) => service.world.db.atomic(work);

const refused = { code: 'refused_by_bank', parameters: { code: 'AC04', words: null } } as const;
const byAccount = { code: 'canceled_by_account', parameters: {} } as const;

/** A line of a statement about a payout of 70.00. */
const lineOf = (payoutId: string, amountMinor = 7_000n) => ({
  lineId: `line of ${payoutId}`,
  payoutId,
  amountMinor,
  isReturn: false,
  returnCode: null,
  isDecided: false,
});
const moved = (lines: ReadonlySet<string>) => [...lines];

/** The steps by name, over one payout. */
const steps: Record<string, (id: string) => Promise<readonly unknown[]>> = {
  approve: (id) => inOne((sql) => markApproved(service.world, sql, [id])),
  send: (id) => inOne((sql) => markSent(service.world, sql, [id])),
  pay: (id) => inOne(async (sql) => moved(await service.rooms.payouts.bank.settlePaid(sql, [lineOf(id)]))),
  sendBack: (id) => inOne(async (sql) => moved(await service.rooms.payouts.bank.settleReturned(sql, [lineOf(id)]))),
  fail: (id) => inOne((sql) => settleFailed(service.world, sql, [{ id, reason: refused }])),
  cancelCreated: (id) => inOne((sql) => cancelCreated(service.world, sql, [id], byAccount)),
  cancelApproved: (id) => inOne((sql) => cancelApproved(service.world, sql, [id], byAccount)),
  cancelSent: (id) => inOne((sql) => cancelSent(service.world, sql, [id])),
};

async function aReady(minor = 10_000n): Promise<TestMerchant> {
  const merchant = await aMerchant(service);
  await fund(service, merchant, minor);
  await aPayoutAccount(service, merchant);
  return merchant;
}

async function heldBy({ id }: TestMerchant) {
  const { sql } = service.world.db;
  return [
    await findBalance(sql, ledgerAccounts.available(id)),
    await findBalance(sql, ledgerAccounts.payoutTransit(id)),
  ];
}

suite('the way of a payout', () => {
  // Guarantee: the books say after every step where the money is, to the grosz, and no step happens twice.
  for (const [way, state, available, transit] of [
    [[], 'created', 2_900n, 7_000n],
    [['approve'], 'approved', 2_900n, 7_000n],
    [['approve', 'send'], 'sent', 2_900n, 7_000n],
    [['approve', 'send', 'pay'], 'paid', 2_900n, 0n],
    [['approve', 'send', 'pay', 'sendBack'], 'returned', 9_900n, 0n],
    [['approve', 'send', 'fail'], 'failed', 10_000n, 0n],
    [['approve', 'send', 'cancelSent'], 'canceled', 10_000n, 0n],
    [['approve', 'cancelApproved'], 'canceled', 10_000n, 0n],
    [['cancelCreated'], 'canceled', 10_000n, 0n],
    [['approve', 'send', 'fail', 'pay'], 'paid', 3_000n, 0n],
    [['approve', 'send', 'cancelSent', 'pay'], 'paid', 3_000n, 0n],
    [['approve', 'send', 'pay', 'sendBack', 'pay'], 'paid', 2_900n, 0n],
    [['approve', 'send', 'pay', 'sendBack', 'pay', 'sendBack'], 'returned', 9_900n, 0n],
  ] as const) {
    test(`${way.join(', ') || 'nothing'}: ${state}`, async () => {
      const merchant = await aReady();
      const { id } = await aPayout(service, merchant, 7_000n, 100n);
      for (const name of way) {
        assert.equal((await steps[name]?.(id))?.length, 1, name);
        assert.deepEqual(await steps[name]?.(id), [], `${name} again`);
      }
      assert.equal((await findPayout(service.world.db.sql, id))?.state, state);
      assert.deepEqual(await heldBy(merchant), [available, transit]);
      assert.deepEqual(await findingsOf(service.world, service.world.db.sql, 'payouts'), []);
    });
  }

  // Guarantee: no state is skipped, and what has ended moves no money any more.
  for (const [way, wrong] of [
    [[], ['send', 'pay', 'sendBack', 'fail', 'cancelApproved', 'cancelSent']],
    [['approve'], ['approve', 'pay', 'sendBack', 'fail', 'cancelCreated', 'cancelSent']],
    [
      ['approve', 'send'],
      ['approve', 'sendBack', 'cancelCreated', 'cancelApproved'],
    ],
    [
      ['approve', 'send', 'pay'],
      ['approve', 'send', 'fail', 'cancelCreated', 'cancelApproved', 'cancelSent'],
    ],
    [
      ['approve', 'send', 'fail'],
      ['sendBack', 'cancelSent'],
    ],
    [['cancelCreated'], ['approve', 'send', 'pay', 'fail']],
    [
      ['approve', 'cancelApproved'],
      ['send', 'pay', 'fail'],
    ],
  ] as const) {
    test(`after ${way.join(', ') || 'nothing'}: not ${wrong.join(', ')}`, async () => {
      const merchant = await aReady();
      const { id } = await aPayout(service, merchant, 7_000n);
      for (const name of way) await steps[name]?.(id);
      const before = await heldBy(merchant);
      for (const name of wrong) assert.deepEqual(await steps[name]?.(id), [], name);
      assert.deepEqual(await heldBy(merchant), before);
    });
  }

  // Guarantee: the schema refuses it too, whatever the code does.
  test('a state that is skipped in the database', async () => {
    const { id } = await aPayout(service, await aReady(), 7_000n);
    const { sql } = service.world.db;
    await assert.rejects(
      sql.run`update payout set state = 'sent', approved_at = created_at, sent_at = created_at where id = ${id}`,
      /it does not become sent/,
    );
  });

  // Guarantee: by the schema itself a payout is paid, or back, only as the movement of the bank says that belongs to it.
  test('a state that its movement does not have', async () => {
    const { id } = await aPayout(service, await aReady(), 7_000n);
    for (const name of ['approve', 'send', 'pay', 'sendBack']) await steps[name]?.(id);
    const { sql } = service.world.db;
    for (const moves of ['moves', 'moves + 1', '1'])
      await assert.rejects(
        sql.run`update payout set state = 'paid', reason = null, ended_at = null, moves = ${new SqlText(moves)} where id = ${id}`,
        /it does not become paid/,
        moves,
      );
    await steps.pay?.(id);
    await assert.rejects(
      sql.run`update payout set state = 'sent', paid_at = null, moves = moves - 1 where id = ${id}`,
      /it does not become sent/,
    );
  });

  // Guarantee: a balance is never paid out twice.
  test('more than the balance has', async () => {
    const merchant = await aReady();
    await assert.rejects(aPayout(service, merchant, 9_999n, 2n), { code: 'insufficient_funds' });
    assert.deepEqual(await heldBy(merchant), [10_000n, 0n]);
  });

  // Guarantee: of payouts on demand the next one waits for the last.
  test('two on demand', async () => {
    const merchant = await aReady();
    const { id } = await aPayout(service, merchant, 1_000n);
    await assert.rejects(aPayout(service, merchant, 1_000n), /payout_on_demand/);
    await steps.approve?.(id);
    await aPayout(service, merchant, 1_000n);
  });
});

suite('what the bank says', () => {
  // Guarantee: a payout is paid only by a line of just its amount; money of another amount is never taken for it.
  test('another amount', async () => {
    const { id } = await aPayout(service, await aReady(), 7_000n);
    await steps.approve?.(id);
    await steps.send?.(id);
    const { bank } = service.rooms.payouts;
    for (const minor of [6_999n, 7_001n]) {
      assert.deepEqual(await inOne(async (sql) => moved(await bank.settlePaid(sql, [lineOf(id, minor)]))), []);
    }
    assert.equal((await findPayout(service.world.db.sql, id))?.state, 'sent');
  });

  // Guarantee: the loop closes: what left our bank account by the statement is what left the balances, and what came back is
  // in the balance again, whole.
  test('a statement that pays one and returns another', async () => {
    const own = await aService();
    atEnd(() => checkInvariants(own.world));
    const merchant = await aMerchant(own);
    await fund(own, merchant, 10_000n);
    await aPayoutAccount(own, merchant);
    const [paid, back] = [await aSent(own, merchant, 3_000n), await aSent(own, merchant, 2_000n)];
    await bankMoves(own, [
      [paid.id, -3_000n],
      [back.id, -2_000n],
      [back.id, 2_000n],
    ]);
    const found = [await findPayout(own.world.db.sql, paid.id), await findPayout(own.world.db.sql, back.id)];
    assert.deepEqual(
      found.map((one) => one?.state),
      ['paid', 'returned'],
    );
    assert.equal(found[1]?.reason?.code, 'returned_by_bank');
    assert.equal(await findBalance(own.world.db.sql, ledgerAccounts.available(merchant.id)), 7_000n);
  });
});

suite('where a payout goes', () => {
  // Guarantee: nothing goes to a number that no operator has verified, by the schema itself.
  test('not verified', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 10_000n);
    await giveAccount(service, merchant);
    await assert.rejects(aPayout(service, merchant, 1_000n), /may not be made/);
    assert.deepEqual(await heldBy(merchant), [10_000n, 0n]);
  });

  // Guarantee: while an operator has blocked it, nothing is made for an account or signed, by the schema itself.
  test('blocked', async () => {
    const [merchant, other] = [await aReady(), await aReady()];
    await blockPayouts(service.world, other.id, 'operator@grosz.example');
    await assert.rejects(aPayout(service, other, 1_000n), /may not be made/);
    const { id } = await aPayout(service, merchant, 1_000n);
    await blockPayouts(service.world, merchant.id, 'operator@grosz.example');
    await assert.rejects(
      inOne((sql) => markApproved(service.world, sql, [id])),
      /is blocked/,
    );
    await releasePayouts(service.world, merchant.id, 'operator@grosz.example');
    assert.equal((await inOne((sql) => markApproved(service.world, sql, [id]))).length, 1);
  });

  // Guarantee: whoever gave the number cannot verify it, and nobody verifies one that was replaced meanwhile.
  test('verified by whoever gave it, or another one', async () => {
    const merchant = await aMerchant(service);
    const { place } = await giveAccount(service, merchant);
    const accountId = merchant.id;
    await assert.rejects(verifyPayoutAccount(service.world, { accountId, by: 'owner@merchant.example' }), {
      code: 'verified_by_giver',
    });
    await giveAccount(service, merchant, someIbans[1]);
    await assert.rejects(verifyPayoutAccount(service.world, { accountId, id: place.id, by: 'o@grosz.example' }), {
      code: 'bank_account_missing',
    });
  });

  // Guarantee: a changed number waits for 72 hours, also when it is verified; what was made for the old one is canceled, and
  // what is at the bank goes where it was made for.
  test('a number that is changed', async () => {
    const merchant = await aReady();
    const sent = await aPayout(service, merchant, 1_000n);
    await steps.approve?.(sent.id);
    await steps.send?.(sent.id);
    const created = await aPayout(service, merchant, 2_000n);
    await aPayoutAccount(service, merchant, someIbans[1]);
    const canceled = await findPayout(service.world.db.sql, created.id);
    assert.deepEqual([canceled?.state, canceled?.reason?.code], ['canceled', 'account_replaced']);
    assert.deepEqual(await heldBy(merchant), [9_000n, 1_000n]);
    service.world.clock.advance({ hours: 71, minutes: 59 });
    await assert.rejects(aPayout(service, merchant, 1_000n), /may not be made/);
    service.world.clock.advance({ minutes: 1 });
    const next = await aPayout(service, merchant, 1_000n);
    assert.equal(openNumberOf(service.world.vault, next).reveal(), someIbans[1]);
    assert.equal(next.numberEnding, '5387');
    assert.equal((await findPayout(service.world.db.sql, sent.id))?.state, 'sent');
    await assert.rejects(giveAccount(service, merchant, someIbans[1]), { code: 'bank_account_unchanged' });
  });
});

suite('the number of a bank account', () => {
  // Guarantee: people may write it as it stands on paper, and a mistyped digit is never taken.
  for (const [given, taken] of [
    [someIbans[0], someIbans[0]],
    ['61 1090 1014 0000 0712 1981 2874', someIbans[0]],
    ['pl61-1090-1014-0000-0712-1981-2874', someIbans[0]],
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['61 1090 1014 0000 0712 1981 2875', undefined],
    ['61 1090 1014 0000 0712 1981 287', undefined],
    ['PL', undefined],
    ['', undefined],
  ] as const) {
    test(`${given || 'nothing'}`, () => assert.equal(ibanFrom(given)?.reveal(), taken));
  }
});

suite('who writes into the database', () => {
  // Guarantee: neither a number, nor who verified it, nor terms are changed by SQL without being found.
  for (const [what, statement, code] of [
    ['the holder', "update payout_account set holder = 'Thief' where replaced_at is null", 'payout_account_changed'],
    ['verified', "update payout_account set verified_by = 'x', verified_at = given_at", 'payout_account_changed'],
    ['a row is gone', 'delete from payout_terms', 'payout_rows_differ'],
    ['the minimum', 'update payout_terms set minimum_minor = 5', 'payout_terms_changed'],
    [
      'another number of ours',
      'update payout set number_sealed = (select number_sealed from payout_account limit 1)',
      'payout_to_other_account',
    ],
    [
      'a state',
      "update payout set state = 'paid', approved_at = created_at, sent_at = created_at, paid_at = created_at",
      'payout_booked_otherwise',
    ],
  ] as const) {
    test(what, async () => {
      const own = await aService();
      const merchant = await aMerchant(own);
      await fund(own, merchant, 10_000n);
      await aPayoutAccount(own, merchant);
      await aPayout(own, merchant, 1_000n);
      assert.deepEqual(await findingsOf(own.world, own.world.db.sql, 'payouts'), []);
      await damage(own.world, statement);
      const codes = (await findingsOf(own.world, own.world.db.sql, 'payouts')).map((one) => one.code);
      assert.ok(codes.includes(code), codes.join());
    });
  }

  // Guarantee: every run of verify, also one of what changed since, checks where open payouts go and the terms of their
  // accounts, whatever times somebody wrote there.
  for (const [what, statement, code] of [
    [
      'the bank account',
      "update payout_account set verified_by = 'x' where replaced_at is null",
      'payout_account_changed',
    ],
    ['the terms', 'update payout_terms set minimum_minor = 5', 'payout_terms_changed'],
  ] as const) {
    test(`${what}, long ago`, async () => {
      const own = await aService();
      const merchant = await aMerchant(own);
      await fund(own, merchant, 10_000n);
      await aPayoutAccount(own, merchant);
      await damage(own.world, statement);
      const again = async () =>
        (await findingsAgain(own.world, own.world.db.sql, { wrong: [], only: 'payouts' }))
          .map((one) => one.code)
          .filter((one) => one.startsWith('payout_'));
      assert.deepEqual(await again(), []);
      await aPayout(own, merchant, 1_000n);
      assert.deepEqual(await again(), [code]);
    });
  }

  // Guarantee: what was made while an account was blocked is found after it was released, whatever was blocked since.
  test('made while it was blocked', async () => {
    const own = await aService();
    const merchant = await aMerchant(own);
    await fund(own, merchant, 10_000n);
    await aPayoutAccount(own, merchant);
    const by = 'operator@grosz.example';
    const signed = await aPayout(own, merchant, 1_000n);
    await own.world.db.atomic((sql) => markApproved(own.world, sql, [signed.id]));
    const waits = await aPayout(own, merchant, 1_000n);
    const notAllowed = async () =>
      (await findingsOf(own.world, own.world.db.sql, 'payouts'))
        .filter(({ code }) => code === 'payout_not_allowed')
        .map(({ parameters }) => 'id' in parameters && parameters.id);
    const change = async (work: typeof blockPayouts) => {
      own.world.clock.advance({ minutes: 1 });
      await work(own.world, merchant.id, by);
    };
    const move = (column: string, id: string, time: string) =>
      damage(own.world, `update payout set ${column} = ${column} + interval '${time}' where id = '${id}'`);
    await change(blockPayouts);
    await assert.rejects(blockPayouts(own.world, merchant.id, by), { code: 'payouts_blocked_already' });
    await move('created_at', waits.id, '90 seconds');
    assert.deepEqual(await notAllowed(), [waits.id]);
    await change(releasePayouts);
    await assert.rejects(releasePayouts(own.world, merchant.id, by), { code: 'payouts_not_blocked' });
    await change(blockPayouts);
    await change(releasePayouts);
    assert.deepEqual(await notAllowed(), [waits.id]);
    await move('created_at', waits.id, '1 minute');
    assert.deepEqual(await notAllowed(), []);
    await move('approved_at', signed.id, '90 seconds');
    assert.deepEqual(await notAllowed(), [signed.id]);
  });

  // Guarantee: a block that was removed, or ended, behind the service is found.
  for (const [what, statement] of [
    ['removed', 'delete from payout_block'],
    ['ended', "update payout_block set released_at = blocked_at, released_by = 'eve'"],
  ] as const) {
    test(`a block that was ${what}`, async () => {
      const own = await aService();
      const merchant = await aMerchant(own);
      await aPayoutAccount(own, merchant);
      await blockPayouts(own.world, merchant.id, 'operator@grosz.example');
      await damage(own.world, statement);
      const codes = (await findingsOf(own.world, own.world.db.sql, 'payouts')).map((one) => one.code);
      const other = what === 'ended' ? 'payout_block_changed' : 'payout_rows_differ';
      assert.deepEqual(codes.toSorted(), ['payout_block_differs', other].toSorted());
    });
  }

  // Guarantee: terms that are put back as they once were are found, although each of their rows was signed.
  test('terms as they once were', async () => {
    const own = await aService();
    const merchant = await aMerchant(own);
    await aPayoutAccount(own, merchant);
    await own.world.db.sql.run`create table kept_terms as select * from payout_terms`;
    await blockPayouts(own.world, merchant.id, 'operator@grosz.example');
    own.world.clock.advance({ seconds: 1 });
    await releasePayouts(own.world, merchant.id, 'operator@grosz.example');
    assert.deepEqual(await findingsOf(own.world, own.world.db.sql, 'payouts'), []);
    await damage(own.world, 'delete from payout_terms');
    await damage(own.world, 'insert into payout_terms select * from kept_terms');
    const codes = (await findingsOf(own.world, own.world.db.sql, 'payouts')).map((one) => one.code);
    assert.deepEqual(codes, ['payout_rows_differ']);
  });
});
