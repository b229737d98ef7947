// GET and POST /payouts: what an account sees of its payouts, asks for and cancels.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { approveBatch, draftBatch } from '../../src/batches/index.ts';
import { readInteger } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { beginRun, blockPayouts, cancelCreated, markApproved, runOnePage } from '../../src/payouts/index.ts';
import { changeTermsIn } from '../../src/payouts/terms.ts';
import { anOperator, aPayingAccount } from '../support/batches.ts';
import { damage } from '../support/damage.ts';
import { aChild, aPaidSplit, aPartner } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aPaidTransaction, checkInvariants, settleAll } from '../support/payments.ts';
import { aPayout, aPayoutAccount, aSent, bankMoves, giveAccount, someIbans } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import {
  type Answer,
  aCredential,
  aMerchant,
  aNode,
  aService,
  atEnd,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

let service: Service;
before(async () => {
  service = await aService();
  for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-19T10:00:00Z');
  atEnd(() => checkInvariants(service.world));
});

type Headers = Record<string, string>;
const get = (path: string, { token }: Pick<TestMerchant, 'token'>, headers: Headers = {}, node = service) =>
  node.ask('GET', path, { token, headers });
const ask = ({ token }: Pick<TestMerchant, 'token'>, body: unknown = {}, headers: Headers = {}, node = service) =>
  node.ask('POST', '/payouts', { token, body, headers });
const cancel = ({ token }: Pick<TestMerchant, 'token'>, id: string, node = service) =>
  node.ask('POST', `/payouts/${id}/cancel`, { token });

/** Who has so much that is due on the next day, which then is a Friday again. */
async function aPayee(minor = 10_000n): Promise<TestMerchant> {
  service.world.clock.set('2026-11-19T10:00:00Z');
  const merchant = await aMerchant(service);
  await fund(service, merchant, minor);
  await aPayoutAccount(service, merchant);
  service.world.clock.set('2026-11-20T10:00:00Z');
  return merchant;
}

const available = ({ id }: Pick<TestMerchant, 'id'>) => findBalance(service.world.db.sql, ledgerAccounts.available(id));
const transit = ({ id }: Pick<TestMerchant, 'id'>) =>
  findBalance(service.world.db.sql, ledgerAccounts.payoutTransit(id));

const choose = ({ id }: TestMerchant, changed: ReturnType<Parameters<typeof changeTermsIn>[3]>) =>
  service.world.db.atomic((sql) => changeTermsIn(service.world, sql, id, () => changed));

const payoutsOf = ({ id }: TestMerchant) =>
  service.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from payout where account_id = ${id}`;

function payoutIn(answer: Answer) {
  assert.equal(answer.status, 200, answer.text);
  return answer.body.payout;
}

suite('POST /payouts', () => {
  // Guarantee: without an amount all that is due leaves the balance, at once, in a payout like that of a run.
  test('all that is due', async () => {
    const merchant = await aPayee();
    await aPaidTransaction(service, merchant, { amount: 30 });
    const payout = payoutIn(await ask(merchant));
    assert.deepEqual(payout, {
      payoutId: payout.payoutId,
      status: 'created',
      amount: 100,
      fee: 0,
      currency: 'PLN',
      onDemand: true,
      bankAccount: { ending: '2874', holder: 'Sklep Jana sp. z o.o.' },
      reason: null,
      settlementId: null,
      date: { creation: '2026-11-20 11:00:00', approved: null, sent: null, paid: null, ended: null },
    });
    assert.deepEqual([await available(merchant), await transit(merchant)], [3_000n, 10_000n]);
    assert.deepEqual((await get(`/payouts/${payout.payoutId}`, merchant)).body.payout, payout);
  });

  // Guarantee: a part of what is due, to the grosz, and never more.
  test('an amount', async () => {
    const merchant = await aPayee();
    assert.deepEqual(faultsOf(await ask(merchant, { amount: 100.01 })), ['amount_exceeds_due amount']);
    assert.equal(payoutIn(await ask(merchant, { amount: 99.99 })).amount, 99.99);
    assert.equal(await available(merchant), 1n);
  });

  // Guarantee: one that was asked for waits at a time; once it is canceled or signed, the next can be asked for.
  test('a second one', async () => {
    const merchant = await aPayee();
    const first = payoutIn(await ask(merchant, { amount: 10 }));
    const second = await ask(merchant, { amount: 10 });
    assert.deepEqual([second.status, faultsOf(second)], [409, ['payout_waiting']]);
    payoutIn(await cancel(merchant, first.payoutId));
    const third = payoutIn(await ask(merchant, { amount: 10 }));
    await service.world.db.atomic((sql) => markApproved(service.world, sql, [third.payoutId]));
    payoutIn(await ask(merchant, { amount: 10 }));
    assert.equal(await available(merchant), 8_000n);
  });

  // Guarantee: each rule that stops a payout is the code of the refusal, which is 400, and nothing has moved.
  test('what stops it', async () => {
    const merchant = async (prepare: (one: TestMerchant) => Promise<unknown>) => {
      service.world.clock.set('2026-11-19T10:00:00Z');
      const one = await aMerchant(service);
      await fund(service, one, 10_000n);
      await prepare(one);
      service.world.clock.set('2026-11-20T10:00:00Z');
      return one;
    };
    const cases: [string, (one: TestMerchant) => Promise<unknown>, unknown?][] = [
      ['bank_account_missing', async () => undefined],
      ['bank_account_not_verified', (one) => giveAccount(service, one)],
      [
        'bank_account_on_hold',
        async (one) => {
          await aPayoutAccount(service, one);
          await aPayoutAccount(service, one, someIbans[1]);
        },
      ],
      [
        'payouts_blocked',
        async (one) => {
          await aPayoutAccount(service, one);
          await blockPayouts(service.world, one.id, 'operator@grosz.example');
        },
      ],
      [
        'below_minimum',
        async (one) => {
          await aPayoutAccount(service, one);
          await choose(one, { minimumMinor: 10_001n });
        },
      ],
      [
        'below_minimum',
        async (one) => {
          await aPayoutAccount(service, one);
          await choose(one, { minimumMinor: 5_000n });
        },
        { amount: 49.99 },
      ],
      [
        'amount_exceeds_due amount',
        async (one) => {
          await aPayoutAccount(service, one);
          await choose(one, { keepBackMinor: 4_000n });
        },
        { amount: 60.01 },
      ],
      [
        'nothing_due',
        async (one) => {
          await aPayoutAccount(service, one);
          await choose(one, { keepBackMinor: 10_000n });
        },
      ],
      [
        'nothing_due',
        async (one) => {
          await aPayoutAccount(service, one);
          await choose(one, { delayDays: 2 });
        },
        { amount: 1 },
      ],
    ];
    for (const [code, prepare, body] of cases) {
      const one = await merchant(prepare);
      const answer = await ask(one, body);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [code]]);
      assert.deepEqual([await available(one), await payoutsOf(one)], [10_000n, 0]);
    }
  });

  // Guarantee: nobody who writes into the database is paid by asking, and the answer says why.
  test('rows that somebody else wrote', async () => {
    const own = await aService();
    own.world.clock.set('2026-11-19T10:00:00Z');
    for (const [code, table, statement] of [
      ['bank_account_altered', 'payout_account', "holder = 'Eve'"],
      ['bank_account_altered', 'payout_account', "number_sealed = 'x'"],
      ['terms_altered', 'payout_terms', 'delay_days = 0'],
    ]) {
      own.world.clock.set('2026-11-19T10:00:00Z');
      const merchant = await aMerchant(own);
      await fund(own, merchant, 10_000n);
      await aPayoutAccount(own, merchant);
      own.world.clock.set('2026-11-20T10:00:00Z');
      await damage(own.world, `update ${table} set ${statement} where account_id = '${merchant.id}'`);
      const answer = await ask(merchant, {}, {}, own);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [code]]);
    }
  });

  // Guarantee: bad input of every kind is refused with its code, and moves nothing.
  test('400', async () => {
    const merchant = await aPayee();
    for (const [body, fault] of [
      [{ amount: null }, 'not_number amount'],
      [{ amount: '10' }, 'not_number amount'],
      [{ amount: [10] }, 'not_number amount'],
      [{ amount: {} }, 'not_number amount'],
      [{ amount: true }, 'not_number amount'],
      [{ amount: 0 }, 'too_low amount'],
      [{ amount: -1 }, 'too_low amount'],
      [{ amount: 1.001 }, 'incorrect_precision amount'],
      [{ amount: 1e11 }, 'too_high amount'],
      [{ amuont: 10 }, 'unexpected_field amuont'],
      [{ amount: 10, payoutAccountId: 'x' }, 'unexpected_field payoutAccountId'],
      [[], 'not_object'],
      [null, 'not_object'],
    ] as const) {
      const answer = await ask(merchant, body);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [fault]], JSON.stringify(body));
    }
    const malformed = await service.ask('POST', '/payouts', {
      token: merchant.token,
      raw: '{"amount": 1',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(malformed.status, 400);
    assert.equal(await payoutsOf(merchant), 0);
  });

  // Guarantee: nobody asks without a token, with one that only reads, or for an account that is not theirs.
  test('401, 403 and 404', async () => {
    const [merchant, other] = [await aPayee(), await aPayee()];
    const reader = await aCredential(service, merchant, 'read_only');
    assert.equal((await service.ask('POST', '/payouts', { body: {} })).status, 401);
    assert.equal((await ask(reader)).status, 403);
    assert.equal((await ask(merchant, {}, { 'x-merchant-id': other.id })).status, 404);
    const { payoutId } = payoutIn(await ask(merchant));
    assert.equal((await cancel(reader, payoutId)).status, 403);
    assert.equal((await get(`/payouts/${payoutId}`, reader)).status, 200);
    for (const id of [payoutId, service.world.ids.ulid(), 'x', 'x'.repeat(300)]) {
      assert.equal((await get(`/payouts/${id}`, other)).status, 404);
      assert.equal((await get(`/payouts/${id}/lines`, other)).status, 404);
      assert.equal((await cancel(other, id)).status, 404);
    }
    assert.equal(payoutIn(await get(`/payouts/${payoutId}`, merchant)).status, 'created');
  });

  // Guarantee: a partner asks for its seller, from what the seller has.
  test('of a seller', async () => {
    service.world.clock.set('2026-11-19T10:00:00Z');
    const partner = await aPartner(service, [{}]);
    const seller = partner.sellers[0];
    assert.ok(seller);
    await aPaidSplit(service, partner, [aChild(partner, 0, 1_000)]);
    await aPayoutAccount(service, seller);
    service.world.clock.set('2026-11-20T10:00:00Z');
    const asSeller = { 'x-merchant-id': seller.id };
    const before = await available(seller);
    const payout = payoutIn(await ask(partner, {}, asSeller));
    assert.equal(payout.amount, Number(before) / 100);
    assert.equal((await get(`/payouts/${payout.payoutId}`, partner, asSeller)).status, 200);
    assert.equal((await get(`/payouts/${payout.payoutId}`, partner)).status, 404);
    assert.equal((await get('/payouts', partner, asSeller)).body.total, 1);
    assert.equal((await get('/payouts', partner)).body.total, 0);
  });
});

suite('at once', () => {
  // Guarantee: whatever is asked for at once, on several nodes, one waits, and no grosz leaves twice.
  test('many ask', async () => {
    const second = await serve(await aNode(service.world));
    for (let round = 0; round < 3; round += 1) {
      const merchant = await aPayee();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => ask(merchant, { amount: 60 }, {}, index % 2 ? service : second)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const others = answers.filter(({ status }) => status !== 200).map((answer) => faultsOf(answer)[0]);
      for (const fault of others)
        assert.ok(['payout_waiting', 'amount_exceeds_due amount'].includes(fault ?? ''), String(fault));
      assert.deepEqual([await available(merchant), await payoutsOf(merchant)], [4_000n, 1]);
    }
  });

  // Guarantee: during a run what is due is paid once, by the run or on demand.
  test('ask during the run', async () => {
    const payees = [await aPayee(), await aPayee(), await aPayee()];
    await beginRun(service.world);
    const run = async () => {
      for (let count = 1; count > 0; ) count = await runOnePage(service.world, 1);
    };
    const [answers] = await Promise.all([Promise.all(payees.map((one) => ask(one))), run(), run()]);
    await run();
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 200) assert.deepEqual(faultsOf(answer), ['nothing_due']);
      const payee = payees[index];
      assert.ok(payee);
      assert.deepEqual([await available(payee), await payoutsOf(payee)], [0n, 1]);
    }
  });

  // Guarantee: a payout is either canceled or in the signed batch.
  test('cancel against the second signature', async () => {
    const [first, second] = [await anOperator(service), await anOperator(service)];
    await aPayingAccount(service);
    for (let round = 0; round < 4; round += 1) {
      const merchant = await aPayee();
      const { payoutId } = payoutIn(await ask(merchant));
      const batch = await draftBatch(service.world, { by: first.signer });
      const signing = approveBatch(service.world, { batchId: batch.id, by: second.signer, seen: batch });
      const [canceled, signed] = await Promise.all([
        cancel(merchant, payoutId),
        signing.then(
          ({ state }) => state,
          (error: { code: string }) => error.code,
        ),
      ]);
      const { status } = payoutIn(await get(`/payouts/${payoutId}`, merchant));
      if (canceled.status === 200) {
        assert.equal(status, 'canceled');
        assert.equal(signed, 'batch_changed');
        assert.equal(await available(merchant), 10_000n);
      } else {
        assert.deepEqual([canceled.status, faultsOf(canceled)], [409, ['payout_not_cancelable']]);
        assert.deepEqual([status, signed], ['approved', 'approved']);
        assert.equal(await available(merchant), 0n);
      }
    }
  });
});

suite('POST /payouts/{payoutId}/cancel', () => {
  // Guarantee: the balance has the money again, once, and whoever repeats it gets the same answer.
  test('while it is created', async () => {
    const merchant = await aPayee();
    const { payoutId } = payoutIn(await ask(merchant));
    const first = payoutIn(await cancel(merchant, payoutId));
    assert.deepEqual(
      [first.status, first.reason, first.date.ended],
      ['canceled', { code: 'canceled_by_account', bankCode: null, bankWords: null }, '2026-11-20 11:00:00'],
    );
    service.world.clock.advance({ minutes: 1 });
    assert.deepEqual(payoutIn(await cancel(merchant, payoutId)), first);
    assert.equal(await available(merchant), 10_000n);
  });

  // Guarantee: what a person has signed or what is at the bank is not taken back by the account.
  test('afterwards', async () => {
    const merchant = await aPayee();
    const { payoutId } = payoutIn(await ask(merchant, { amount: 10 }));
    await service.world.db.atomic((sql) => markApproved(service.world, sql, [payoutId]));
    assert.deepEqual(faultsOf(await cancel(merchant, payoutId)), ['payout_not_cancelable']);
    const sent = await aSent(service, merchant, 1_000n);
    assert.deepEqual(faultsOf(await cancel(merchant, sent.id)), ['payout_not_cancelable']);
    assert.equal(await available(merchant), 8_000n);
  });
});

suite('GET /payouts', () => {
  // Guarantee: newest first, each once, by state and by time, and those of nobody else.
  test('pages and filters', async () => {
    const merchant = await aPayee(100_000n);
    assert.deepEqual((await get('/payouts', await aMerchant(service))).body.payouts, []);
    const ids: string[] = [];
    for (const day of ['20', '23', '24', '25']) {
      service.world.clock.set(`2026-11-${day}T22:59:59Z`);
      ids.unshift((await aPayout(service, merchant, 1_000n)).id);
      await service.world.db.atomic((sql) => markApproved(service.world, sql, ids.slice(0, 1)));
    }
    service.world.clock.advance({ seconds: 1 });
    ids.unshift((await aPayout(service, merchant, 1_000n)).id);
    await service.world.db.atomic((sql) =>
      cancelCreated(service.world, sql, ids.slice(0, 1), { code: 'canceled_by_operator', parameters: {} }),
    );
    const listed = async (query: string) => {
      const answer = await get(`/payouts${query}`, merchant);
      assert.equal(answer.status, 200, answer.text);
      return [answer.body.payouts.map(({ payoutId }: { payoutId: string }) => payoutId), answer.body.total];
    };
    assert.deepEqual(await listed(''), [ids, 5]);
    assert.deepEqual(await listed('?limit=2&page=2'), [ids.slice(2, 4), 5]);
    assert.deepEqual(await listed('?limit=2&page=4'), [[], 5]);
    assert.deepEqual(await listed('?status=approved'), [ids.slice(1), 4]);
    assert.deepEqual(await listed('?status=canceled'), [ids.slice(0, 1), 1]);
    assert.deepEqual(await listed('?status=paid'), [[], 0]);
    // Midnight of the account, which is that of Warsaw.
    assert.deepEqual(await listed('?dateFrom=2026-11-26%2000:00:00'), [ids.slice(0, 1), 1]);
    assert.deepEqual(await listed('?dateTo=2026-11-25%2023:59:59'), [ids.slice(1), 4]);
    const both = '?dateFrom=2026-11-23%2000:00:00&dateTo=2026-11-24%2023:59:59';
    assert.deepEqual(await listed(both), [ids.slice(2, 4), 2]);
  });

  test('400', async () => {
    const merchant = await aMerchant(service);
    for (const [query, fault] of [
      ['status=new', 'not_valid status'],
      ['status=', 'not_valid status'],
      ['page=0', 'too_low page'],
      ['page=-1', 'too_low page'],
      ['page=x', 'not_integer page'],
      ['limit=101', 'too_high limit'],
      ['limit=0', 'too_low limit'],
      ['dateFrom=yesterday', 'not_valid dateFrom'],
      ['dateTo=2026-02-30%2010:00:00', 'not_valid dateTo'],
      ['dateFrom=', 'not_valid dateFrom'],
    ] as const) {
      const answer = await get(`/payouts?${query}`, merchant);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [fault]], query);
    }
    assert.equal((await service.ask('GET', '/payouts')).status, 401);
    assert.equal((await service.ask('DELETE', '/payouts', { token: merchant.token })).status, 405);
  });

  // Guarantee: every state and its time is shown, as the bank's statements say it.
  test('from created to returned', async () => {
    const merchant = await aPayee();
    const { id } = await aSent(service, merchant, 5_000n);
    await bankMoves(service, [[id, -5_000n]]);
    const paid = payoutIn(await get(`/payouts/${id}`, merchant));
    assert.equal(paid.status, 'paid');
    assert.ok(paid.date.paid);
    await bankMoves(service, [[id, 5_000n]]);
    const returned = payoutIn(await get(`/payouts/${id}`, merchant));
    assert.deepEqual([returned.status, returned.reason.code], ['returned', 'returned_by_bank']);
    assert.ok(returned.date.ended);
    assert.equal(await available(merchant), 10_000n);
  });
});

suite('GET /payouts/{payoutId}/lines', () => {
  // Guarantee: a payout is explained by the lines of its settlement, of which it is the last, as JSON and as a file.
  test('what a payout consists of', async () => {
    service.world.clock.set('2026-11-19T10:00:00Z');
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100 });
    await aPayoutAccount(service, merchant);
    await aPaidTransaction(service, merchant, { amount: 100, hiddenDescription: '=1+1' });
    service.world.clock.set('2026-11-20T10:00:00Z');
    const { payoutId } = payoutIn(await ask(merchant));
    const early = await get(`/payouts/${payoutId}/lines`, merchant);
    assert.deepEqual([early.status, faultsOf(early)], [409, ['payout_not_settled']]);
    await settleAll(service.world);
    const { body } = await get(`/payouts/${payoutId}/lines`, merchant);
    assert.deepEqual(
      body.lines.map(({ kind, net, reference }: Record<string, unknown>) => [kind, net, reference]),
      [
        ['payment', 99, null],
        ['payout_created', -99, payoutId],
      ],
    );
    assert.equal(body.total, 2);
    const { settlementId } = payoutIn(await get(`/payouts/${payoutId}`, merchant));
    const lines = await get(`/settlements/${settlementId}/lines`, merchant);
    assert.deepEqual(lines.body.lines, body.lines);
    assert.equal((await get(`/payouts/${payoutId}/lines?limit=1&page=2`, merchant)).body.lines.length, 1);
    assert.deepEqual(faultsOf(await get(`/payouts/${payoutId}/lines?limit=0`, merchant)), ['too_low limit']);
    const file = await get(`/payouts/${payoutId}/lines`, merchant, { accept: 'text/csv' });
    assert.equal(file.text, (await get(`/settlements/${settlementId}/lines`, merchant, { accept: 'text/csv' })).text);
    assert.match(file.text, /'=1\+1/);
  });
});

suite('in the panel', () => {
  // Guarantee: everybody sees the payouts of the account on screen; only those who may change something there ask for one,
  // cancel one or choose a schedule, and whoever looks at an account that is not theirs changes nothing.
  test('every role', async () => {
    const merchant = await aPayee();
    const path = '/panel/api/merchant';
    const as: Headers = { 'x-view-as': merchant.id };
    const partner = await aPartner(service, [{}]);
    const seller = partner.sellers[0];
    assert.ok(seller);
    const people: [string, Awaited<ReturnType<typeof aPerson>>, Headers, boolean][] = [
      ['owner', await aPerson(service, 'owner', merchant.id), {}, true],
      ['staff', await aPerson(service, 'staff', merchant.id), {}, true],
      ['read_only', await aPerson(service, 'read_only', merchant.id), {}, false],
      ['operator who looks', await aPerson(service, 'operator', null), as, false],
      ['partner who looks at a seller', await aPerson(service, 'owner', partner.id), { 'x-view-as': seller.id }, false],
      ['seller', await aPerson(service, 'owner', seller.id), {}, true],
    ];
    for (const [role, person, headers, mayWrite] of people) {
      const status = async (method: string, to: string, body?: object) =>
        (await person.ask(method, `${path}${to}`, { headers, ...(body ? { body } : {}) })).status;
      assert.equal(await status('GET', '/payouts'), 200, role);
      assert.equal(await status('GET', '/balance'), 200, role);
      assert.equal(await status('GET', '/payout-settings'), 200, role);
      assert.equal(await status('PATCH', '/payout-settings', { minimum: 0 }), mayWrite ? 200 : 403, role);
      // A seller has nothing that is due.
      const asked = await status('POST', '/payouts', { amount: 1 });
      const expected = role === 'seller' ? 400 : 200;
      assert.equal(asked, mayWrite ? expected : 403, role);
      const { payouts } = (await get('/payouts?status=created', merchant)).body;
      for (const { payoutId } of payouts) {
        const canceled = await status('POST', `/payouts/${payoutId}/cancel`, {});
        assert.equal(canceled, mayWrite ? 200 : 403, role);
      }
    }
    const stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
    assert.equal((await stranger.ask('GET', `${path}/payouts`, { headers: as })).status, 404);
  });
});
