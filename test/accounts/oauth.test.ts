// A1, POST /oauth/auth, and A2, GET /oauth/tokeninfo (docs/decisions/0001).

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { dropOlderSecrets, parseClientId, revokeCredential, rotateSecret } from '../../src/accounts/index.ts';
import {
  type Answer,
  type Asking,
  aCredential,
  aMerchant,
  aService,
  aToken,
  faultsOf,
  type Service,
  type TestMerchant,
} from '../support/service.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

function clientOf(merchant: TestMerchant) {
  const client = parseClientId(merchant.clientId);
  assert.ok(client);
  return client;
}

suite('POST /oauth/auth', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const auth = (asking: Asking) => service.ask('POST', '/oauth/auth', asking);
  const fields = () => ({ client_id: merchant.clientId, client_secret: merchant.clientSecret });
  const basic = (id = merchant.clientId, secret = merchant.clientSecret) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });

  /** Exactly the documented fields, and a token that works. */
  async function gives(answer: Answer, scope = 'read'): Promise<void> {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      issued_at: 1_773_133_200,
      scope,
      token_type: 'Bearer',
      expires_in: 7200,
      client_id: merchant.clientId,
      access_token: answer.body.access_token,
    });
    assert.match(answer.body.access_token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const info = await service.ask('GET', '/oauth/tokeninfo', { token: answer.body.access_token });
    assert.equal(info.body.client_id, merchant.clientId);
  }

  // Guarantee: every format in which clients request a token is accepted.
  test('200: a form', async () => gives(await auth({ raw: new URLSearchParams(fields()).toString(), headers: form })));
  test('200: JSON', async () => gives(await auth({ body: fields() })));
  test('200: JSON with nulls', async () => gives(await auth({ body: { ...fields(), grant_type: null, scope: null } })));
  test('200: HTTP Basic with no body at all', async () => gives(await auth({ headers: basic() })));
  test('200: HTTP Basic with the grant in a form', async () =>
    gives(await auth({ raw: 'grant_type=client_credentials&scope=read', headers: { ...form, ...basic() } })));
  test('200: HTTP Basic with percent-encoded parts', async () =>
    gives(await auth({ headers: basic(merchant.clientId.replace('-', '%2D')) })));
  test('200: multipart', async () => {
    const multipart = new FormData();
    for (const [name, value] of Object.entries(fields())) multipart.set(name, value);
    const encoded = new Response(multipart);
    await gives(
      await auth({
        raw: new Uint8Array(await encoded.arrayBuffer()),
        headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      }),
    );
  });
  test('200: the scope comes back as asked', async () =>
    gives(await auth({ body: { ...fields(), grant_type: 'client_credentials', scope: 'read write' } }), 'read write'));
  test('200: an empty scope is read', async () =>
    gives(await auth({ raw: `${new URLSearchParams(fields())}&scope=`, headers: form })));

  // Guarantee: every token is different.
  test('200: two tokens differ and both work', async () => {
    const tokens = [
      await aToken(service, merchant.clientId, merchant.clientSecret),
      await aToken(service, merchant.clientId, merchant.clientSecret),
    ];
    assert.notEqual(tokens[0], tokens[1]);
    for (const token of tokens) assert.equal((await service.ask('GET', '/oauth/tokeninfo', { token })).status, 200);
  });

  // Guarantee: a token's permissions come from its credential, not from the scope.
  test('200: a token that asked to read may write', async () => {
    const { access_token: token } = (await auth({ body: { ...fields(), scope: 'read' } })).body;
    const created = await service.ask('POST', '/transactions', { token, body: { amount: 1, description: 'x' } });
    assert.equal(created.status, 200);
  });

  test('403: a read-only credential that asked for everything still only reads', async () => {
    const reader = await aCredential(service, merchant, 'read_only');
    const { access_token: token } = (
      await auth({
        body: { client_id: reader.clientId, client_secret: reader.clientSecret, scope: 'read write admin' },
      })
    ).body;
    const created = await service.ask('POST', '/transactions', { token, body: { amount: 1, description: 'x' } });
    assert.equal(created.status, 403);
    assert.deepEqual(faultsOf(created), ['access_denied']);
    assert.equal((await service.ask('GET', '/transactions', { token })).status, 200);
  });

  // Guarantee: missing fields are named.
  for (const [name, asking, ...faults] of [
    ['nothing at all', {}, 'field_required client_id', 'field_required client_secret'],
    ['an empty object', { body: {} }, 'field_required client_id', 'field_required client_secret'],
    ['no secret', { raw: 'client_id=a', headers: form }, 'field_required client_secret'],
    ['no id', { body: { client_secret: 'a' } }, 'field_required client_id'],
    ['another grant', { body: { client_id: 'a', client_secret: 'b', grant_type: 'password' } }, 'not_valid grant_type'],
    ['a number', { body: { client_id: 1, client_secret: 'b' } }, 'not_string client_id'],
    ['NUL', { raw: 'client_id=a%00&client_secret=b', headers: form }, 'not_valid client_id'],
    ['a long secret', { body: { client_id: 'a', client_secret: 'b'.repeat(201) } }, 'too_long client_secret'],
    ['broken JSON', { raw: '{', headers: { 'content-type': 'application/json' } }, 'invalid_request_body'],
    [
      'multipart without boundary',
      { raw: 'x', headers: { 'content-type': 'multipart/form-data' } },
      'invalid_request_body',
    ],
  ] as [string, Asking, ...string[]][]) {
    test(`400: ${name}`, async () => {
      const answer = await auth(asking);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), faults);
    });
  }

  // Guarantee: wrong credentials get the same response, whatever is wrong, with the keys that OAuth clients expect.
  test('401: wrong credentials all look alike', async () => {
    const other = await aMerchant(service);
    const revoked = await aCredential(service, merchant, 'full');
    await revokeCredential(service.world, clientOf(revoked).accountId, clientOf(revoked).credentialId);
    const blocked = await aMerchant(service);
    await service.world.db.sql.run`update account set status = 'blocked' where id = ${blocked.id}`;
    const [account = '', key = ''] = merchant.clientId.split('-');
    const cases = [
      { client_id: merchant.clientId, client_secret: 'wrong' },
      { client_id: merchant.clientId, client_secret: '' },
      { client_id: merchant.clientId, client_secret: other.clientSecret },
      { client_id: other.clientId, client_secret: merchant.clientSecret },
      { client_id: `${other.id}-${key}`, client_secret: merchant.clientSecret },
      { client_id: account, client_secret: merchant.clientSecret },
      { client_id: `${merchant.clientId}-${key}`, client_secret: merchant.clientSecret },
      { client_id: merchant.clientId.toLowerCase(), client_secret: merchant.clientSecret },
      { client_id: '', client_secret: merchant.clientSecret },
      { client_id: revoked.clientId, client_secret: revoked.clientSecret },
      { client_id: blocked.clientId, client_secret: blocked.clientSecret },
    ];
    const texts = new Set<string>();
    for (const body of cases) {
      const answer = await auth({ body });
      assert.equal(answer.status, 401);
      assert.deepEqual(faultsOf(answer), ['invalid_client']);
      assert.equal(answer.body.error, 'invalid_client');
      assert.equal(typeof answer.body.error_description, 'string');
      texts.add(answer.text.replace(answer.body.requestId, ''));
    }
    assert.equal(texts.size, 1);
    assert.equal((await auth({ headers: basic(merchant.clientId, 'wrong') })).status, 401);
  });

  // Guarantee: the body takes precedence; a header cannot supply a different secret.
  test('401: a wrong secret in the body and a right one in Basic', async () => {
    const answer = await auth({ body: { ...fields(), client_secret: 'wrong' }, headers: basic() });
    assert.equal(answer.status, 401);
  });

  test('405 and 415', async () => {
    const wrongMethod = await service.ask('GET', '/oauth/auth');
    assert.equal(wrongMethod.status, 405);
    assert.equal(wrongMethod.headers.get('allow'), 'POST');
    assert.equal((await auth({ raw: 'x', headers: { 'content-type': 'text/plain' } })).status, 415);
  });

  // Guarantee: neither tokens nor secrets can be read from the database.
  test('tokens and secrets are stored hashed', async () => {
    const token = await aToken(service, merchant.clientId, merchant.clientSecret);
    const dump = await service.world.db.sql.many((row) => JSON.stringify(row))`
      select access_token::text, credential_secret::text, account::text
        from access_token, credential_secret, account`;
    assert.ok(dump.length > 0);
    for (const row of dump) {
      assert.ok(!row.includes(token));
      assert.ok(!row.includes(Buffer.from(token).toString('hex')));
      assert.ok(!row.includes(merchant.clientSecret));
    }
  });
});

