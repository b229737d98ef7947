// The merchant's verifier against notifications that were really sent.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import {
  type BySecret,
  cachePem,
  NotificationFault,
  type NotificationReceived,
  type VerifyOptions,
  verifyNotification,
} from '../../sdk/verify.ts';
import { insertEvents, makeRsaKeys, openSigning } from '../../src/notifications/index.ts';
import { aReceiver, type Received } from '../support/receiver.ts';
import { aWorld } from '../support/service.ts';
import { anAccount, anEvent, aPayload, aStage, aTransactionPayload, type Stage, type TestAccount } from './support.ts';

suite('verifyNotification', () => {
  let stage: Stage;
  let account: TestAccount;
  let received: Received;
  let good: NotificationReceived & Required<BySecret>;
  const now = new Date('2026-03-10T09:00:00Z');
  const otherSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;

  before(async () => {
    stage = await aStage();
    account = await anAccount(stage.world);
    const receiver = await aReceiver();
    const payload = aTransactionPayload(account);
    const event = { ...anEvent(stage.world, account.id, receiver.url, payload), type: 'transaction' as const };
    await insertEvents(stage.world.db.sql, stage.world.vault, [event]);
    await stage.sender().drain();
    received = receiver.received[0] ?? assert.fail('Nothing came.');
    good = {
      headers: received.headers,
      body: received.body,
      webhookSecret: account.webhookSecret.reveal(),
      securityCode: account.securityCode.reveal(),
      merchantId: account.id,
      merchantNumber: account.merchantNumber,
      jws: {
        baseUrl: stage.world.config.baseUrl,
        rootPem: stage.signing.rootPem,
        fetchPem: async () => stage.signing.notificationsPem,
      },
      now,
    };
  });

  test('accepts a genuine one, by both signatures, and reads it', async () => {
    const { id, merchantId, notification } = await verifyNotification(good);
    assert.equal(id, received.headers['webhook-id']);
    assert.equal(merchantId, account.id);
    assert.ok(notification.kind === 'transaction' && notification.fields.id === String(account.merchantNumber));
    assert.ok(notification.kind === 'transaction');
    assert.equal(notification.fields.tr_desc, 'Zażółć & gęślą');
    assert.equal(notification.fields.tr_status, 'TRUE');
  });

  test('accepts bytes, fetch headers, a changed secret, one signature alone, a fetched root', async () => {
    const { webhookSecret: _secret, ...byJws } = good;
    const { jws: _jws, merchantId: _merchantId, ...bySecret } = good;
    const headers = new Headers(Object.entries(received.headers).map(([name, value]) => [name, String(value)]));
    // The form names the account by its number alone.
    assert.equal((await verifyNotification(bySecret)).merchantId, undefined);
    assert.equal((await verifyNotification({ ...bySecret, merchantId: account.id })).merchantId, account.id);
    await verifyNotification({ ...bySecret, merchantNumber: String(account.merchantNumber) });
    await verifyNotification({ ...good, body: Buffer.from(received.body), headers });
    await verifyNotification({ ...bySecret, webhookSecret: [otherSecret, account.webhookSecret.reveal()] });
    const asked: string[] = [];
    const fetchPem = cachePem(
      async (url) => {
        asked.push(url);
        return url.endsWith('/root.pem') ? stage.signing.rootPem : stage.signing.notificationsPem;
      },
      300,
      () => now,
    );
    const { baseUrl } = stage.world.config;
    await verifyNotification({ ...byJws, jws: { baseUrl: `${baseUrl}/`, fetchPem } });
    await verifyNotification({ ...byJws, jws: { baseUrl, fetchPem } });
    assert.deepEqual(asked, [`${baseUrl}/x509/notifications-jws.pem`, `${baseUrl}/x509/root.pem`]);
  });

  const refused = (options: VerifyOptions, code: string) =>
    assert.rejects(verifyNotification(options), (error) => error instanceof NotificationFault && error.code === code);
  const withHeader = (name: string, value: string | undefined) => ({
    ...good,
    headers: { ...received.headers, [name]: value },
  });
  const withoutSecret = () => {
    const { webhookSecret: _, ...rest } = good;
    return rest;
  };
  const late = (change: object) => ({ ...good, ...change, now: new Date('2026-03-17T09:00:00Z') });
  const anyTime = () => ({ ...withoutSecret(), toleranceSeconds: Number.POSITIVE_INFINITY });
  /** What an untyped program may pass. */
  const untyped = (change: object) => ({ ...good, ...change }) as VerifyOptions;
  const stranger = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';

  // Guarantee: a notification that was changed, replayed late or signed by others is never accepted.
  const cases: [name: string, options: () => VerifyOptions, code: string][] = [
    ['nothing to verify with', () => untyped({ jws: undefined, webhookSecret: undefined }), 'nothing_to_verify_with'],
    ['an empty secret', () => ({ ...good, webhookSecret: '' }), 'nothing_to_verify_with'],
    ['a secret without bytes', () => ({ ...good, webhookSecret: ['whsec_'] }), 'nothing_to_verify_with'],
    // `${process.env.WEBHOOK_SECRET}` of a setting that was forgotten: six bytes that everybody knows.
    ['a secret that is too short', () => ({ ...good, webhookSecret: 'undefined' }), 'nothing_to_verify_with'],
    ['no secret at all', () => ({ ...good, webhookSecret: [] }), 'nothing_to_verify_with'],
    [
      'a JWS without the account',
      () => untyped({ webhookSecret: undefined, merchantId: undefined }),
      'account_not_given',
    ],
    ['a JWS with an empty account', () => ({ ...withoutSecret(), merchantId: '' }), 'account_not_given'],
    ['another account', () => ({ ...good, merchantId: stranger }), 'wrong_account'],
    ['another merchant number', () => ({ ...good, merchantNumber: 1 }), 'wrong_account'],
    ['another account, by JWS', () => ({ ...withoutSecret(), merchantId: stranger }), 'wrong_account'],
    ['no id', () => withHeader('webhook-id', undefined), 'header_missing'],
    ['no webhook signature', () => withHeader('webhook-signature', undefined), 'header_missing'],
    ['no JWS', () => withHeader('x-jws-signature', undefined), 'header_missing'],
    ['another id', () => withHeader('webhook-id', stranger), 'webhook_signature_wrong'],
    [
      'another id, by JWS',
      () => ({ ...withoutSecret(), headers: withHeader('webhook-id', stranger).headers }),
      'webhook_id_wrong',
    ],
    ['another body', () => ({ ...good, body: `${good.body}&x=1` }), 'webhook_signature_wrong'],
    ['another body, by JWS', () => ({ ...withoutSecret(), body: `${good.body}&x=1` }), 'jws_signature_wrong'],
    ['another secret', () => ({ ...good, webhookSecret: otherSecret }), 'webhook_signature_wrong'],
    ['too old', () => ({ ...good, now: new Date('2026-03-10T09:05:01Z') }), 'timestamp_out_of_range'],
    ['from the future', () => ({ ...good, now: new Date('2026-03-10T08:54:59Z') }), 'timestamp_out_of_range'],
    [
      'too old, by JWS',
      () => ({ ...withoutSecret(), now: new Date('2026-03-10T09:05:01Z') }),
      'timestamp_out_of_range',
    ],
    [
      'no time, by JWS',
      () => ({ ...withoutSecret(), headers: withHeader('webhook-timestamp', undefined).headers }),
      'header_missing',
    ],
    ['no time', () => withHeader('webhook-timestamp', 'now'), 'timestamp_out_of_range'],
    ['another time', () => withHeader('webhook-timestamp', '1773133201'), 'webhook_signature_wrong'],
    // An old notification, replayed with the current time.
    [
      'another time, by JWS',
      () => ({ ...withoutSecret(), headers: withHeader('webhook-timestamp', '1773133201').headers }),
      'webhook_timestamp_wrong',
    ],
    [
      'too old, where the tolerance is no number',
      () => late({ toleranceSeconds: Number.NaN }),
      'timestamp_out_of_range',
    ],
    ['at a time that is none', () => ({ ...good, now: new Date(Number.NaN) }), 'timestamp_out_of_range'],
    ['only an unknown version', () => withHeader('webhook-signature', 'v2,AAAA'), 'webhook_signature_wrong'],
    ['a wrong security code', () => ({ ...good, securityCode: 'other' }), 'md5sum_wrong'],
    ['a JWS with its payload', () => withHeader('x-jws-signature', 'a.b.c'), 'jws_malformed'],
    ['a JWS that is none', () => withHeader('x-jws-signature', 'x'), 'jws_malformed'],
    [
      'another base address',
      () => ({ ...good, jws: { ...good.jws, baseUrl: 'https://pay.example.com' } }),
      'x5u_foreign',
    ],
    [
      'no certificates there',
      () => ({ ...good, jws: { ...good.jws, baseUrl: stage.world.config.baseUrl, fetchPem: async () => '' } }),
      'certificate_chain_broken',
    ],
    [
      'only the root there',
      () => ({
        ...good,
        jws: { baseUrl: stage.world.config.baseUrl, fetchPem: async () => stage.signing.rootPem },
      }),
      'certificate_chain_broken',
    ],
    ['after the certificate', () => ({ ...anyTime(), now: new Date('2028-03-11') }), 'certificate_out_of_date'],
    ['before the certificate', () => ({ ...anyTime(), now: new Date('2026-03-09') }), 'certificate_out_of_date'],
  ];
  for (const [name, options, code] of cases) test(`refuses: ${name}`, () => refused(options(), code));

  // Guarantee: code that trusts the service's key for every account does not type-check.
  test('the options must name the account or its secret', async () => {
    const { headers, body, jws } = good;
    // @ts-expect-error merchantId or webhookSecret is missing.
    await refused({ headers, body, jws }, 'account_not_given');
    // @ts-expect-error Nothing to verify with.
    await refused({ headers, body }, 'nothing_to_verify_with');
  });

  // Guarantee: naming a victim's URL and order number in a payment to one's own account pays nothing there.
  for (const [form, payloadOf] of [
    ['a transaction', (attacker: TestAccount) => aTransactionPayload(attacker)],
    ['a recurring charge', (attacker: TestAccount) => aPayload(attacker.id)],
  ] as const) {
    test(`refuses ${form} of another account, sent to this address by the service itself`, async () => {
      const attacker = await anAccount(stage.world);
      const receiver = await aReceiver();
      const event = anEvent(stage.world, attacker.id, receiver.url, payloadOf(attacker));
      await insertEvents(stage.world.db.sql, stage.world.vault, [event]);
      await stage.sender().drain();
      const { headers, body } = receiver.received[0] ?? assert.fail('Nothing came.');
      const { securityCode: _, ...byJws } = withoutSecret();
      await refused({ ...byJws, headers, body }, 'wrong_account');
      await refused({ ...good, headers, body }, 'webhook_signature_wrong');
      const { merchantNumber } = attacker;
      await verifyNotification({ ...byJws, headers, body, merchantId: attacker.id, merchantNumber });
    });
  }

  // Guarantee: only the service's own URL is trusted, not one with the same prefix.
  for (const evil of ['.evil.example/x', '@evil.example/x', '0/x509/notifications-jws.pem']) {
    test(`refuses a certificate at {base}${evil}`, async () => {
      const keys = await makeRsaKeys();
      const x5u = `${stage.world.config.baseUrl}${evil}`;
      const signed = { alg: 'RS256', mid: account.id, jti: String(received.headers['webhook-id']), iat: 1_773_133_200 };
      const token = await new SignJWT({}).setProtectedHeader({ ...signed, x5u }).sign(keys.privateKey);
      const [header = '', , signature = ''] = token.split('.');
      const headers = { ...received.headers, 'x-jws-signature': `${header}..${signature}` };
      await refused({ ...withoutSecret(), headers }, 'x5u_foreign');
    });
  }

  // Guarantee: an installation that serves its certificates elsewhere names that address, and its receivers accept it
  // exactly, and no other.
  test('certificates at another address', async () => {
    const elsewhere = 'https://certs.example.com/grosz.pem';
    const config = { ...stage.world.config, notificationCertificateUrl: elsewhere };
    const signing = await openSigning({ ...stage.world, config });
    const id = String(received.headers['webhook-id']);
    const at = Temporal.Instant.from('2026-03-10T09:00:00Z');
    const signed = await signing.signDetached(Buffer.from(received.body), { merchantId: account.id, eventId: id, at });
    const header = JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString());
    assert.equal(header.x5u, elsewhere);
    const headers = { ...received.headers, 'x-jws-signature': signed };
    const asked: string[] = [];
    const fetchPem = async (url: string) => {
      asked.push(url);
      return signing.notificationsPem;
    };
    const jws = { ...good.jws, fetchPem };
    await verifyNotification({ ...withoutSecret(), headers, jws: { ...jws, x5u: elsewhere } });
    assert.deepEqual(asked, [elsewhere]);
    await refused({ ...withoutSecret(), headers, jws }, 'x5u_foreign');
    await refused({ ...withoutSecret(), headers, jws: { ...jws, x5u: `${elsewhere}.old` } }, 'x5u_foreign');
    await refused({ ...withoutSecret(), jws: { ...jws, x5u: elsewhere } }, 'x5u_foreign');
  });

  // Guarantee: a chain of another issuer, even with the same names, is refused under the pinned root.
  test('refuses a chain that leads to another root', async () => {
    const elsewhere = await aWorld();
    await elsewhere.db.sql.run`delete from signing_key`;
    const stranger = await openSigning(elsewhere);
    const fetchPem = async () => stranger.notificationsPem;
    const jws = { baseUrl: stage.world.config.baseUrl, rootPem: stage.signing.rootPem, fetchPem };
    await refused({ ...withoutSecret(), jws }, 'certificate_chain_broken');
  });
});
