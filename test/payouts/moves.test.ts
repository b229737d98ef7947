// What the bank does to a payout, in every order: it pays, sends back, sends back less, refuses, pays after all, and an operator
// says that it was something else.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { createPayouts } from '../../src/payouts/create.ts';
import {
  blockPayouts,
  findPayout,
  markApproved,
  markSent,
  type Payout,
  settleFailed,
} from '../../src/payouts/index.ts';
import { findPlace } from '../../src/payouts/store/settings.ts';
import { inWords } from '../support/findings.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPayout, aPayoutAccount, aSent, bankMoves } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';
import { findingsAgain, findingsOf } from '../support/verify.ts';

const [amount, fee] = [1_000n, 5n];
const events = ['pay', 'back', 'less', 'half', 'refuse', 'undo'] as const;
type Event = (typeof events)[number];
const came: Partial<Record<Event, bigint>> = { pay: 1_000n, back: 1_000n, less: 990n, half: 500n };

/** What must be true of a payout: written down again, without a look at how the room does it. */
interface Model {
  state: string;
  /** What the account has by it, and what we had from it and paid for it. */
  account: bigint;
  income: bigint;
  expense: bigint;
  bank: bigint;
  /** What can be undone, the last one last. */
  done: { line: string; before: string; account: bigint; expense: bigint; bank: bigint }[];
}

function follow(model: Model, event: Event, line: string): boolean {
  const move = (state: string, account: bigint, expense: bigint, bank: bigint) => {
    model.done.push({ line, before: model.state, account, expense, bank });
    Object.assign(model, {
      state,
      account: model.account + account,
      expense: model.expense + expense,
      bank: model.bank + bank,
    });
    return true;
  };
  if (event === 'refuse') {
    if (model.state !== 'sent') return false;
    Object.assign(model, { state: 'failed', account: model.account + amount + fee, income: 0n });
    return true;
  }
  if (event === 'pay') {
    if (model.state === 'sent') return move('paid', 0n, 0n, -amount);
    return (model.state === 'returned' || model.state === 'failed') && move('paid', -amount, 0n, -amount);
  }
  if (event === 'undo') {
    const last = model.done.pop();
    if (!last) return false;
    model.state = last.before;
    model.account -= last.account;
    model.expense -= last.expense;
    model.bank -= last.bank;
    return true;
  }
  const back = came[event] ?? 0n;
  return model.state === 'paid' && move('returned', amount, amount - back, back);
}

function sequences(length: number): Event[][] {
  if (length === 0) return [[]];
  return sequences(length - 1).flatMap((before) => events.map((event) => [...before, event]));
}

interface Walked {
  readonly merchant: TestMerchant;
  readonly id: string;
  readonly events: readonly Event[];
  readonly model: Model;
}

/** Payouts at the bank, so many of each merchant. */
async function manySent({ world }: Service, merchants: readonly TestMerchant[], ofEach: number): Promise<Payout[]> {
  const all: Payout[] = [];
  for (let round = 0; round < ofEach; round += 1) {
    await world.db.atomic(async (sql) => {
      const planned = [];
      for (const { id: accountId } of merchants) {
        const place = await findPlace(sql, accountId);
        if (place) planned.push({ accountId, runId: null, place, amountMinor: amount, feeMinor: fee });
      }
      const made = await createPayouts(world, sql, planned, world.clock.now());
      const ids = made.map(({ id }) => id);
      await markApproved(world, sql, ids);
      await markSent(world, sql, ids);
      all.push(...made);
    });
  }
  return all;
}

