// P160 to P168: batches of payouts in the panel.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { anOperator, aPayingAccount, ourIban, type TestOperator, waitingPayouts } from '../support/batches.ts';
import { aPassword, aPerson, cookieOf, personWith, signIn } from '../support/panel.ts';
import { checkInvariants } from '../support/payments.ts';
import { aMerchant, aService, atEnd, faultsOf, type Service } from '../support/service.ts';

const path = '/panel/api/operator/payout-batches';
const unknown = '01JZ8D3K7R4M5N6P7Q8R9S0T1V';

let service: Service;
let first: TestOperator;
let second: TestOperator;
before(async () => {
  service = await aService();
  [first, second] = [await anOperator(service), await anOperator(service)];
  atEnd(() => checkInvariants(service.world));
});

const given = ({ code }: TestOperator) => ({ password: aPassword, code: code() });
const approving = (operator: TestOperator, seen = { payouts: 1, total: '1.00' }) => ({
  body: { ...seen, ...given(operator) },
});

async function aDraft(amounts: readonly bigint[] = [100n]): Promise<string> {
  await waitingPayouts(service, amounts);
  const answer = await first.ask('POST', path, { body: {} });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.batch.id;
}

async function codesOf(operator: TestOperator, url: string, body: unknown): Promise<string[]> {
  return faultsOf(await operator.ask('POST', url, { body }));
}

