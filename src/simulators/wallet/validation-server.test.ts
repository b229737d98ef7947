// The vendor's validation endpoint, over real mutual TLS.

import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { once } from 'node:events';
import { type RequestOptions, request } from 'node:https';
import { suite, test } from 'node:test';
import { Seeded } from '../../../test/support/seeded.ts';
import { merchantIdentifier, vendor } from '../../../test/support/wallet-tokens.ts';
import { octets } from '../../asn1/fields.ts';
import { readDer, tags } from '../../asn1/reader.ts';
import { tryPort } from '../../embedded/index.ts';
import { systemClock } from '../../runtime/index.ts';
import { hashOfIdentifier } from '../../wallet/certificates/check.ts';
import { associationFile } from './association.ts';
import { signSession } from './session.ts';
import { startValidationServer, type ValidationBehavior } from './validation-server.ts';
import { openVendor } from './vendor.ts';

const random = new Seeded('sessions');
const wanted = { merchantIdentifier, displayName: 'Shop', initiative: 'web', initiativeContext: 'shop.example' };

const server = await startValidationServer({ vendor, clock: systemClock, random });
const identity = vendor.issueIdentity(merchantIdentifier, systemClock.now());
const client = { ca: vendor.rootPem, cert: identity.certificate, key: identity.privateKey.reveal() };

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function post(body: unknown, tls: RequestOptions = client, signal?: AbortSignal): Promise<Answer> {
  const options = {
    ...tls,
    host: 'localhost',
    port: server.port,
    method: 'POST',
    agent: false,
    ...(signal && { signal }),
  };
  const sent = request(options);
  sent.end(JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
}

suite('the validation endpoint', () => {
  // Guarantee: a holder of an identity certificate of the vendor gets a session for the requested domain.
  test('a session', async () => {
    const { status, body } = await post(wanted);
    assert.equal(status, 200);
    const session = JSON.parse(body);
    assert.equal(session.domainName, 'shop.example');
    assert.equal(session.displayName, 'Shop');
    assert.equal(session.merchantIdentifier, hashOfIdentifier(merchantIdentifier).toString('hex').toUpperCase());
    assert.ok(session.expiresAt > session.epochTimestamp);
  });

  test('no identity, or one of a stranger: 403', async () => {
    assert.equal((await post(wanted, { ca: vendor.rootPem })).status, 403);
    const stranger = openVendor(Buffer.from('stranger')).issueIdentity(merchantIdentifier, systemClock.now());
    const tls = { ca: vendor.rootPem, cert: stranger.certificate, key: stranger.privateKey.reveal() };
    assert.equal((await post(wanted, tls)).status, 403);
  });

  for (const [name, body] of [
    ['no object', 7],
    ['another initiative', { ...wanted, initiative: 'app' }],
    ['no domain', { ...wanted, initiativeContext: '' }],
    ['too long', { ...wanted, displayName: 'x'.repeat(20_000) }],
  ] as const) {
    test(`${name}: 400`, async () => {
      assert.equal((await post(body)).status, 400);
    });
  }

  // Guarantee: every failure that the service must handle can be simulated.
  test('its moods', async (context) => {
    context.after(() => server.become('session'));
    const seen = async (mood: ValidationBehavior) => {
      server.become(mood);
      return post(wanted);
    };
    assert.equal((await seen('redirect')).status, 302);
    assert.equal((await seen('error')).status, 500);
    assert.ok((await seen('too_large')).body.length > 64 * 1_024);
    assert.match((await seen('not_json')).body, /^</);
    await assert.rejects(seen('drop'));
  });

  test('hanging ends when the server closes', async () => {
    const own = await startValidationServer({ vendor, clock: systemClock, random });
    own.become('hang');
    const sent = request({ ...client, host: 'localhost', port: own.port, method: 'POST', agent: false });
    sent.end('{}');
    const [socket] = await once(sent, 'socket');
    await once(socket, 'secureConnect');
    const failed = once(sent, 'error');
    await own.close();
    const [error] = await failed;
    assert.ok(error instanceof Error);
    assert.equal(own.connections(), 1);
  });

  // Guarantee: once it has closed it takes no connection, and its port is free.
  test('it closes', async () => {
    const connections = server.connections();
    await server.close();
    await assert.rejects(post(wanted), { code: 'ECONNREFUSED' });
    assert.equal(server.connections(), connections);
    await tryPort('127.0.0.1', server.port);
  });
});

suite('what the vendor signs', () => {
  // Guarantee: a device can check a session: the signature is the leaf's, over the attributes.
  test('a session', () => {
    const { signature } = signSession(vendor, wanted, systemClock.now(), random);
    const [, wrapped] = readDer(Buffer.from(signature, 'hex')).children;
    const signer = wrapped?.children[0]?.children.at(-1)?.children[0];
    assert.ok(signer);
    const [attributes, value] = [signer.children[3], signer.children[5]];
    assert.ok(attributes && value);
    const covered = Buffer.concat([Buffer.from([tags.set]), attributes.whole.subarray(1)]);
    assert.ok(verify('sha256', covered, vendor.leaf.privateKey, octets(value)));
  });

  // Guarantee: a file that a merchant put on its domain stays valid after a restart.
  test('the association file is the same for the same seed', () => {
    const file = associationFile(vendor, merchantIdentifier);
    assert.match(file, /^[0-9A-F]+$/);
    assert.equal(JSON.parse(Buffer.from(file, 'hex').toString()).version, 1);
    assert.equal(associationFile(openVendor(vendor.seed), merchantIdentifier), file);
    assert.notEqual(associationFile({ seed: Buffer.from('other') }, merchantIdentifier), file);
  });
});