suite('what the bank does', () => {
  // Guarantee: in whatever order the bank pays, refuses, sends back all or less and pays again, and operators take back what
  // was not so, the books say where the money is: the account has what it did not get, or owes what it got twice, and we bear
  // only what the bank kept.
  test('in every order of four', async () => {
    const service = await aService();
    const { world, rooms } = service;
    const { bank } = rooms.payouts;
    const orders = sequences(4);
    const merchants: TestMerchant[] = [];
    for (let index = 0; index < 12; index += 1) {
      const merchant = await aMerchant(service);
      await fund(service, merchant, (BigInt(orders.length) / 12n) * (amount + fee));
      await aPayoutAccount(service, merchant);
      merchants.push(merchant);
    }
    const payouts = await manySent(service, merchants, orders.length / merchants.length);
    const walked = payouts.map((payout, index): Walked => {
      const merchant = merchants.find(({ id }) => id === payout.accountId);
      assert.ok(merchant);
      const model = { state: 'sent', account: 0n, income: fee, expense: 0n, bank: 0n, done: [] };
      return { merchant, id: payout.id, events: orders[index] ?? [], model };
    });
    const spent = new Map<string, bigint>();
    const owedMinor = async (id: TestMerchant['id']) => findBalance(world.db.sql, ledgerAccounts.owed(id));
    for (let step = 0; step < 4; step += 1) {
      for (const event of events) {
        const those = walked.filter((one) => one.events[step] === event);
        const expected = new Set<string>();
        const undone = new Map(those.map(({ id, model }) => [id, model.done.at(-1)?.line ?? `${id} none`]));
        for (const { id, model } of those) if (follow(model, event, `${id} ${step}`)) expected.add(id);
        const taken = await world.db.atomic(async (sql) => {
          if (event === 'refuse') {
            const reason = { code: 'refused_by_bank', parameters: { code: 'AC04', words: null } } as const;
            const failed = await settleFailed(
              world,
              sql,
              those.map(({ id }) => ({ id, reason })),
            );
            return failed.map(({ id }) => id);
          }
          if (event === 'undo') {
            const done: string[] = [];
            for (const { id } of those)
              if (await bank.undoMoved(sql, { lineId: undone.get(id) ?? '', payoutId: id })) done.push(id);
            return done;
          }
          const moved = those.map(({ id }) => ({
            lineId: `${id} ${step}`,
            payoutId: id,
            amountMinor: came[event] ?? 0n,
            isReturn: event === 'less',
            returnCode: event === 'less' ? 'AC04' : null,
            isDecided: event === 'half',
          }));
          const lines = event === 'pay' ? await bank.settlePaid(sql, moved) : await bank.settleReturned(sql, moved);
          return [...lines].map((line) => line.slice(0, 26));
        });
        assert.deepEqual(new Set(taken), expected, `${event} as event ${step + 1}`);
      }
      // Whatever comes back is spent at once: what is taken afterwards is a debt.
      for (const merchant of merchants) {
        const minor = await findBalance(world.db.sql, ledgerAccounts.available(merchant.id));
        if (step === 3 || minor === 0n) continue;
        const { id } = await aPayout(service, merchant, minor);
        await world.db.atomic((sql) => markApproved(world, sql, [id]));
        spent.set(merchant.id, (spent.get(merchant.id) ?? 0n) + minor);
      }
    }
    for (const { id, model, events: order } of walked)
      assert.equal((await findPayout(world.db.sql, id))?.state, model.state, order.join(', '));
    let debts = 0;
    for (const { id } of merchants) {
      const available = await findBalance(world.db.sql, ledgerAccounts.available(id));
      const owed = await owedMinor(id);
      if (owed > 0n) debts += 1;
      const expected = walked
        .filter(({ merchant }) => merchant.id === id)
        .reduce((sum, one) => sum + one.model.account, 0n);
      assert.equal(available - owed, expected - (spent.get(id) ?? 0n));
    }
    assert.ok(debts > 0, 'nobody owes anything');
    const total = (part: 'expense' | 'bank' | 'income') => walked.reduce((sum, { model }) => sum + model[part], 0n);
    const entries = (account: string) =>
      world.db.sql.one((row) => BigInt(String(row.minor)))`
        select coalesce(sum(amount_minor), 0)::text as minor from entry join journal on journal.id = entry.journal_id
         where account = ${account} and journal.kind <> 'opening'`;
    assert.equal(await entries(ledgerAccounts.bankFee), total('expense'));
    assert.equal(await entries(ledgerAccounts.bankClient), total('bank'));
    assert.equal(await entries(ledgerAccounts.payoutFee), -total('income'));
    await world.db.sql.run`analyze`;
    assert.deepEqual(inWords(await findingsOf(world, world.db.sql, 'payouts')), []);
    assert.deepEqual(inWords(await findingsAgain(world, world.db.sql, { wrong: [], only: 'payouts' })), []);
  });
});

