// P175: the bank account to which an account is paid, given by a person.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { readText } from '../../src/database/index.ts';
import { verifyPayoutAccount } from '../../src/payouts/index.ts';
import { anOperator } from '../support/batches.ts';
import { mailsTo } from '../support/mail.ts';
import { aPassword, aPerson, type TestPerson } from '../support/panel.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPayout, someIbans } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aService, atEnd, faultsOf, type Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await aService({ catchMail: true });
  for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-19T10:00:00Z');
  atEnd(() => checkInvariants(service.world));
});

/** A person with an authenticator app; each code is a recovery code. */
async function withCodes(person: TestPerson): Promise<TestPerson & { readonly code: () => string }> {
  const { secret } = (await person.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
  const totp = new TOTP({ secret: OtpSecret.fromBase32(secret) });
  const code = totp.generate({ timestamp: service.world.wall.now().epochMilliseconds });
  const codes: string[] = (await person.ask('POST', '/panel/api/me/totp/confirm', { body: { code } })).body
    .recoveryCodes;
  return { ...person, code: () => codes.pop() ?? '' };
}

const path = '/panel/api/bank-account';
const given = (code: string, iban: string = someIbans[0], more: object = {}) => ({
  body: { iban, holder: 'Sklep Jana sp. z o.o.', password: aPassword, code, ...more },
});

async function settingsOf(person: TestPerson) {
  return (await person.ask('GET', '/panel/api/merchant/payout-settings')).body.settings.bankAccount;
}

suite('POST /panel/api/bank-account', () => {
  // Guarantee: an owner with password and second factor gives the number, which waits for an operator; a change is on hold for
  // 72 hours, cancels what nobody has signed, and is told by mail to the account and to both persons.
  test('given, verified and changed', async () => {
    const merchant = await aMerchant(service, { email: 'shop-of-jan@example.com' });
    const owner = await withCodes(await aPerson(service, 'owner', merchant.id));
    const second = await withCodes(await aPerson(service, 'owner', merchant.id));
    const first = await owner.ask('POST', path, given(owner.code(), '61 1090 1014 0000 0712 1981 2874'));
    assert.equal(first.status, 200, first.text);
    assert.equal(first.body.ending, '2874');
    assert.equal((await settingsOf(owner)).status, 'not_verified');
    await verifyPayoutAccount(service.world, { accountId: merchant.id, by: 'operator@grosz.example' });
    await fund(service, merchant, 5_000n);
    const { id } = await aPayout(service, merchant, 5_000n);
    assert.deepEqual(faultsOf(await owner.ask('POST', path, given(owner.code()))), ['bank_account_unchanged']);
    const changed = await second.ask('POST', path, given(second.code(), someIbans[1]));
    assert.equal(changed.status, 200, changed.text);
    const { ending, status, holdUntil } = await settingsOf(owner);
    assert.deepEqual([ending, status, holdUntil], ['5387', 'not_verified', '2026-11-22 11:00:00']);
    const { payout } = (await owner.ask('GET', `/panel/api/merchant/payouts/${id}`)).body;
    assert.deepEqual([payout.status, payout.reason.code], ['canceled', 'account_replaced']);
    for (const address of ['shop-of-jan@example.com', owner.email, second.email]) {
      const mails = (await mailsTo(service.world, address)).filter(({ text }) => text.includes('5387'));
      assert.equal(mails.length, 1, address);
    }
  });

  // Guarantee: whoever has a session only, or a number that is not valid, changes nothing; the number is in no log.
  test('refused', async () => {
    const merchant = await aMerchant(service);
    const plain = await aPerson(service, 'owner', merchant.id);
    assert.deepEqual(faultsOf(await plain.ask('POST', path, given('123456'))), ['second_factor_missing']);
    const owner = await withCodes(plain);
    const wrong = { password: 'not the password' };
    assert.deepEqual(faultsOf(await owner.ask('POST', path, given(owner.code(), someIbans[0], wrong))), [
      'wrong_password password',
    ]);
    assert.deepEqual(faultsOf(await owner.ask('POST', path, given('000000'))), ['wrong_code code']);
    for (const [body, fault] of [
      [{ iban: '61109010140000071219812875' }, 'not_valid iban'],
      [{ iban: '' }, 'too_short iban'],
      [{ iban: null }, 'not_string iban'],
      [{ iban: 1 }, 'not_string iban'],
      [{ iban: '1'.repeat(61) }, 'too_long iban'],
      [{ holder: '' }, 'too_short holder'],
      [{ holder: '   ' }, 'not_valid holder'],
      [{ holder: 'a\nb' }, 'not_valid holder'],
      [{ holder: 'a'.repeat(71) }, 'too_long holder'],
      [{ password: '' }, 'too_short password'],
      [{ code: '' }, 'too_short code'],
    ] as const) {
      const answer = await owner.ask('POST', path, given('x', someIbans[0], body));
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(faultsOf(answer).includes(fault), `${JSON.stringify(body)}: ${faultsOf(answer)}`);
    }
    assert.equal(await settingsOf(owner), null);
    await owner.ask('POST', path, given(owner.code(), 'NL91ABNA0417164300'));
    await service.rooms.panel.requests.flush();
    const log = await service.world.db.sql.many((row) => readText(row, 'text'))`
      select audit_entry::text as text from audit_entry`;
    assert.ok(log.some((entry) => entry.includes('P175')));
    assert.doesNotMatch(log.join(), /0417164300|1090101400000712/);
  });

  // Guarantee: staff, operators and people of other accounts do not say where money goes.
  test('who may not', async () => {
    const merchant = await aMerchant(service);
    for (const role of ['staff', 'read_only'] as const) {
      const person = await withCodes(await aPerson(service, role, merchant.id));
      assert.equal((await person.ask('POST', path, given(person.code()))).status, 403, role);
    }
    const operator = await anOperator(service);
    const headers = { 'x-view-as': merchant.id };
    const answer = await operator.ask('POST', path, { ...given(operator.code()), headers });
    assert.equal(answer.status, 403, answer.text);
    const stranger = await withCodes(await aPerson(service, 'owner', (await aMerchant(service)).id));
    assert.ok((await stranger.ask('POST', path, { ...given(stranger.code()), headers })).status >= 403);
    const owner = await aPerson(service, 'owner', merchant.id);
    assert.equal(await settingsOf(owner), null);
  });
});
