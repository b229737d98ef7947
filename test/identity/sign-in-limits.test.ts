// Limits of right sign-ins and of sessions, asking for a new password, and the audit list.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import pg from 'pg';
import { readInteger } from '../../src/database/index.ts';
import { createUser } from '../../src/identity/index.ts';
import { type AccountId, Secret } from '../../src/kernel/index.ts';
import { inNewestMail } from '../support/mail.ts';
import { aPassword, aPerson, aUser, cookieOf, personWith, signIn } from '../support/panel.ts';
import { aMerchant, aService, atEnd, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

suite('sign-ins, sessions and links', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ catchMail: true, config: { proxies: { hops: 1 } } });
    merchant = await aMerchant(service);
  });

  const forgot = (email: string) => service.ask('POST', '/panel/api/password/forgot', { body: { email } });

  // Guarantee: nobody fills the log and the sessions, or makes others wait, by signing in again and again.
  test('P1 429: thirty right sign-ins within a quarter of an hour', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const statuses: number[] = [];
    for (let index = 0; index < 32; index += 1) statuses.push((await signIn(service, user.email)).status);
    assert.deepEqual([...new Set(statuses.slice(0, 30))], [200]);
    assert.deepEqual(statuses.slice(30), [429, 429]);
    const other = await aUser(service, 'owner', merchant.id);
    assert.equal((await signIn(service, other.email)).status, 200);
    service.world.wall.advance({ minutes: 16 });
    assert.equal((await signIn(service, user.email)).status, 200);
  });

  // Guarantee: no card number is stored in the audit log, also as somebody's address.
  test('the audit log hides an address that is a card number', async () => {
    const shop = await aMerchant(service);
    const given = { accountId: shop.id as AccountId, role: 'owner', language: 'en', name: 'A' } as const;
    const email = '4111111111111111@example.com';
    const { user } = await createUser(service.rooms.identity.tools, { ...given, email }, new Secret(aPassword));
    const person = await personWith(service, user, cookieOf(await signIn(service, email)));
    const { entries } = (await person.ask('GET', '/panel/api/audit')).body;
    assert.deepEqual(
      entries.map((entry: { email: string }) => entry.email),
      ['(hidden)@example.com'],
    );
    assert.deepEqual(await service.rooms.identity.verify(whole(service.world)), []);
  });

  // Guarantee: the newest fifty sessions of a person are kept, and the one that was just made is among them.
  test('fifty sessions', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const cookies: string[] = [];
    for (let index = 0; index < 53; index += 1) {
      if (index % 25 === 0) service.world.wall.advance({ minutes: 16 });
      service.world.wall.advance({ seconds: 1 });
      cookies.push(cookieOf(await signIn(service, user.email)));
    }
    const count = await service.world.db.sql.one((row) => readInteger(row, 'count'))`
      select count(*)::integer as count from session where user_id = ${user.id}`;
    assert.equal(count, 50);
    const status = async (cookie = '') =>
      (await service.ask('GET', '/panel/api/session', { headers: { cookie } })).status;
    assert.deepEqual(
      [await status(cookies[2]), await status(cookies[3]), await status(cookies.at(-1))],
      [401, 200, 200],
    );
  });

  // Guarantee: whoever knows only the password of a person with a second factor neither ends the sessions of the person nor
  // keeps them from signing in, and is limited where they are.
  test('P1, P2: the password alone takes nothing from the person', async () => {
    const { world } = service;
    const user = await aUser(service, 'owner', merchant.id);
    const person = await personWith(service, user, cookieOf(await signIn(service, user.email)));
    const { secret } = (await person.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
    const code = () =>
      new TOTP({ secret: OtpSecret.fromBase32(secret) }).generate({ timestamp: world.wall.now().epochMilliseconds });
    assert.equal((await person.ask('POST', '/panel/api/me/totp/confirm', { body: { code: code() } })).status, 200);
    const halfFrom = async (address: string) => {
      world.wall.advance({ seconds: 1 });
      const [headers, body] = [{ 'x-forwarded-for': address }, { email: user.email, password: aPassword }];
      return (await service.ask('POST', '/panel/api/sign-in', { body, headers })).status;
    };
    const begun = cookieOf(await signIn(service, user.email));
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      const statuses: number[] = [];
      for (let index = 0; index < 31; index += 1) statuses.push(await halfFrom(address));
      assert.deepEqual([...new Set(statuses.slice(0, 30)), statuses.at(-1)], [200, 429]);
    }
    assert.equal((await person.ask('GET', '/panel/api/session')).status, 200, 'the session is still there');
    const second = (cookie: string) =>
      service.ask('POST', '/panel/api/sign-in/code', { body: { code: code() }, headers: { cookie } });
    assert.equal((await second(begun)).status, 200, 'what was begun before can be completed');
    world.wall.advance({ seconds: 31 });
    assert.equal((await second(cookieOf(await signIn(service, user.email)))).status, 200, 'and begun again');
  });

  // Guarantee: the answer does not depend on whether there is such a user: nobody is looked for before it is sent.
  test('P7: a known address takes as long as an unknown one', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const client = new pg.Client({ connectionString: service.world.databaseUrl });
    await client.connect();
    atEnd(() => client.end());
    await client.query('begin; lock table person, mail_link, mail in access exclusive mode');
    const [known, unknown] = [await forgot(user.email), await forgot('stranger@example.com')];
    assert.deepEqual([known.status, unknown.status], [200, 200]);
    await client.query('rollback');
    await service.rooms.identity.tools.afterwards.drain();
    assert.match(await inNewestMail(service.world, user.email, /\/panel\/password#([\w-]+)/), /^[\w-]{20,}$/);
  });

  test('P8: a weak password is refused, with what to do', async () => {
    const { tools } = service.rooms.identity;
    const given = { accountId: merchant.id, role: 'owner', language: 'en' } as const;
    const { link = '' } = await createUser(
      tools,
      { ...given, email: 'jan.nowak@example.com', name: 'Jan Nowak' },
      undefined,
    );
    const token = link.split('#')[1] ?? '';
    for (const password of ['123456789012', 'qwertyuiop12', 'P@ssw0rd1234', 'JanNowak2026!', 'Grosz-Grosz-2026']) {
      const answer = await service.ask('POST', '/panel/api/password/set', { body: { token, password } });
      assert.deepEqual([answer.status, faultsOf(answer)], [400, ['weak_password password']], password);
    }
    const body = { token, password: 'krzywy parasol nad Wartą' };
    assert.equal((await service.ask('POST', '/panel/api/password/set', { body })).status, 200);
    // Those who had one before keep it.
    const before = await createUser(tools, { ...given, email: 'old@example.com', name: 'Old' }, new Secret(aPassword));
    assert.equal((await signIn(service, before.user.email)).status, 200);
  });

  // Guarantee: a filter that matches nothing reads no more of a long log than one that matches, and going on finds all.
  test('P26: a filter that matches nothing', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    await service.world.db.atomic(async (sql) => {
      await sql.run`set local session_replication_role = replica`;
      await sql.run`
        insert into audit_entry (position, at, email, account_id, action, target, details, address, user_agent, hash)
        select 1000000 + number, ${service.world.wall.now()}, 'a@example.com', ${shop.id},
               case number when 1 then 'rare' else 'often' end, 't', '{}', '', '', sha256('x')
          from generate_series(1, 25000) as number`;
    });
    const page = async (query: string) => (await owner.ask('GET', `/panel/api/audit?${query}`)).body;
    const first = await page('action=rare');
    assert.deepEqual([first.entries, first.nextBefore], [[], 1_015_001]);
    const second = await page(`action=rare&before=${first.nextBefore}`);
    assert.deepEqual([second.entries, second.nextBefore], [[], 1_005_001]);
    const third = await page(`action=rare&before=${second.nextBefore}`);
    assert.deepEqual([third.entries.length, third.nextBefore], [1, null]);
    assert.equal((await page('limit=100')).entries.length, 100);
    const plan = await service.world.db.sql.many((row) => String(row['QUERY PLAN']))`
      explain (analyze, buffers off, timing off, summary off)
      select * from (select * from audit_entry where account_id = ${shop.id} and of_position is null and position < 9000000
                      order by position desc limit 10000) as newest where action = 'none'`;
    assert.match(plan.join('\n'), /rows=10000/);
    assert.doesNotMatch(plan.join('\n'), /rows=25000/);
  });
});