suite('by statements', () => {
  const aReady = async (): Promise<[Service, TestMerchant]> => {
    const service = await aService();
    atEnd(() => checkInvariants(service.world));
    const merchant = await aMerchant(service);
    await fund(service, merchant, 10_000n);
    await aPayoutAccount(service, merchant);
    return [service, merchant];
  };
  const standing = async ({ world, rooms }: Service, merchant: TestMerchant, id: string) => [
    (await findPayout(world.db.sql, id))?.state,
    await findBalance(world.db.sql, ledgerAccounts.available(merchant.id)),
    await findBalance(world.db.sql, ledgerAccounts.owed(merchant.id)),
    (await rooms.statements.waiting(10)).filter(({ line }) => line.entry > 0).length,
  ];

  // Guarantee: what the bank does within one statement is followed in its order, and the books agree with the bank.
  for (const [name, moves, expected] of [
    ['paid, back and paid again', [-4_000n, 4_000n, -4_000n], ['paid', 6_000n, 0n, 0]],
    ['paid, back and back again', [-4_000n, 4_000n, 4_000n], ['returned', 10_000n, 0n, 1]],
    ['paid twice', [-4_000n, -4_000n], ['paid', 6_000n, 0n, 1]],
    ['the return is listed first', [4_000n, -4_000n], ['returned', 10_000n, 0n, 0]],
    ['more comes back', [-4_000n, 4_001n], ['paid', 6_000n, 0n, 1]],
    ['less comes back, by anybody', [-4_000n, 3_990n], ['paid', 6_000n, 0n, 1]],
  ] as const) {
    test(name, async () => {
      const [service, merchant] = await aReady();
      const { id } = await aSent(service, merchant, 4_000n);
      await bankMoves(
        service,
        moves.map((minor) => [id, minor] as const),
      );
      assert.deepEqual(await standing(service, merchant, id), expected);
    });
  }

  // Guarantee: what the bank keeps of a payment that it sends back is our expense, and the account has all of it again.
  test('less comes back, and the bank says that it is a return', async () => {
    const [service, merchant] = await aReady();
    const { id } = await aSent(service, merchant, 4_000n);
    await bankMoves(service, [
      [id, -4_000n],
      [id, 3_990n, 'NRTI'],
    ]);
    assert.deepEqual(await standing(service, merchant, id), ['returned', 10_000n, 0n, 0]);
  });

  // Guarantee: a refused payment that the bank executes after all is taken from the balance, and what is not there is owed.
  test('refused, and paid after all when the balance is gone', async () => {
    const [service, merchant] = await aReady();
    const { id } = await aSent(service, merchant, 4_000n);
    const reason = { code: 'refused_by_bank', parameters: { code: 'AC04', words: null } } as const;
    await service.world.db.atomic((sql) => settleFailed(service.world, sql, [{ id, reason }]));
    await aSent(service, merchant, 9_000n);
    await bankMoves(service, [[id, -4_000n]]);
    assert.deepEqual(await standing(service, merchant, id), ['paid', 0n, 3_000n, 0]);
    await bankMoves(service, [[id, 4_000n]]);
    assert.deepEqual(await standing(service, merchant, id), ['returned', 1_000n, 0n, 0]);
  });

  // Guarantee: an operator can say that what came is a payout without a large fee, and nobody that it is one if little came.
  test('an operator decides', async () => {
    const [service, merchant] = await aReady();
    const { id } = await aSent(service, merchant, 4_000n);
    await bankMoves(service, [[id, -4_000n]]);
    await bankMoves(service, [
      ['much less', 1_999n],
      ['less', 2_000n],
    ]);
    const lines = (await service.rooms.statements.waiting(10)).filter(({ line }) => line.entry > 0);
    const decide = (minor: bigint) =>
      service.rooms.statements.decide(
        lines.find(({ line }) => line.leftMinor === minor)?.line.id ?? '',
        { kind: 'payout_returned', target: id },
        'anna@example.com',
      );
    await assert.rejects(decide(1_999n), /payout_unknown/);
    await decide(2_000n);
    assert.deepEqual(await standing(service, merchant, id), ['returned', 10_000n, 0n, 1]);
  });

  // Guarantee: the bank is followed whoever has blocked the payouts of the account meanwhile.
  test('of an account that is blocked', async () => {
    const [service, merchant] = await aReady();
    const { id } = await aSent(service, merchant, 4_000n);
    await blockPayouts(service.world, merchant.id, 'operator@grosz.example');
    await bankMoves(service, [
      [id, -4_000n],
      [id, 4_000n],
      [id, -4_000n],
    ]);
    assert.deepEqual(await standing(service, merchant, id), ['paid', 6_000n, 0n, 0]);
  });
});
