// GET and PATCH /payout-settings: when and how much an account is paid.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { blockPayouts } from '../../src/payouts/index.ts';
import { damage } from '../support/damage.ts';
import { aPartner } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPayoutAccount, giveAccount, someIbans } from '../support/payouts.ts';
import {
  aCredential,
  aMerchant,
  aService,
  atEnd,
  faultsOf,
  type Service,
  type TestMerchant,
} from '../support/service.ts';

let service: Service;
before(async () => {
  service = await aService();
  for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-19T10:00:00Z');
  atEnd(() => checkInvariants(service.world));
});

type Token = Pick<TestMerchant, 'token'>;
const change = ({ token }: Token, body: unknown, headers: Record<string, string> = {}) =>
  service.ask('PATCH', '/payout-settings', { token, body, headers });

async function shown({ token }: Token, headers: Record<string, string> = {}) {
  const answer = await service.ask('GET', '/payout-settings', { token, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.settings;
}

const usual = {
  schedule: 'daily',
  days: [],
  minimum: 0,
  keepBack: 0,
  delayDays: 1,
  blocked: false,
  bankAccount: null,
};

suite('/payout-settings', () => {
  // Guarantee: what is given changes and the rest stays, whoever changed it before.
  test('each by itself, and all together', async () => {
    const merchant = await aMerchant(service);
    assert.deepEqual(await shown(merchant), usual);
    const first = await change(merchant, { minimum: 49.99 });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.body.settings, { ...usual, minimum: 49.99 });
    await change(merchant, { schedule: 'weekdays', days: [4, 1] });
    await change(merchant, { keepBack: 10 });
    const chosen = { ...usual, schedule: 'weekdays', days: [1, 4], minimum: 49.99, keepBack: 10 };
    assert.deepEqual(await shown(merchant), chosen);
    await change(merchant, { schedule: 'month_days', days: [31, 15] });
    assert.deepEqual(await shown(merchant), { ...chosen, schedule: 'month_days', days: [15, 31] });
    await change(merchant, { schedule: 'manual', minimum: 0 });
    assert.deepEqual(await shown(merchant), { ...chosen, schedule: 'manual', days: [], minimum: 0 });
    assert.equal((await change(merchant, {})).status, 200);
    await change(merchant, { schedule: 'daily', days: [], keepBack: 0 });
    assert.deepEqual(await shown(merchant), usual);
  });

  // Guarantee: of a number only its ending is shown, with what keeps it from being paid.
  test('the bank account', async () => {
    const merchant = await aMerchant(service);
    const account = async () => (await shown(merchant)).bankAccount;
    await giveAccount(service, merchant);
    const given = { ending: '2874', holder: 'Sklep Jana sp. z o.o.', status: 'not_verified', holdUntil: null };
    assert.deepEqual(await account(), given);
    await aPayoutAccount(service, merchant, someIbans[1]);
    const held = { ...given, ending: '5387', status: 'on_hold', holdUntil: '2026-11-22 11:00:00' };
    assert.deepEqual(await account(), held);
    service.world.clock.set('2026-11-22T10:00:00Z');
    assert.deepEqual(await account(), { ...held, status: 'verified', holdUntil: null });
    service.world.clock.set('2026-11-19T10:00:00Z');
    await blockPayouts(service.world, merchant.id, 'operator@grosz.example');
    assert.equal((await shown(merchant)).blocked, true);
    // Choosing something releases nobody.
    assert.equal((await change(merchant, { minimum: 1 })).body.settings.blocked, true);
  });

  // Guarantee: bad input of every kind is refused with its code, and changes nothing.
  test('400', async () => {
    const merchant = await aMerchant(service);
    for (const [body, fault] of [
      [{ schedule: null }, 'not_valid schedule'],
      [{ schedule: 'weekly' }, 'not_valid schedule'],
      [{ schedule: 1 }, 'not_valid schedule'],
      [{ schedule: 'weekdays' }, 'field_required days'],
      [{ schedule: 'month_days' }, 'field_required days'],
      [{ schedule: 'weekdays', days: [] }, 'too_few days'],
      [{ schedule: 'weekdays', days: [6] }, 'too_high days'],
      [{ schedule: 'weekdays', days: [0] }, 'too_low days.0'],
      [{ schedule: 'weekdays', days: [-1] }, 'too_low days.0'],
      [{ schedule: 'month_days', days: [32] }, 'too_high days.0'],
      [{ schedule: 'month_days', days: [1.5] }, 'not_integer days.0'],
      [{ schedule: 'month_days', days: ['1'] }, 'not_integer days.0'],
      [{ schedule: 'month_days', days: [null] }, 'not_integer days.0'],
      [{ schedule: 'month_days', days: Array.from({ length: 32 }, (_, index) => index + 1) }, 'too_many days'],
      [{ schedule: 'daily', days: [1] }, 'too_many days'],
      [{ schedule: 'manual', days: [1] }, 'too_many days'],
      [{ days: [1] }, 'field_required schedule'],
      [{ days: null }, 'not_array days'],
      [{ days: 1 }, 'not_array days'],
      [{ minimum: -0.01 }, 'too_low minimum'],
      [{ minimum: 0.001 }, 'incorrect_precision minimum'],
      [{ minimum: 1e11 }, 'too_high minimum'],
      [{ minimum: '1' }, 'not_number minimum'],
      [{ minimum: null }, 'not_number minimum'],
      [{ keepBack: -1 }, 'too_low keepBack'],
      [{ keepBack: {} }, 'not_number keepBack'],
      [{ delayDays: 0 }, 'unexpected_field delayDays'],
      [{ blocked: false }, 'unexpected_field blocked'],
      [{ bankAccount: { ending: '1' } }, 'unexpected_field bankAccount'],
      [[], 'not_object'],
      [null, 'not_object'],
    ] as const) {
      const answer = await change(merchant, body);
      const faults = faultsOf(answer);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(faults.includes(fault), `${JSON.stringify(body)}: ${faults}`);
    }
    const twice = await change(merchant, { schedule: 'weekdays', days: [1, 1] });
    assert.equal(twice.status, 400);
    const headers = { 'content-type': 'application/json' };
    const malformed = await service.ask('PATCH', '/payout-settings', { token: merchant.token, raw: '{', headers });
    assert.equal(malformed.status, 400);
    assert.deepEqual(await shown(merchant), usual);
  });

  // Guarantee: nobody changes those of another account, or with a credential that only reads; a partner does for its seller.
  test('401, 403, 404, and of a seller', async () => {
    const [merchant, other] = [await aMerchant(service), await aMerchant(service)];
    const reader = await aCredential(service, merchant, 'read_only');
    assert.equal((await service.ask('GET', '/payout-settings')).status, 401);
    assert.equal((await service.ask('PATCH', '/payout-settings', { body: {} })).status, 401);
    assert.equal((await service.ask('POST', '/payout-settings', { token: merchant.token, body: {} })).status, 405);
    assert.equal((await change(reader, { minimum: 1 })).status, 403);
    assert.deepEqual(await shown(reader), usual);
    assert.equal((await change(merchant, { minimum: 1 }, { 'x-merchant-id': other.id })).status, 404);
    const partner = await aPartner(service, [{}]);
    const asSeller = { 'x-merchant-id': partner.sellers[0]?.id ?? '' };
    assert.equal((await change(partner, { minimum: 5 }, asSeller)).status, 200);
    assert.deepEqual([(await shown(partner, asSeller)).minimum, (await shown(partner)).minimum], [5, 0]);
  });

  // Guarantee: settings that somebody wrote into the database are not signed by changing them.
  test('rows that somebody else wrote', async () => {
    const own = await aService();
    const merchant = await aMerchant(own);
    const { token } = merchant;
    await own.ask('PATCH', '/payout-settings', { token, body: { minimum: 1 } });
    await damage(own.world, `update payout_terms set delay_days = 0 where account_id = '${merchant.id}'`);
    const answer = await own.ask('PATCH', '/payout-settings', { token, body: { minimum: 2 } });
    assert.deepEqual([answer.status, faultsOf(answer)], [400, ['terms_altered']]);
  });

  // Guarantee: what a person changes is in the audit log, with their name; who may only look changes nothing.
  test('in the panel', async () => {
    const merchant = await aMerchant(service);
    const owner = await aPerson(service, 'owner', merchant.id);
    const path = '/panel/api/merchant/payout-settings';
    const answer = await owner.ask('PATCH', path, { body: { minimum: 7 } });
    assert.equal(answer.status, 200, answer.text);
    const { entries } = (await owner.ask('GET', '/panel/api/audit')).body;
    const entry = entries.find(({ action }: { action: string }) => action === 'B8');
    assert.equal(entry?.email, owner.email, JSON.stringify(entries).slice(0, 500));
  });
});
