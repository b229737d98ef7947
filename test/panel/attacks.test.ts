// What was once possible, and must not come back.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPartner } from '../support/marketplace.ts';
import { aPassword, aPerson, aUser, cookieOf, signIn } from '../support/panel.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

suite('attacks on the panel', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ catchMail: true, config: { proxies: { hops: 1 } } });
    merchant = await aMerchant(service);
  });

  // Guarantee: nobody can make the chain of the audit log look broken.
  test('half a character, and a null, do not break the chain', async () => {
    const person = await aPerson(service, 'read_only', merchant.id);
    const path = '/panel/api/me/sessions/';
    const target = `DELETE ${path}`;
    await person.ask('DELETE', path + encodeURIComponent(`${'a'.repeat(299 - path.length)}😀b`));
    await person.ask('DELETE', path + encodeURIComponent(`${'a'.repeat(299 - target.length)}😀b`));
    await person.ask('POST', '/panel/api/me', {
      body: { name: 'a\u0000b' },
      headers: { 'user-agent': `${'a'.repeat(299)}ÿ` },
    });
    assert.deepEqual(await service.rooms.identity.verify(whole(service.world)), []);
  });

  // Guarantee: no token, card number or pay link is stored in a log.
  test('secrets in the logs', async () => {
    const secrets = ['card_0123456789abcdef', '5555555555554444', '4111.1111.1111.1111', '907907907'];
    const person = await aPerson(service, 'owner', merchant.id);
    const body = {
      description: 'x 4111.1111.1111.1111',
      paymentInstrument: { channelId: 53, value: 'card_0123456789abcdef' },
      card: { cvv2: '907907907' },
    };
    for (const ask of [
      () => service.ask('POST', '/recurring', { token: merchant.token, body }),
      () => person.ask('POST', '/panel/api/merchant/recurring', { body }),
      () => service.ask('GET', '/transactions/5555555555554444', { token: merchant.token }),
      () =>
        service.ask('POST', '/transactions', {
          token: merchant.token,
          raw: '{"card":"4111.1111.1111.1111", 907907907',
          headers: { 'content-type': 'application/json' },
        }),
    ])
      await ask();
    const made = await service.ask('POST', '/transactions', {
      token: merchant.token,
      body: { amount: 1, description: 'x', payer: { email: 'a@example.com', name: 'A' } },
    });
    const link = String(made.body.transactionPaymentUrl).split('/').at(-1) ?? '';
    await service.rooms.panel.requests.flush();
    const rows = await service.world.db.sql.many((row) => JSON.stringify(row))`
      select path, body, response from request_log union all select target, details, '' from audit_entry`;
    for (const secret of [...secrets, link]) {
      assert.deepEqual(
        rows.filter((row) => row.includes(secret)),
        [],
        secret,
      );
    }
  });

  // Guarantee: people who click do not keep payers waiting: they hold one connection together.
  test('many changes in the panel at once, and a payment beside them', async () => {
    const person = await aPerson(service, 'read_only', merchant.id);
    const holder = service.world.db.atomic(async (sql) => {
      await sql.run`select pg_advisory_xact_lock(7261508115)`;
      const changes = Array.from({ length: 40 }, () => person.ask('POST', '/panel/api/me', { body: { name: 'Busy' } }));
      const body = { amount: 1, description: 'x', payer: { email: 'a@example.com', name: 'A' } };
      const created = await service.ask('POST', '/transactions', { token: merchant.token, body });
      return { created: created.status, changes };
    });
    const { created, changes } = await holder;
    assert.equal(created, 200);
    assert.ok((await Promise.all(changes)).every(({ status }) => status === 200));
    assert.deepEqual(await service.rooms.identity.verify(whole(service.world)), []);
  });

  // Guarantee: after a change of the password, nobody who knew the old one is signed in.
  test('sign-ins that overlap a new password', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const racing = Array.from({ length: 6 }, () => signIn(service, person.email));
    const body = { current: aPassword, password: 'another long passphrase' };
    const changed = await person.ask('POST', '/panel/api/me/password', { body });
    const answers = await Promise.all(racing);
    assert.equal(changed.status, 200);
    for (const answer of answers.filter(({ status }) => status === 200)) {
      const session = await service.ask('GET', '/panel/api/session', { headers: { cookie: cookieOf(answer) } });
      assert.equal(session.status, 401);
    }
  });

  // Guarantee: what somebody does is in the log of their own account, wherever they look.
  test('looking at another account does not hide what one does', async () => {
    const partner = await aPartner(service);
    const person = await aPerson(service, 'read_only', partner.id);
    await person.as(partner.sellers[0]?.id ?? '').ask('POST', '/panel/api/me', { body: { name: 'Seen' } });
    const owner = await aPerson(service, 'owner', partner.id);
    const actions = (await owner.ask('GET', '/panel/api/audit')).body.entries.map(
      ({ action }: { action: string }) => action,
    );
    assert.ok(actions.includes('P11'), actions.join());
    const seller = await aPerson(service, 'owner', partner.sellers[0]?.id ?? '');
    const theirs = (await seller.ask('GET', '/panel/api/audit')).body.entries;
    assert.ok(theirs.every(({ email }: { email: string }) => email !== person.email));
  });

  // Guarantee: a whole network of one customer counts as one address.
  test('guesses from one IPv6 network', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 55; index += 1) {
      const headers = { 'x-forwarded-for': `2001:db8:1:2::${index.toString(16)}` };
      const body = { email: `nobody${index}@example.com`, password: 'wrong' };
      statuses.push((await service.ask('POST', '/panel/api/sign-in', { body, headers })).status);
    }
    assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [50, 429]);
    service.world.wall.advance({ minutes: 16 });
  });

  // Guarantee: nobody can fill an inbox.
  test('invitations again and again', async () => {
    const owner = await aPerson(service, 'owner', merchant.id);
    const body = { email: 'victim@example.com', name: 'Victim', role: 'staff' };
    const { id } = (await owner.ask('POST', '/panel/api/users', { body })).body.user;
    const statuses = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push((await owner.ask('POST', `/panel/api/users/${id}/invitation`)).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429]);
  });

  // Guarantee: somebody outside who guesses cannot keep a person from changing their password.
  test('a person who is signed in is not locked out of their own password', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    for (let index = 0; index < 10; index += 1) await signIn(service, person.email, 'wrong');
    const body = { current: aPassword, password: 'another long passphrase' };
    assert.equal((await person.ask('POST', '/panel/api/me/password', { body })).status, 200);
  });

  test('a user who was blocked while signing in is not signed in', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    const owner = await aPerson(service, 'owner', merchant.id);
    const [, answer] = await Promise.all([
      owner.ask('POST', `/panel/api/users/${user.id}`, { body: { blocked: true } }),
      signIn(service, user.email),
    ]);
    const session = await service.ask('GET', '/panel/api/session', { headers: { cookie: cookieOf(answer) } });
    assert.equal(session.status, 401);
  });
});
