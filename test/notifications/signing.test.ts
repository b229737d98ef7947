// The keys and certificates that sign notifications, verified with third-party packages.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { suite, test } from 'node:test';
import { flattenedVerify } from 'jose';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { insertEvents, makeRsaKeys, openSigning } from '../../src/notifications/index.ts';
import { aReceiver } from '../support/receiver.ts';
import { aWorld } from '../support/service.ts';
import { aNotificationService, anAccount, anEvent, aStage, aTransactionPayload, someEvents } from './support.ts';

const certificatesOf = (pem: string) =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)?.map((one) => new X509Certificate(one)) ?? [];

suite('certificates', () => {
  // Guarantee: all nodes sign with the same key, which is created once and survives restarts.
  test('nodes that start concurrently create them once', async () => {
    const world = await aWorld();
    // As before the first start: a test's world already has its keys.
    await world.db.sql.run`delete from signing_key`;
    let made = 0;
    const counted = () => {
      made += 1;
      return makeRsaKeys();
    };
    const nodes = await Promise.all([1, 2, 3].map(() => openSigning(world, counted)));
    nodes.push(await openSigning(world, counted));
    assert.equal(new Set(nodes.map((node) => node.notificationsPem)).size, 1);
    assert.equal(made, 2);
    const rows = await world.db.sql.many((row) => JSON.stringify(row))`select * from signing_key`;
    assert.equal(rows.length, 2);
    assert.doesNotMatch(rows.join(), /PRIVATE KEY/);
  });

  // Guarantee: a certificate that is about to expire is replaced at startup, under the same root.
  test('an old one is replaced, the root stays', async () => {
    const world = await aWorld();
    const first = await openSigning(world);
    world.wall.advance({ hours: 24 * 365 });
    assert.equal((await openSigning(world)).notificationsPem, first.notificationsPem);
    world.wall.advance({ hours: 24 * 330 });
    const second = await openSigning(world);
    assert.notEqual(second.notificationsPem, first.notificationsPem);
    assert.equal(second.rootPem, first.rootPem);
  });

  // Guarantee: the service serves a leaf and its issuer, chained to the root, valid for two and ten years.
  test('are served, chained and bounded', async () => {
    const service = await aNotificationService();
    const leafAnswer = await service.ask('GET', '/x509/notifications-jws.pem');
    const rootAnswer = await service.ask('GET', '/x509/root.pem');
    assert.equal(leafAnswer.headers.get('content-type'), 'application/x-pem-file');
    const [leaf, issuer, ...more] = certificatesOf(leafAnswer.text);
    const [root] = certificatesOf(rootAnswer.text);
    assert.ok(leaf && issuer && root && more.length === 0);
    assert.ok(issuer.raw.equals(root.raw));
    assert.ok(leaf.checkIssued(root) && leaf.verify(root.publicKey) && !leaf.ca);
    assert.ok(root.checkIssued(root) && root.verify(root.publicKey) && root.ca);
    assert.equal(leaf.publicKey.asymmetricKeyDetails?.modulusLength, 2_048);
    assert.equal(leaf.validToDate.toISOString(), '2028-03-10T09:00:00.000Z');
    assert.equal(root.validToDate.toISOString(), '2036-03-10T09:00:00.000Z');
    assert.equal((await service.ask('POST', '/x509/root.pem')).status, 405);
  });
});

// Guarantee: both signatures verify with independent packages, the JWS names account, webhook-id and time, and any
// change of the body breaks them.
test('a delivered notification verifies with standardwebhooks and with jose', async () => {
  const stage = await aStage();
  const account = await anAccount(stage.world);
  const receiver = await aReceiver();
  const [id] = await someEvents(stage.world, account.id, receiver.url);
  // standardwebhooks uses the real time.
  stage.world.wall.set(Temporal.Now.instant().toString());
  await stage.sender().drain();
  const [received] = receiver.received;
  assert.ok(received);
  const headers = received.headers as Record<string, string>;
  const webhook = new Webhook(account.webhookSecret.reveal());
  webhook.verify(received.body, headers);
  assert.throws(() => webhook.verify(`${received.body} `, headers));

  const [header = '', middle, signature = ''] = String(headers['x-jws-signature']).split('.');
  assert.equal(middle, '');
  assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), {
    alg: 'RS256',
    x5u: `${stage.world.config.baseUrl}/x509/notifications-jws.pem`,
    mid: account.id,
    jti: id,
    iat: Number(headers['webhook-timestamp']),
  });
  const [leaf] = certificatesOf(stage.signing.notificationsPem);
  assert.ok(leaf);
  const payload = Buffer.from(received.body).toString('base64url');
  await flattenedVerify({ protected: header, payload, signature }, leaf.publicKey);
  const changed = Buffer.from(`${received.body} `).toString('base64url');
  await assert.rejects(flattenedVerify({ protected: header, payload: changed, signature }, leaf.publicKey));
});

// Guarantee: the form of a transaction verifies with standardwebhooks as docs/api.md says: it parses JSON unless told not to.
test('the form of a transaction verifies with standardwebhooks', async () => {
  const stage = await aStage();
  const account = await anAccount(stage.world);
  const receiver = await aReceiver();
  const payload = aTransactionPayload(account);
  const event = { ...anEvent(stage.world, account.id, receiver.url, payload), type: 'transaction' as const };
  await insertEvents(stage.world.db.sql, stage.world.vault, [event]);
  stage.world.wall.set(Temporal.Now.instant().toString());
  await stage.sender().drain();
  const [received] = receiver.received;
  assert.ok(received);
  const headers = received.headers as Record<string, string>;
  const webhook = new Webhook(account.webhookSecret.reveal());
  webhook.verify(received.body, headers, { jsonParse: false });
  assert.throws(() => webhook.verify(`${received.body}&x=1`, headers, { jsonParse: false }), WebhookVerificationError);
  assert.throws(() => webhook.verify(received.body, headers), SyntaxError);
  assert.equal(new URLSearchParams(received.body).get('tr_status'), 'TRUE');
});