suite('batches in the panel', () => {
  // Guarantee: without an account of ours nothing is drafted, and one is given by an operator who confirms it.
  test('P168: an account that pays', async () => {
    assert.equal((await first.ask('POST', path, { body: {} })).status, 409);
    const url = '/panel/api/operator/paying-accounts';
    const body = { number: '10 1050 0099 7603 1234 5678 9123', holder: 'Grosz sp. z o.o.', profile: 'iso20022-pl' };
    assert.equal((await first.ask('POST', url, { body: { ...body, password: 'wrong', code: '1' } })).status, 403);
    assert.equal((await first.ask('POST', url, { body: { ...body, ...given(first), number: 'PL1' } })).status, 400);
    assert.equal((await first.ask('POST', url, { body: { ...body, ...given(first), profile: 'none' } })).status, 409);
    const answer = await first.ask('POST', url, { body: { ...body, ...given(first) } });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.account.number, ourIban);
  });

  // Guarantee: from the first signature to the file, people see who has signed what, and who got it.
  test('P160 to P165: from the draft to the file', async () => {
    await waitingPayouts(service, [1_234n, 5_000n]);
    const before = (await first.ask('GET', path)).body;
    assert.deepEqual(before.waiting, { payouts: 2, total: 62.34, currency: 'PLN' });
    const { batch } = (await first.ask('POST', path, { body: {} })).body;
    assert.deepEqual([batch.state, batch.total, batch.payer, batch.first.by], ['draft', 62.34, '9123', first.email]);
    const seen = { payouts: 2, total: '62.34' };
    const signed = await second.ask('POST', `${path}/${batch.id}/approve`, approving(second, seen));
    assert.equal(signed.status, 200, signed.text);
    assert.equal(signed.body.batch.second.by, second.email);
    const made = (await second.ask('POST', `${path}/${batch.id}/make`, { body: {} })).body.batch;
    assert.deepEqual([made.state, made.file.profile], ['made', 'iso20022-pl']);
    const got = await second.ask('POST', `${path}/${batch.id}/download`);
    assert.deepEqual([got.status, got.headers.get('x-copy')], [200, 'false'], got.text);
    assert.match(got.headers.get('content-disposition') ?? '', new RegExp(`"${made.file.name}"`));
    assert.match(got.text, /<CtrlSum>62\.34<\/CtrlSum>/);
    const copy = await first.ask('POST', `${path}/${batch.id}/download`);
    assert.deepEqual([copy.headers.get('x-copy'), copy.text], ['true', got.text]);
    assert.match(copy.headers.get('content-disposition') ?? '', /-copy\.xml"/);
    const shown = (await first.ask('GET', `${path}/${batch.id}`)).body;
    assert.equal(shown.batch.state, 'handed_over');
    assert.deepEqual(
      shown.handovers.map(({ by, isCopy }: { by: string; isCopy: boolean }) => [by, isCopy]),
      [
        [second.email, false],
        [first.email, true],
      ],
    );
    assert.deepEqual(
      shown.payouts.map(({ amount, state }: { amount: number; state: string }) => `${amount} ${state}`).sort(),
      ['12.34 sent', '50 sent'],
    );
    const actions = await service.world.db.sql.many((row) => readText(row, 'line'))`
      select action || ' ' || email || ' ' || outcome as line from audit_entry
       where action = 'P165' and outcome is not null order by position`;
    assert.deepEqual(actions, [`P165 ${second.email} ok`, `P165 ${first.email} ok`]);
  });

  // Guarantee: four eyes are those of two people, in as many browsers as one of them likes.
  test('P163: two sessions of one person', async () => {
    await aPayingAccount(service);
    const id = await aDraft();
    const again = await signIn(service, first.email);
    assert.equal(again.body.status, 'second_factor');
    const cookie = cookieOf(
      await service.ask('POST', '/panel/api/sign-in/code', {
        body: { code: first.code() },
        headers: { cookie: cookieOf(again) },
      }),
    );
    const other = await personWith(service, first, cookie);
    const answer = await other.ask('POST', `${path}/${id}/approve`, approving(first));
    assert.deepEqual([answer.status, ...faultsOf(answer)], [409, 'signed_by_same_person']);
    assert.equal((await first.ask('POST', `${path}/${id}/cancel`)).body.batch.state, 'canceled');
    await second.ask('POST', path, { body: {} });
  });

  // Guarantee: who signs has to give password and code each time, and an operator without a second factor cannot sign.
  test('P163: without password or code', async () => {
    await waitingPayouts(service, [100n]);
    const list = (await first.ask('GET', path)).body.batches;
    const draft = list.find(({ state }: { state: string }) => state === 'draft');
    assert.equal(draft.first.by, second.email);
    const url = `${path}/${draft.id}/approve`;
    const seen = { payouts: draft.payouts, total: draft.total.toFixed(2) };
    assert.deepEqual(await codesOf(first, url, { ...seen, ...given(first), password: 'wrong' }), [
      'wrong_password password',
    ]);
    assert.deepEqual(await codesOf(first, url, { ...seen, ...given(first), code: '000000' }), ['wrong_code code']);
    assert.deepEqual(await codesOf(first, url, { ...seen, ...given(second) }), ['wrong_code code']);
    const plain = await aPerson(service, 'operator', null);
    const answer = await plain.ask('POST', url, { body: { ...seen, password: aPassword, code: '1' } });
    assert.deepEqual(faultsOf(answer), ['second_factor_missing']);
    assert.deepEqual(await codesOf(first, url, { ...seen, payouts: 9, ...given(first) }), ['batch_changed']);
    const signed = await first.ask('POST', url, { body: { ...seen, ...given(first) } });
    assert.equal(signed.status, 200, signed.text);
  });

  // Guarantee: every body that is not one is refused by the field, and nothing moves.
  for (const [what, body] of Object.entries({
    nothing: {},
    null: { payouts: null, total: null, password: null, code: null },
    'other types': { payouts: '1', total: 1, password: 1, code: 1 },
    'too long': { payouts: 1, total: '1.00', password: 'x'.repeat(257), code: 'x'.repeat(41) },
    'too many': { payouts: 1_000_001, total: '1.00', password: 'x', code: 'x' },
    zero: { payouts: 0, total: '1.00', password: 'x', code: 'x' },
    negative: { payouts: -1, total: '-1.00', password: 'x', code: 'x' },
    'a number of another form': { payouts: 1, total: '1,00', password: 'x', code: 'x' },
  })) {
    test(`P163, P167, P168: 400 for ${what}`, async () => {
      assert.equal((await first.ask('POST', `${path}/${unknown}/approve`, { body })).status, 400);
    });
  }
  test('P167, P168: 400', async () => {
    for (const url of [`${path}/${unknown}/missed`, '/panel/api/operator/paying-accounts']) {
      for (const body of [{}, { password: null }, { password: 1, code: 1 }, []]) {
        assert.equal((await first.ask('POST', url, { body })).status, 400, url);
      }
    }
    for (const body of [{ payingAccountId: 1 }, { payingAccountId: 'x'.repeat(27) }]) {
      assert.equal((await first.ask('POST', path, { body })).status, 400);
    }
    const notFound = await first.ask('POST', path, { body: { payingAccountId: unknown } });
    assert.deepEqual(faultsOf(notFound), ['paying_account_missing payingAccountId']);
    assert.equal((await first.ask('POST', `${path}/${unknown}/make`, { body: { profile: 7 } })).status, 400);
    const malformed = await first.ask('POST', path, { raw: '{', headers: { 'content-type': 'application/json' } });
    assert.equal(malformed.status, 400);
  });

  // Guarantee: an id that is none is not found.
  test('404', async () => {
    const first = await anOperator(service);
    assert.equal((await first.ask('GET', `${path}/${unknown}`)).status, 404);
    for (const [action, body] of [
      ['make', {}],
      ['cancel', undefined],
      ['download', undefined],
      ['approve', { payouts: 1, total: '1.00', ...given(first) }],
      ['missed', given(first)],
    ] as const) {
      assert.equal((await first.ask('POST', `${path}/${unknown}/${action}`, { body })).status, 404, action);
    }
  });

  // Guarantee: after the file is out, two people say that the bank never got it, and without a statement nothing moves.
  test('P166, P167: after the file was handed over', async () => {
    const [second, third] = [await anOperator(service), await anOperator(service)];
    const id = await aDraft();
    const { payouts, total } = (await second.ask('GET', `${path}/${id}`)).body.batch;
    await second.ask('POST', `${path}/${id}/approve`, approving(second, { payouts, total: total.toFixed(2) }));
    await second.ask('POST', `${path}/${id}/make`, { body: {} });
    await second.ask('POST', `${path}/${id}/download`);
    assert.deepEqual(faultsOf(await first.ask('POST', `${path}/${id}/cancel`)), ['batch_at_bank']);
    const said = await third.ask('POST', `${path}/${id}/missed`, { body: given(third) });
    assert.deepEqual([said.body.batch.state, said.body.batch.missed.by], ['handed_over', third.email]);
    assert.deepEqual(await codesOf(third, `${path}/${id}/missed`, given(third)), ['signed_by_same_person']);
    assert.deepEqual(await codesOf(second, `${path}/${id}/missed`, given(second)), ['statement_needed']);
  });

  // Guarantee: nobody but operators sees or moves a batch, and nothing moves without the token of the page.
  test('401 and 403', async () => {
    const merchant = await aMerchant(service);
    const owner = await aPerson(service, 'owner', merchant.id);
    assert.equal((await service.ask('GET', path)).status, 401);
    assert.equal((await owner.ask('GET', path)).status, 403);
    assert.equal((await owner.ask('POST', path, { body: {} })).status, 403);
    const { cookie } = first;
    assert.equal((await service.ask('POST', path, { headers: { cookie }, body: {} })).status, 403);
    await aPayingAccount(service);
  });
});
