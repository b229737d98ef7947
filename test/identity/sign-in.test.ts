// Signing in to the panel: passwords, guesses, sessions, and what another site can do with a session (nothing).

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Sql } from '../../src/database/index.ts';
import { untilBlocked } from '../support/database.ts';
import { aPassword, aPerson, aUser, cookieOf, personWith, signIn } from '../support/panel.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('signing in', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  test('P1 200: a cookie that no script reads and no other site sends', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const answer = await signIn(service, user.email.toUpperCase());
    assert.deepEqual([answer.status, answer.body.status, answer.body.methods], [200, 'signed_in', []]);
    const [session = '', device = '', ...others] = answer.headers.getSetCookie();
    assert.match(session, /^grosz_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.match(device, /^grosz_device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/);
    assert.deepEqual(others, []);
    const { body } = await service.ask('GET', '/panel/api/session', { headers: { cookie: cookieOf(answer) } });
    assert.deepEqual(
      [body.user.email, body.user.role, body.account.id, body.viewing, body.readOnly],
      [user.email, 'owner', merchant.id, false, false],
    );
  });

  // Guarantee: nobody learns who has an account.
  test('P1 401: a wrong password and an unknown address look the same', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    const wrong = await signIn(service, user.email, 'wrong');
    const unknown = await signIn(service, 'nobody@example.com', 'wrong');
    assert.deepEqual([wrong.status, faultsOf(wrong)], [401, ['sign_in_failed']]);
    assert.deepEqual(
      [unknown.status, unknown.body.errors, unknown.headers.get('set-cookie')],
      [wrong.status, wrong.body.errors, null],
    );
  });

  // Guarantee: guesses from many addresses, also at once, are limited; the right password does not help then.
  test('P1 429: after ten wrong guesses, for a quarter of an hour', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    const answers = await Promise.all(Array.from({ length: 14 }, () => signIn(service, user.email, 'wrong')));
    assert.equal(answers.filter(({ status }) => status === 401).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 4);
    assert.equal((await signIn(service, user.email)).status, 429);
    service.world.wall.advance({ minutes: 16 });
    assert.equal((await signIn(service, user.email)).status, 200);
  });

  // Guarantee: a guess waits for one that is being counted, so that none slips through between counting and writing.
  test('P1 429: the tenth guess is being counted while another comes', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    for (let number = 1; number < 10; number += 1) await signIn(service, user.email, 'wrong');
    const { db, databaseUrl } = service.world;
    const late = await db.atomic(async (sql) => {
      await countGuessOf(sql, user.email);
      const answer = signIn(service, user.email);
      await untilBlocked(databaseUrl);
      return { answer };
    });
    assert.equal((await late.answer).status, 429);
  });

  test('401: no cookie, an unknown one, two of them, a bearer token', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    const headers: Record<string, string>[] = [
      {},
      { cookie: 'grosz_session=nonsense' },
      { cookie: `${person.cookie}; grosz_session=other` },
      { cookie: 'grosz_session=' },
      { authorization: `Bearer ${merchant.token}` },
    ];
    for (const given of headers) {
      const answer = await service.ask('GET', '/panel/api/session', { headers: given });
      assert.equal(answer.status, 401, JSON.stringify(given));
    }
  });

  // Guarantee: the API does not take cookies, so no page can use them there.
  test('401: the cookie is of no use at the API itself', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    assert.equal((await service.ask('GET', '/transactions', { headers: { cookie: person.cookie } })).status, 401);
  });

  // Guarantee: another site cannot make a signed-in browser change anything.
  test('403: without the CSRF token, with that of another session, from another site', async () => {
    const [person, other] = [
      await aPerson(service, 'owner', merchant.id),
      await aPerson(service, 'owner', merchant.id),
    ];
    const tries: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrfToken },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ];
    for (const headers of tries) {
      const answer = await person.ask('POST', '/panel/api/me', { body: { name: 'Mallory' }, headers });
      assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']], JSON.stringify(headers));
    }
    // Whatever changes something, not only POST.
    for (const headers of tries) {
      const answer = await person.ask('DELETE', `/panel/api/users/${other.id}`, { headers });
      assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']], JSON.stringify(headers));
    }
    assert.equal((await other.ask('GET', '/panel/api/session')).status, 200);
    const foreign = { email: person.email, password: aPassword };
    const login = await service.ask('POST', '/panel/api/sign-in', {
      body: foreign,
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(login.status, 403);
    assert.notEqual((await person.ask('GET', '/panel/api/session')).body.user.name, 'Mallory');
    const { cookie } = person;
    assert.equal((await service.ask('HEAD', '/panel/api/session', { headers: { cookie } })).status, 200);
  });

  // Guarantee: a token that was planted in the browser is not the one that is signed in.
  test('a sign-in makes a new session, whatever cookie there was', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const planted = 'grosz_session=planted-by-somebody-else';
    const answer = await service.ask('POST', '/panel/api/sign-in', {
      body: { email: user.email, password: aPassword },
      headers: { cookie: planted },
    });
    assert.notEqual(cookieOf(answer), planted);
    assert.equal((await service.ask('GET', '/panel/api/session', { headers: { cookie: planted } })).status, 401);
  });

  test('a session ends after two hours without a request, and after twelve in any case', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    service.world.wall.advance({ minutes: 119 });
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 200);
    service.world.wall.advance({ minutes: 121 });
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 401);
    const busy = await aPerson(service, 'owner', merchant.id);
    for (let hour = 0; hour < 11; hour += 1) {
      service.world.wall.advance({ hours: 1 });
      assert.equal((await busy.ask('GET', '/panel/api/session')).status, 200);
    }
    service.world.wall.advance({ hours: 1 });
    assert.equal((await busy.ask('GET', '/panel/api/session')).status, 401);
  });

  test('P5, P12 to P14: sessions are listed and ended', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    service.world.wall.advance({ seconds: 1 });
    const again = await personWith(service, person, cookieOf(await signIn(service, person.email)));
    const { sessions } = (await person.ask('GET', '/panel/api/me/sessions')).body;
    assert.deepEqual(
      sessions.map(({ current }: { current: boolean }) => current),
      [false, true],
    );
    const stranger = await aPerson(service, 'owner', merchant.id);
    const foreign = await stranger.ask('DELETE', `/panel/api/me/sessions/${sessions[0].id}`);
    assert.equal(foreign.status, 404);
    assert.equal((await person.ask('DELETE', `/panel/api/me/sessions/${sessions[0].id}`)).status, 200);
    assert.equal((await again.ask('GET', '/panel/api/session')).status, 401);
    const third = await personWith(service, person, cookieOf(await signIn(service, person.email)));
    assert.equal((await person.ask('POST', '/panel/api/me/sessions/end-others')).status, 200);
    assert.equal((await third.ask('GET', '/panel/api/session')).status, 401);
    const out = await person.ask('POST', '/panel/api/sign-out');
    assert.match(out.headers.get('set-cookie') ?? '', /^grosz_session=; .*Max-Age=0$/);
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 401);
  });
});

/** What the service does for a guess before it looks at the password. */
async function countGuessOf(sql: Sql, email: string): Promise<void> {
  const subject = `user ${email}`;
  await sql.run`select pg_advisory_xact_lock(hashtextextended(${subject}, 7261508116))`;
  await sql.run`
    insert into sign_in_guess select '7' || substring(id from 2), subject, guessed_at from sign_in_guess
     where subject = ${subject} limit 1`;
}
