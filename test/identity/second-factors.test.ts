// Passkeys as the second factor, and second factors that are set up while somebody signs in.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Authenticator } from '../support/authenticator.ts';
import { untilBlocked } from '../support/database.ts';
import { aPassword, aPerson, aUser, cookieOf, signIn, type TestPerson } from '../support/panel.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('second factors', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ catchMail: true });
    merchant = await aMerchant(service);
  });

  const anAuthenticator = () => new Authenticator(service.world.config.baseUrl);

  async function addPasskey(person: TestPerson, authenticator: Authenticator): Promise<Answer> {
    const asked = await person.ask('POST', '/panel/api/me/passkeys/options', { body: { password: aPassword } });
    const body = { name: 'Key', response: authenticator.register(asked.body.options) };
    return person.ask('POST', '/panel/api/me/passkeys', { body });
  }

  async function withPasskey(): Promise<{ person: TestPerson; authenticator: Authenticator }> {
    const person = await aPerson(service, 'owner', merchant.id);
    const authenticator = anAuthenticator();
    assert.equal((await addPasskey(person, authenticator)).status, 201);
    return { person, authenticator };
  }

  const optionsFor = async (cookie: string) =>
    (await service.ask('POST', '/panel/api/sign-in/passkey/options', { headers: { cookie } })).body.options;
  const answerWith = (cookie: string, response: object) =>
    service.ask('POST', '/panel/api/sign-in/passkey', { body: { response }, headers: { cookie } });

  // Guarantee: a passkey completes the sign-in, and a challenge is answered once, whether the answer was right or not.
  test('P3, P4: a challenge works once', async () => {
    const { person, authenticator } = await withPasskey();
    const first = await signIn(service, person.email);
    assert.deepEqual([first.body.status, first.body.methods], ['second_factor', ['passkey']]);
    const cookie = cookieOf(first);
    const challenge = await optionsFor(cookie);
    const wrong = await answerWith(cookie, { ...authenticator.authenticate(challenge), id: 'other' });
    assert.deepEqual([wrong.status, faultsOf(wrong)], [403, ['wrong_code response']]);
    assert.equal(
      (await answerWith(cookie, authenticator.authenticate(challenge))).status,
      403,
      'the challenge is gone',
    );
    const right = await answerWith(cookie, authenticator.authenticate(await optionsFor(cookie)));
    assert.equal(right.body.status, 'signed_in', right.text);
  });

  test('P4 403: a challenge of another sign-in, and the key of somebody else', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const [cookie, elsewhere] = [
      cookieOf(await signIn(service, one.person.email)),
      cookieOf(await signIn(service, one.person.email)),
    ];
    await optionsFor(cookie);
    assert.equal((await answerWith(cookie, one.authenticator.authenticate(await optionsFor(elsewhere)))).status, 403);
    assert.equal((await answerWith(cookie, other.authenticator.authenticate(await optionsFor(cookie)))).status, 403);
  });

  test('P20 404: the passkey of somebody else', async () => {
    const [{ person: one }, { person: other }] = [await withPasskey(), await withPasskey()];
    const passkeysOf = async (person: TestPerson) =>
      (await person.ask('GET', '/panel/api/session')).body.user.secondFactor.passkeys.map(
        ({ id }: { id: string }) => id,
      );
    const [id] = await passkeysOf(other);
    const answer = await one.ask('POST', `/panel/api/me/passkeys/${id}/remove`, { body: { password: aPassword } });
    assert.equal(answer.status, 404);
    assert.deepEqual(await passkeysOf(other), [id]);
  });

  test('P19: a registration works once, and for one person', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    const authenticator = anAuthenticator();
    const asked = await person.ask('POST', '/panel/api/me/passkeys/options', { body: { password: aPassword } });
    const add = (name: string) =>
      person.ask('POST', '/panel/api/me/passkeys', {
        body: { name, response: authenticator.register(asked.body.options) },
      });
    assert.equal((await add('First')).status, 201);
    const second = await add('Second');
    assert.deepEqual([second.status, faultsOf(second)], [403, ['wrong_code response']]);
    const stranger = await addPasskey(await aPerson(service, 'owner', merchant.id), authenticator);
    assert.deepEqual([stranger.status, faultsOf(stranger)], [409, ['second_factor_exists']]);
  });

  /** Signs in, while somebody else holds the user and changes how they sign in. */
  async function signInWhile(email: string, id: string, change: (client: Service['world']['db']) => Promise<unknown>) {
    const { db, databaseUrl } = service.world;
    let answer: Promise<Answer> | undefined;
    await db.atomic(async (sql) => {
      await sql.run`select from person where id = ${id} for update`;
      answer = signIn(service, email);
      await untilBlocked(databaseUrl);
      await change({ sql } as Service['world']['db']);
    });
    return answer as Promise<Answer>;
  }

  // Guarantee: whoever sets up a second factor is not signed in with the password alone, not even by a sign-in that had
  // begun before.
  test('P1 401: a passkey, an app or another password that came while the password was checked', async () => {
    const { person: model } = await withPasskey();
    for (const [name, change] of [
      [
        'a passkey',
        (id: string) =>
          ({ sql }: Service['world']['db']) =>
            sql.run`insert into passkey (id, user_id, credential_id, public_key, counter, name, created_at, used_at)
                  select ${service.world.ids.ulid()}, ${id}, ${`of ${id}`}, public_key, counter, name, created_at, used_at
                    from passkey where user_id = ${model.id}`,
      ],
      [
        'an app',
        (id: string) =>
          ({ sql }: Service['world']['db']) =>
            sql.run`update person set totp_sealed = 'sealed' where id = ${id}`,
      ],
      [
        'another password',
        (id: string) =>
          ({ sql }: Service['world']['db']) =>
            sql.run`update person set password_hash = (select password_hash from person where id = ${model.id})
                   where id = ${id}`,
      ],
      [
        'a block',
        (id: string) =>
          ({ sql }: Service['world']['db']) =>
            sql.run`update person set blocked_at = modified_at where id = ${id}`,
      ],
    ] as const) {
      const { id, email } = await aUser(service, 'staff', merchant.id);
      const answer = await signInWhile(email, id, change(id));
      assert.deepEqual([answer.status, faultsOf(answer)], [401, ['sign_in_failed']], name);
    }
  });

  // Guarantee: an account always has an owner who can sign in; one who was invited and never set a password cannot.
  test('P23, P25 409: an invited owner is no owner yet', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    const invited = { email: 'invited@example.com', name: 'Invited', role: 'owner', language: 'en' };
    assert.equal((await owner.ask('POST', '/panel/api/users', { body: invited })).status, 201);
    for (const body of [{ role: 'staff' }, { blocked: true }]) {
      const answer = await owner.ask('POST', `/panel/api/users/${owner.id}`, { body });
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['last_owner']]);
    }
    const removed = await owner.ask('DELETE', `/panel/api/users/${owner.id}`);
    assert.deepEqual([removed.status, faultsOf(removed)], [409, ['last_owner']]);
  });
});
