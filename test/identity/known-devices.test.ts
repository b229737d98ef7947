// Whoever knows only the address, or only the password, of a person keeps nobody out, and guesses no code.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { inNewestMail } from '../support/mail.ts';
import { aPassword, aUser, personWith } from '../support/panel.ts';
import { type Answer, aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

/** A browser at an address: it keeps its cookies. */
function aBrowser(service: Service, address: string) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'x-forwarded-for': address, cookie: cookie() };
    const answer = await service.ask(method, path, { headers, ...(body ? { body } : {}) });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=', 2);
      jar.set(name, value);
    }
    return answer;
  }
  return {
    jar,
    cookie,
    ask,
    password: async (email: string, password = aPassword) =>
      (await ask('POST', '/panel/api/sign-in', { email, password })).status,
    code: async (code: string) => (await ask('POST', '/panel/api/sign-in/code', { code })).status,
  };
}

type Browser = ReturnType<typeof aBrowser>;

suite('known devices', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ catchMail: true, config: { proxies: { hops: 1 } } });
    merchant = await aMerchant(service);
  });

  let homes = 0;

  interface Anna {
    readonly email: string;
    readonly home: string;
    readonly browser: Browser;
    readonly recoveryCodes: readonly string[];
    code(): string;
    wrongCode(): string;
  }

  /** A person with an authenticator app, and the browser in which they signed in. */
  async function anna(): Promise<Anna> {
    const user = await aUser(service, 'owner', merchant.id);
    homes += 1;
    const home = `198.51.100.${homes}`;
    const browser = aBrowser(service, home);
    assert.equal(await browser.password(user.email), 200);
    const person = await personWith(service, user, browser.cookie());
    const { secret } = (await person.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
    const totp = new TOTP({ secret: OtpSecret.fromBase32(secret) });
    const at = (minutes: number) =>
      totp.generate({ timestamp: service.world.wall.now().add({ minutes }).epochMilliseconds });
    const code = () => at(0);
    const confirmed = await person.ask('POST', '/panel/api/me/totp/confirm', { body: { code: code() } });
    assert.equal(confirmed.status, 200, confirmed.text);
    service.world.wall.advance({ minutes: 2 });
    const { recoveryCodes } = confirmed.body;
    return { email: user.email, home, browser, recoveryCodes, code, wrongCode: () => at(60) };
  }

  /** A stranger who knows the password, at an address of their own. */
  async function stranger(email: string, index: number): Promise<Browser> {
    const browser = aBrowser(service, `203.0.113.${index}`);
    assert.equal(await browser.password(email), 200);
    return browser;
  }

  // Guarantee: with the password alone at most ten codes are tried within a quarter of an hour and thirty within a day,
  // from however many addresses.
  test('wrong codes are few, from wherever', async () => {
    const { email, wrongCode, code } = await anna();
    let tried = 0;
    for (let round = 0; round < 5; round += 1) {
      const statuses = [];
      for (let index = 1; index <= 4; index += 1) {
        const browser = await stranger(email, index);
        for (let guess = 0; guess < 4; guess += 1) statuses.push(await browser.code(wrongCode()));
      }
      const ofRound = statuses.filter((status) => status === 403).length;
      assert.ok(ofRound <= 10, `${ofRound} in a quarter of an hour`);
      assert.equal(statuses.filter((status) => status === 429).length, statuses.length - ofRound);
      tried += ofRound;
      service.world.wall.advance({ minutes: 16 });
    }
    assert.equal(tried, 30);
    const late = await stranger(email, 9);
    const refused = await late.ask('POST', '/panel/api/sign-in/code', { code: code() });
    assert.equal(refused.status, 429, 'also a right one');
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 3_600 * 22 && retryAfter <= 86_400, `${retryAfter}`);
    service.world.wall.advance({ hours: 24 });
    assert.equal(await (await stranger(email, 9)).code(code()), 200);
  });

  // Guarantee: the person signs in as always where they have signed in before, whatever strangers with the password do.
  test('wrong codes of strangers do not keep the person out', async () => {
    const { email, browser, wrongCode, code } = await anna();
    const other = await stranger(email, 20);
    for (let guess = 0; guess < 11; guess += 1) await other.code(wrongCode());
    assert.equal(await other.code(code()), 429);
    assert.equal(await browser.password(email), 200);
    assert.equal(await browser.code(code()), 200);
  });

  // Guarantee: nor do wrong passwords of somebody who knows only the address, not even at the same place.
  test('wrong passwords of strangers do not keep the person out', async () => {
    const { email, home, browser, code } = await anna();
    const neighbor = aBrowser(service, home);
    for (let guess = 0; guess < 11; guess += 1) await neighbor.password(email, 'wrong');
    assert.equal(await neighbor.password(email), 429);
    for (let index = 0; index < 6; index += 1) {
      for (let guess = 0; guess < 10; guess += 1) await neighbor.password(`nobody${index}@example.com`, 'wrong');
    }
    assert.equal(await neighbor.password('nobody@example.com', 'wrong'), 429, 'the address is used up');
    assert.equal(await browser.password(email), 200);
    assert.equal(await browser.code(code()), 200);
    const session = await browser.ask('GET', '/panel/api/session');
    const confirmed = await service.ask('POST', '/panel/api/me/totp/remove', {
      headers: { cookie: browser.cookie(), 'x-csrf-token': session.body.csrfToken, 'x-forwarded-for': home },
      body: { password: aPassword },
    });
    assert.equal(confirmed.status, 200, confirmed.text);
  });

  // Guarantee: what the person has begun can be completed, however many others begin.
  test('half sign-ins of strangers push out nobody', async () => {
    const { email, code } = await anna();
    const begun = aBrowser(service, '192.0.2.7');
    assert.equal(await begun.password(email), 200);
    // Of many strangers at once: each takes fifty milliseconds to try the password.
    service.world.wall.advance({ seconds: 1 });
    await service.world.db.sql.run`
      insert into session (id, user_id, token_hash, complete, address, user_agent, created_at, seen_at, expires_at)
      select translate(upper(lpad(to_hex(number), 26, '0')), 'ILOU', 'WXYZ'), user_id, sha256(number::text::bytea), false,
             '203.0.113.9', '', ${service.world.wall.now()}, ${service.world.wall.now()}, expires_at
        from session, generate_series(1, 500) as number
       where not complete and user_id = (select id from person where email = ${email})`;
    assert.equal(await aBrowser(service, '203.0.113.100').password(email), 200);
    assert.equal(await begun.code(code()), 200);
  });

  // Guarantee: on a new device, while strangers guess, a recovery code works, and a link in a mail makes the device known.
  test('on a new device: a recovery code, or a new password by mail', async () => {
    const { email, wrongCode, code, recoveryCodes } = await anna();
    const other = await stranger(email, 30);
    for (let guess = 0; guess < 11; guess += 1) await other.code(wrongCode());
    const fresh = aBrowser(service, '192.0.2.8');
    assert.equal(await fresh.password(email), 200);
    assert.equal(await fresh.code(code()), 429);
    assert.equal(await fresh.code(recoveryCodes[0] ?? ''), 200);

    for (let guess = 0; guess < 11; guess += 1) await other.password(email, 'wrong');
    const another = aBrowser(service, '192.0.2.9');
    assert.equal(await another.password(email), 429);
    assert.equal((await another.ask('POST', '/panel/api/password/forgot', { email })).status, 200);
    await service.rooms.identity.tools.afterwards.drain();
    const token = await inNewestMail(service.world, email, /\/panel\/password#([\w-]+)/);
    const password = 'krzywy parasol nad Wartą';
    assert.equal((await another.ask('POST', '/panel/api/password/set', { token, password })).status, 200);
    assert.equal(await another.password(email, password), 200);
    assert.equal(await another.code(code()), 200);
  });

  // Guarantee: being known gives a device some guesses of its own, nothing else; it cannot be made up, or taken to others.
  test('a known device guesses no more than others, and only for its own person', async () => {
    const { email, browser, wrongCode } = await anna();
    assert.equal(await browser.password(email), 200);
    const statuses = [];
    for (let guess = 0; guess < 12; guess += 1) statuses.push(await browser.code(wrongCode()));
    assert.deepEqual([...new Set(statuses.slice(0, 10)), ...new Set(statuses.slice(10))], [403, 429]);

    const victim = await anna();
    const [name = '', device = ''] = [...browser.jar].find(([key]) => key.includes('device')) ?? [];
    assert.match(device, /^[\w.~-]+$/);
    const attacker = await stranger(victim.email, 40);
    for (let guess = 0; guess < 11; guess += 1) await attacker.code(victim.wrongCode());
    const [, own = ''] = [...victim.browser.jar].find(([key]) => key.includes('device')) ?? [];
    const madeUp = own.replace(/^[^.]+/, 'A'.repeat(22));
    for (const value of [device, madeUp, own.slice(0, -2), '', '~~~~', 'x'.repeat(3_000)]) {
      attacker.jar.set(name, value);
      assert.equal(await attacker.code(victim.code()), 429, value.slice(0, 60));
    }
    attacker.jar.set(name, `${device}~${own}`);
    assert.equal(await attacker.code(victim.code()), 200, 'one cookie for everybody who signs in with this browser');
  });

  test('a device is known for half a year after the last time', async () => {
    const { email, browser, code } = await anna();
    const first = [...browser.jar].find(([key]) => key.includes('device'))?.[1];
    service.world.wall.advance({ hours: 24 * 100 });
    assert.equal(await browser.password(email), 200);
    assert.equal(await browser.code(code()), 200);
    const renewed = [...browser.jar].find(([key]) => key.includes('device'))?.[1];
    assert.notEqual(renewed, first);
    service.world.wall.advance({ hours: 24 * 181 });
    const other = await stranger(email, 50);
    for (let guess = 0; guess < 11; guess += 1) await other.code('000000');
    assert.equal(await browser.password(email), 200);
    assert.equal(await browser.code(code()), 429);
  });
});