suite('tokens end', () => {
  let service: Service;

  before(async () => {
    service = await aService();
  });

  const status = async (token: string) => (await service.ask('GET', '/oauth/tokeninfo', { token })).status;

  // Guarantee: a token expires after two hours by the wall clock, to the millisecond, cached or not.
  test('401 after two hours', async () => {
    const merchant = await aMerchant(service);
    service.world.wall.advance({ milliseconds: 7_199_900 });
    assert.equal(await status(merchant.token), 200);
    service.world.wall.advance({ milliseconds: 99 });
    assert.equal(await status(merchant.token), 200);
    service.world.wall.advance({ milliseconds: 1 });
    const answer = await service.ask('GET', '/transactions', { token: merchant.token });
    assert.equal(answer.status, 401);
    assert.deepEqual(faultsOf(answer), ['invalid_token']);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  });

  // Guarantee: the sandbox clock never affects the lifetime of a token (docs/decisions/0017).
  test('the business clock does not end a token', async () => {
    const merchant = await aMerchant(service);
    service.world.clock.advance({ hours: 24 * 365 });
    assert.equal(await status(merchant.token), 200);
  });

  // Guarantee: a revocation takes effect within a second, although tokens are cached.
  test('401 within a second of the revocation of the credential', async () => {
    const merchant = await aMerchant(service);
    const spared = await aCredential(service, merchant, 'full');
    assert.equal(await status(merchant.token), 200);
    const { accountId, credentialId } = clientOf(merchant);
    assert.equal(await revokeCredential(service.world, accountId, credentialId), true);
    service.world.wall.advance({ seconds: 1 });
    assert.equal(await status(merchant.token), 401);
    assert.equal(await status(spared.token), 200);
    assert.equal(await revokeCredential(service.world, accountId, credentialId), false);
  });

  test('401 within a second of the block of the account', async () => {
    const merchant = await aMerchant(service);
    assert.equal(await status(merchant.token), 200);
    await service.world.db.sql.run`update account set status = 'blocked' where id = ${merchant.id}`;
    service.world.wall.advance({ seconds: 1 });
    assert.equal(await status(merchant.token), 401);
  });

  // Guarantee: setting the clock back does not keep a revoked token alive.
  test('401 although the clock was set back', async () => {
    const merchant = await aMerchant(service);
    service.world.wall.advance({ hours: 1 });
    assert.equal(await status(merchant.token), 200);
    const { accountId, credentialId } = clientOf(merchant);
    await revokeCredential(service.world, accountId, credentialId);
    service.world.wall.advance({ minutes: -30 });
    assert.equal(await status(merchant.token), 401);
    service.world.wall.advance({ minutes: 30 });
  });

  // Guarantee: during a rotation two secrets work, never three, and a token ends with the secret that it was issued with,
  // on every node within a second.
  test('rotation', async () => {
    const merchant = await aMerchant(service);
    const { accountId, credentialId } = clientOf(merchant);
    const works = async (secret: string) => {
      const body = { client_id: merchant.clientId, client_secret: secret };
      return (await service.ask('POST', '/oauth/auth', { body })).status === 200;
    };
    const rotate = async () => {
      service.world.wall.advance({ seconds: 1 });
      return (await rotateSecret(service.world, accountId, credentialId)).clientSecret.reveal();
    };
    const first = merchant.clientSecret;
    const tokenOf = (secret: string) => aToken(service, merchant.clientId, secret);
    const second = await rotate();
    const ofSecond = await tokenOf(second);
    assert.deepEqual([await status(merchant.token), await status(ofSecond)], [200, 200]);
    assert.deepEqual([await works(first), await works(second)], [true, true]);
    const third = await rotate();
    assert.deepEqual([await works(first), await works(second), await works(third)], [false, true, true]);
    assert.equal(await dropOlderSecrets(service.world, accountId, credentialId), 1);
    assert.deepEqual([await works(second), await works(third)], [false, true]);
    assert.equal(await dropOlderSecrets(service.world, accountId, credentialId), 0);
    assert.equal(await works(third), true);
    const ofThird = await tokenOf(third);
    service.world.wall.advance({ seconds: 1 });
    assert.deepEqual([await status(merchant.token), await status(ofSecond), await status(ofThird)], [401, 401, 200]);
  });

  // Guarantee: tokens of nodes that did not write down the secret yet work until they expire.
  test('a token without its secret', async () => {
    const merchant = await aMerchant(service);
    await service.world.db.sql.run`
      update access_token set secret_hash = null where credential_id = ${clientOf(merchant).credentialId}`;
    assert.equal(await status(merchant.token), 200);
  });

  // Guarantee: what was revoked stays revoked: it gets no new secret.
  test('403: a revoked credential', async () => {
    const merchant = await aMerchant(service);
    const { accountId, credentialId } = clientOf(merchant);
    assert.equal(await revokeCredential(service.world, accountId, credentialId), true);
    await assert.rejects(rotateSecret(service.world, accountId, credentialId), /access_denied/);
  });

  // Guarantee: rotations at the same instant still end the oldest secret, not the newest.
  test('rotations within one millisecond', async () => {
    const merchant = await aMerchant(service);
    const { accountId, credentialId } = clientOf(merchant);
    const secrets = [merchant.clientSecret];
    for (let turn = 0; turn < 3; turn += 1) {
      secrets.push((await rotateSecret(service.world, accountId, credentialId)).clientSecret.reveal());
    }
    const works: boolean[] = [];
    for (const secret of secrets) {
      const body = { client_id: merchant.clientId, client_secret: secret };
      works.push((await service.ask('POST', '/oauth/auth', { body })).status === 200);
    }
    assert.deepEqual(works, [false, false, true, true]);
  });
});

suite('GET /oauth/tokeninfo', () => {
  // Guarantee: it returns the owner of the token, what it may do (whatever scope was asked for) and its remaining lifetime.
  test('200', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const reader = await aCredential(service, merchant, 'read_only');
    const operator = await aCredential(service, merchant, 'operator');
    service.world.wall.advance({ seconds: 97 });
    for (const [who, access, scope] of [
      [merchant, 'full', 'read write'],
      [reader, 'read_only', 'read'],
      [operator, 'full', 'read write operator'],
    ] as const) {
      const { status, body } = await service.ask('GET', '/oauth/tokeninfo', { token: who.token });
      assert.equal(status, 200);
      assert.deepEqual(body, {
        issued_at: 1_773_133_200,
        scope,
        token_type: 'Bearer',
        expires_in: 7103,
        client_id: who.clientId,
        access,
      });
    }
    assert.equal((await service.ask('GET', '/oauth/tokeninfo')).status, 401);
  });
});
