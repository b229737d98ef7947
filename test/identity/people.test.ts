// Second factors, links in mails, managing users, and the audit log.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { recordAction } from '../../src/identity/index.ts';
import { inWords } from '../support/findings.ts';
import { inNewestMail } from '../support/mail.ts';
import { aPassword, aPerson, aUser, cookieOf, personWith, signIn, type TestPerson } from '../support/panel.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

const codeAt = (secret: string, epochMilliseconds: number) =>
  new TOTP({ secret: OtpSecret.fromBase32(secret) }).generate({ timestamp: epochMilliseconds });

suite('people', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ catchMail: true });
    merchant = await aMerchant(service);
  });

  const now = () => service.world.wall.now().epochMilliseconds;

  /** The token in the newest mail to this address. */
  async function tokenFor(email: string): Promise<string> {
    await service.rooms.identity.tools.afterwards.drain();
    return inNewestMail(service.world, email, /\/panel\/password#([\w-]+)/);
  }

  async function withTotp(): Promise<{ person: TestPerson; secret: string; recoveryCodes: string[] }> {
    const person = await aPerson(service, 'owner', merchant.id);
    const { secret } = (await person.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
    const confirmed = await person.ask('POST', '/panel/api/me/totp/confirm', { body: { code: codeAt(secret, now()) } });
    return { person, secret, recoveryCodes: confirmed.body.recoveryCodes };
  }

  function second(cookie: string, code: string): Promise<Answer> {
    return service.ask('POST', '/panel/api/sign-in/code', { body: { code }, headers: { cookie } });
  }

  // Guarantee: with a second factor the password alone opens nothing, and a code works once.
  test('P2: a code of the app completes the sign-in, once', async () => {
    const { person, secret } = await withTotp();
    const first = await signIn(service, person.email);
    assert.deepEqual([first.body.status, first.body.methods], ['second_factor', ['totp', 'recovery']]);
    const pending = cookieOf(first);
    assert.equal((await service.ask('GET', '/panel/api/session', { headers: { cookie: pending } })).status, 401);
    const used = await second(pending, codeAt(secret, now()));
    assert.deepEqual([used.status, faultsOf(used)], [403, ['wrong_code code']]);
    service.world.wall.advance({ seconds: 31 });
    const right = await second(pending, codeAt(secret, now()));
    assert.equal(right.body.status, 'signed_in');
    assert.notEqual(cookieOf(right), pending);
    assert.equal((await second(pending, codeAt(secret, now()))).status, 401);
    assert.equal(
      (await (await personWith(service, person, cookieOf(right))).ask('GET', '/panel/api/session')).status,
      200,
    );
  });

  test('P2: a recovery code works once; the wait for the second step ends after ten minutes', async () => {
    const { person, recoveryCodes } = await withTotp();
    assert.equal(new Set(recoveryCodes).size, 10);
    const [code = ''] = recoveryCodes;
    assert.match(code, /^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/);
    assert.equal((await second(cookieOf(await signIn(service, person.email)), code.toUpperCase())).status, 200);
    assert.equal((await second(cookieOf(await signIn(service, person.email)), code)).status, 403);
    const late = cookieOf(await signIn(service, person.email));
    service.world.wall.advance({ minutes: 11 });
    assert.equal((await second(late, recoveryCodes[1] ?? '')).status, 401);
  });

  test('P2 429: codes cannot be guessed', async () => {
    const { person, secret } = await withTotp();
    const cookie = cookieOf(await signIn(service, person.email));
    const answers = [];
    for (let index = 0; index < 11; index += 1) answers.push((await second(cookie, '000000')).status);
    assert.deepEqual(answers, [...Array.from({ length: 10 }, () => 403), 429]);
    service.world.wall.advance({ seconds: 31 });
    assert.equal((await second(cookie, codeAt(secret, now()))).status, 429);
    service.world.wall.advance({ minutes: 16 });
  });

  test('P15 to P17: setting up needs the password, removing too', async () => {
    const { person } = await withTotp();
    const wrong = await person.ask('POST', '/panel/api/me/totp/remove', { body: { password: 'wrong' } });
    assert.deepEqual([wrong.status, faultsOf(wrong)], [403, ['wrong_password password']]);
    const again = await person.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } });
    assert.deepEqual([again.status, faultsOf(again)], [409, ['second_factor_exists']]);
    assert.equal(
      (await person.ask('POST', '/panel/api/me/totp/remove', { body: { password: aPassword } })).status,
      200,
    );
    assert.equal((await signIn(service, person.email)).body.status, 'signed_in');
  });

  test('P18, P19, P3, P4: made-up passkeys are refused', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    const body = { name: 'Laptop', response: { id: 'x', rawId: 'x', type: 'public-key', response: {} } };
    assert.equal((await person.ask('POST', '/panel/api/me/passkeys', { body })).status, 403);
    const { options } = (await person.ask('POST', '/panel/api/me/passkeys/options', { body: { password: aPassword } }))
      .body;
    assert.equal(options.user.name, person.email);
    assert.equal((await person.ask('POST', '/panel/api/me/passkeys', { body })).status, 403);
    const cookie = cookieOf(await signIn(service, (await withTotp()).person.email));
    const asked = await service.ask('POST', '/panel/api/sign-in/passkey/options', { headers: { cookie } });
    assert.equal(asked.status, 403);
    const tried = await service.ask('POST', '/panel/api/sign-in/passkey', {
      body: { response: body.response },
      headers: { cookie },
    });
    assert.equal(tried.status, 403);
  });

  // Guarantee: nobody learns from it who has an account, a link works once, and whoever had the old password is out.
  test('P7 to P9: a new password by mail', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const unknown = await service.ask('POST', '/panel/api/password/forgot', { body: { email: 'nobody@example.com' } });
    const known = await service.ask('POST', '/panel/api/password/forgot', { body: { email: person.email } });
    assert.deepEqual([unknown.status, known.status], [200, 200]);
    const token = await tokenFor(person.email);
    const look = await service.ask('POST', '/panel/api/password/token', { body: { token } });
    assert.deepEqual([look.body.email, look.body.purpose], [person.email, 'reset']);
    const weak = await service.ask('POST', '/panel/api/password/set', { body: { token, password: 'password1234' } });
    assert.deepEqual(faultsOf(weak), ['weak_password password']);
    const password = 'another long passphrase';
    assert.equal((await service.ask('POST', '/panel/api/password/set', { body: { token, password } })).status, 200);
    assert.equal((await service.ask('POST', '/panel/api/password/set', { body: { token, password } })).status, 404);
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 401);
    assert.equal((await signIn(service, person.email)).status, 401);
    assert.equal((await signIn(service, person.email, password)).status, 200);
    // Mails of the same moment have no order.
    service.world.clock.advance({ seconds: 1 });
    await service.ask('POST', '/panel/api/password/forgot', { body: { email: person.email } });
    const late = await tokenFor(person.email);
    assert.equal((await service.ask('POST', '/panel/api/password/token', { body: { token: late } })).status, 200);
    service.world.wall.advance({ minutes: 61 });
    assert.equal((await service.ask('POST', '/panel/api/password/token', { body: { token: late } })).status, 404);
  });

  // Guarantee: a stranger who asks for a link does not end the one that the person is about to open; using one ends all.
  test('P7, P9: an earlier link works until one of them is used', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const tokens: string[] = [];
    for (let asked = 0; asked < 3; asked += 1) {
      service.world.clock.advance({ seconds: 1 });
      await service.ask('POST', '/panel/api/password/forgot', { body: { email: person.email } });
      tokens.push(await tokenFor(person.email));
    }
    assert.equal(new Set(tokens).size, 3);
    const [first, ...others] = tokens;
    const body = { token: first, password: 'another long passphrase' };
    assert.equal((await service.ask('POST', '/panel/api/password/set', { body })).status, 200);
    for (const token of others) {
      assert.equal((await service.ask('POST', '/panel/api/password/token', { body: { token } })).status, 404);
    }
  });

  test('P10: a new password ends the other sessions', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const other = await personWith(service, person, cookieOf(await signIn(service, person.email)));
    const body = { current: aPassword, password: 'another long passphrase' };
    assert.equal(
      (await person.ask('POST', '/panel/api/me/password', { body: { ...body, current: 'no' } })).status,
      403,
    );
    assert.equal((await person.ask('POST', '/panel/api/me/password', { body })).status, 200);
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 200);
    assert.equal((await other.ask('GET', '/panel/api/session')).status, 401);
  });

  test('P21 to P25: users are invited, changed and removed', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    const invited = await owner.ask('POST', '/panel/api/users', {
      body: { email: 'Ola@Example.com', name: '<b>Ola</b>', role: 'staff' },
    });
    assert.deepEqual(
      [invited.status, invited.body.user.status, invited.body.user.email],
      [201, 'invited', 'ola@example.com'],
    );
    const mail = await inNewestMail(service.world, 'ola@example.com', /([\s\S]*)/);
    assert.match(mail, /Account: Shop\nRole: staff\nUser: ola@example.com/);
    const taken = await owner.ask('POST', '/panel/api/users', {
      body: { email: 'ola@example.com', name: 'Ola', role: 'staff' },
    });
    assert.deepEqual([taken.status, faultsOf(taken)], [409, ['user_exists email']]);
    const operator = await owner.ask('POST', '/panel/api/users', {
      body: { email: 'x@example.com', name: 'X', role: 'operator' },
    });
    assert.deepEqual([operator.status, faultsOf(operator)], [400, ['not_valid role']]);
    const made = await owner.ask('POST', `/panel/api/users/${invited.body.user.id}`, { body: { role: 'operator' } });
    assert.deepEqual([made.status, faultsOf(made)], [400, ['not_valid role']]);
    const token = await tokenFor('ola@example.com');
    assert.equal(
      (await service.ask('POST', '/panel/api/password/set', { body: { token, password: aPassword } })).status,
      200,
    );
    const { id } = invited.body.user;
    const stranger = await aPerson(service, 'owner', merchant.id);
    assert.equal((await stranger.ask('POST', `/panel/api/users/${id}`, { body: { role: 'owner' } })).status, 404);
    assert.equal((await stranger.ask('DELETE', `/panel/api/users/${id}`)).status, 404);
    const changed = await owner.ask('POST', `/panel/api/users/${id}`, { body: { role: 'read_only' } });
    assert.equal(changed.body.user.role, 'read_only');
    assert.equal((await owner.ask('GET', '/panel/api/users')).body.users.length, 2);
    assert.equal((await owner.ask('DELETE', `/panel/api/users/${id}`)).status, 200);
    assert.equal((await signIn(service, 'ola@example.com')).status, 401);
  });

  // Guarantee: an account is never left without an owner, also not by two who remove each other at once.
  test('P23, P25 409: the last owner stays', async () => {
    const shop = await aMerchant(service);
    const [one, two] = [await aPerson(service, 'owner', shop.id), await aPerson(service, 'owner', shop.id)];
    const answers = await Promise.all([
      one.ask('DELETE', `/panel/api/users/${two.id}`),
      two.ask('POST', `/panel/api/users/${one.id}`, { body: { role: 'staff' } }),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const left = (await service.ask('GET', '/panel/api/session', { headers: { cookie: one.cookie } })).body;
    const last = left?.user?.role === 'owner' ? one : two;
    for (const body of [{ role: 'read_only' }, { blocked: true }]) {
      const answer = await last.ask('POST', `/panel/api/users/${last.id}`, { body });
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['last_owner']]);
    }
    assert.equal((await last.ask('DELETE', `/panel/api/users/${last.id}`)).status, 409);
  });

  // Guarantee: a block ends sessions and links for good, and a blocked person gets no new link.
  test('P23: what a block ends does not come back', async () => {
    const shop = await aMerchant(service);
    const [owner, person] = [await aPerson(service, 'owner', shop.id), await aPerson(service, 'staff', shop.id)];
    const path = `/panel/api/users/${person.id}`;
    await owner.ask('POST', path, { body: { blocked: true } });
    const mails = () => service.world.db.sql.many((row) => String(row.id))`
      select id from mail where recipient = ${person.email}`;
    await service.ask('POST', '/panel/api/password/forgot', { body: { email: person.email } });
    await service.rooms.identity.tools.afterwards.drain();
    assert.deepEqual(await mails(), []);
    await owner.ask('POST', path, { body: { blocked: false } });
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 401);
    const invited = { email: 'ewa@example.com', name: 'Ewa', role: 'staff' };
    const { id } = (await owner.ask('POST', '/panel/api/users', { body: invited })).body.user;
    await owner.ask('POST', `/panel/api/users/${id}`, { body: { blocked: true } });
    const again = await owner.ask('POST', `/panel/api/users/${id}/invitation`);
    assert.deepEqual(faultsOf(again), ['user_exists']);
  });

  // Guarantee: what was done is told as done. If its outcome cannot be written, the entry says that it was begun.
  test('an outcome that cannot be written fails no action', async () => {
    const owner = await aPerson(service, 'owner', (await aMerchant(service)).id);
    const { sql } = service.world.db;
    await sql.run`alter table audit_entry add constraint only_begun check (of_position is null) not valid`;
    const changed = await owner.ask('POST', '/panel/api/me', { body: { name: 'Anna Maj' } });
    const refused = await owner.ask('POST', '/panel/api/me/password', { body: { current: 'no', password: aPassword } });
    await sql.run`alter table audit_entry drop constraint only_begun`;
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual([refused.status, faultsOf(refused)], [403, ['wrong_password current']]);
    const { entries } = (await owner.ask('GET', '/panel/api/audit')).body;
    assert.deepEqual(
      entries.map(({ action, outcome }: Record<string, string>) => [action, outcome]),
      [
        ['P10', null],
        ['P11', null],
        ['sign_in', 'ok'],
      ],
    );
  });

  // Guarantee: every page of the log is checked, not only its first thousand entries.
  test('P26: an entry on the second page of the chain', async () => {
    const { tools, verify } = service.rooms.identity;
    const client = { address: '', userAgent: '', cookie: '', origin: undefined };
    const actor = { userId: null, email: 'anna@example.com', accountId: merchant.id, client };
    await Promise.all(
      Array.from({ length: 501 }, () => recordAction(tools, { actor, action: 'test', target: 'pages' }, 'ok')),
    );
    assert.deepEqual(await verify(whole(service.world)), []);
    const change = (target: string) =>
      service.world.db.atomic(async (sql) => {
        await sql.run`set local session_replication_role = replica`;
        await sql.run`update audit_entry set target = ${target} where position = 1001`;
      });
    await change('another');
    assert.deepEqual(inWords(await verify(whole(service.world))), [
      'Audit log: entry 1001 was changed after it was written.',
    ]);
    await change('pages');
    assert.deepEqual(await verify(whole(service.world)), []);
  });

  // Guarantee: what people did is in the log with who, when, from where and how it ended, without their secrets, and a
  // change of the log is found.
  test('P26: the audit log, and its chain', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    await owner.ask('POST', '/panel/api/me/password', { body: { current: 'no', password: 'another long passphrase' } });
    await owner.ask('POST', '/panel/api/merchant/transactions/01JZ8D3K7R4M5N6P7Q8R9S0T1V/refunds', { body: {} });
    const { entries } = (await owner.ask('GET', '/panel/api/audit')).body;
    assert.deepEqual(
      entries.map(({ action, outcome, email }: Record<string, string>) => `${action} ${outcome} ${email}`),
      [`E4 not_found ${owner.email}`, `P10 wrong_password ${owner.email}`, `sign_in ok ${owner.email}`],
    );
    assert.deepEqual(entries[1].details, { current: '(hidden)', password: '(hidden)' });
    assert.match(entries[1].address, /^127\.0\.0\.1$/);
    const page = (await owner.ask('GET', `/panel/api/audit?limit=1&before=${entries[0].position}`)).body;
    assert.deepEqual([page.entries[0].action, page.nextBefore], ['P10', entries[1].position]);
    const about = (await owner.ask('GET', '/panel/api/audit?subjectId=01JZ8D3K7R4M5N6P7Q8R9S0T1V')).body;
    assert.deepEqual([about.entries, about.nextBefore], [entries.slice(0, 1), null]);
    const stranger = await aPerson(service, 'owner', merchant.id);
    const theirs = (await stranger.ask('GET', '/panel/api/audit?limit=100')).body.entries;
    assert.ok(theirs.every(({ email }: { email: string }) => email !== owner.email));

    assert.deepEqual(await service.rooms.identity.verify(whole(service.world)), []);
    const { sql } = service.world.db;
    await sql.run`alter table audit_entry disable trigger all`;
    await sql.run`update audit_entry set email = 'mallory@example.com' where position = ${BigInt(entries[1].position)}`;
    assert.deepEqual(inWords(await service.rooms.identity.verify(whole(service.world))), [
      `Audit log: entry ${entries[1].position} was changed after it was written.`,
    ]);
    await sql.run`update audit_entry set email = ${owner.email} where position = ${BigInt(entries[1].position)}`;
    assert.deepEqual(await service.rooms.identity.verify(whole(service.world)), []);
    // The database keeps microseconds, and all of them are hashed.
    await sql.run`update audit_entry set at = at + interval '1 microsecond' where position = ${BigInt(entries[1].position)}`;
    assert.deepEqual(inWords(await service.rooms.identity.verify(whole(service.world))), [
      `Audit log: entry ${entries[1].position} was changed after it was written.`,
    ]);
    await sql.run`delete from audit_entry where position = ${BigInt(entries[1].position)} or of_position = ${BigInt(entries[1].position)}`;
    assert.deepEqual(inWords(await service.rooms.identity.verify(whole(service.world))), [
      `Audit log: entry ${entries[1].position} is missing.`,
    ]);
  });

  // Guarantee: whatever changes something leaves an entry, by whichever method, and its outcome; what only reads does not.
  test('P26: which actions leave an entry', async () => {
    const shop = await aMerchant(service);
    const [owner, other] = [await aPerson(service, 'owner', shop.id), await aUser(service, 'staff', shop.id)];
    const view = { screen: 'transactions', name: 'Paid', query: 'status=paid' };
    const { viewId } = (await owner.ask('POST', '/panel/api/views', { body: view })).body.view;
    await owner.ask('GET', '/panel/api/users');
    await owner.ask('HEAD', '/panel/api/users');
    await owner.ask('DELETE', `/panel/api/views/${viewId}`);
    await owner.ask('DELETE', `/panel/api/users/${other.id}`);
    await owner.ask('DELETE', `/panel/api/users/${other.id}`);
    const { entries } = (await owner.ask('GET', `/panel/api/audit?userId=${owner.id}`)).body;
    assert.deepEqual(
      entries.map(({ target, outcome }: Record<string, string>) => `${target} ${outcome}`).toReversed(),
      [
        'session ok',
        'POST /panel/api/views ok',
        `DELETE /panel/api/views/${viewId} ok`,
        `DELETE /panel/api/users/${other.id} ok`,
        `DELETE /panel/api/users/${other.id} not_found`,
      ],
    );
  });

  test('P26: no card number in the audit log, however it was sent', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    const body = { amount: 1, description: 'x', payer: { email: 'a@example.com', name: 'A' } };
    const path = '/panel/api/merchant/transactions';
    const pay = { channelId: 53, cardPaymentData: { number: 4111111111111111 } };
    await owner.ask('POST', path, { body: { ...body, pay } });
    await owner.ask('POST', path, { body: { ...body, hiddenDescription: '4111\u00a01111\u00a01111\u00a01111' } });
    await owner.ask('POST', `${path}/4111-1111-1111-1111/refunds`, { body: {} });
    const { text, body: log } = await owner.ask('GET', '/panel/api/audit');
    assert.equal(log.entries.length, 4);
    assert.doesNotMatch(text, /4111/);
  });

  test('a refused sign-in is in the log of the account', async () => {
    const shop = await aMerchant(service);
    const user = await aUser(service, 'owner', shop.id);
    await signIn(service, user.email, 'wrong');
    const owner = await personWith(service, user, cookieOf(await signIn(service, user.email)));
    const { entries } = (await owner.ask('GET', '/panel/api/audit')).body;
    assert.deepEqual(
      entries.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`),
      ['sign_in ok', 'sign_in sign_in_failed'],
    );
  });
});
