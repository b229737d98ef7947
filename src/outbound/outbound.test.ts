// Sending within limits, over TLS, to the vetted address. Everything runs on this machine.

import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { after, suite, test } from 'node:test';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { type Outbound, type OutboundOptions, openOutbound } from './outbound.ts';

const limits = { milliseconds: 5_000, answerBytes: 65_536 };
const body = Buffer.from('hello');
const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers.reverse()) await close();
});

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((done) => server.listen(0, host, done));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function anOutbound(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = openOutbound({ policy: { allowHttp: true, allowPrivate: true }, ...options });
  closers.push(() => outbound.close());
  return outbound;
}

const aServer = (answer: RequestListener) => listen(createServer(answer));

suite('limits', () => {
  // Guarantee: the timeout covers the whole response, not only its beginning.
  test('a response that begins and never ends', async () => {
    const port = await aServer((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('TRU');
    });
    const posted = await anOutbound().post(`http://127.0.0.1:${port}/`, {}, body, { ...limits, milliseconds: 1_000 });
    assert.deepEqual([posted.status, posted.fault, posted.answer.toString()], [200, 'timed_out', 'TRU']);
    assert.ok(posted.milliseconds >= 990);
  });

  // Guarantee: nothing beyond the size limit, announced or sent, is read, and the connection is closed.
  test('a response over the limit', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await aServer((_request, response) => {
      response.on('close', closed);
      response.writeHead(200);
      response.write(Buffer.alloc(65_537, 'x'));
    });
    const posted = await anOutbound().post(`http://127.0.0.1:${port}/`, {}, body, limits);
    assert.deepEqual([posted.fault, posted.answer.length], ['answer_too_large', 65_536]);
    await gone;
  });

  test('a response of exactly the limit', async () => {
    const port = await aServer((_request, response) => response.end(Buffer.alloc(65_536, 'x')));
    const posted = await anOutbound().post(`http://127.0.0.1:${port}/`, {}, body, limits);
    assert.deepEqual([posted.fault, posted.answer.length], [null, 65_536]);
  });

  test('a name that is never resolved', async () => {
    const outbound = anOutbound({ resolve: () => new Promise(() => undefined) });
    const posted = await outbound.post('http://shop.example.com/', {}, body, { ...limits, milliseconds: 50 });
    assert.deepEqual([posted.status, posted.fault], [null, 'timed_out']);
  });

  test('nobody listens', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((done) => server.close(done));
    const posted = await anOutbound().post(`http://127.0.0.1:${port}/`, {}, body, limits);
    assert.equal(posted.fault, 'connection_refused');
  });

  test('a name without addresses', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    const posted = await anOutbound({ resolve }).post('http://shop.example.com/', {}, body, limits);
    assert.equal(posted.fault, 'name_not_found');
  });

  test('a request in flight when we close', async () => {
    let arrived = (): void => undefined;
    const there = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const port = await aServer(() => arrived());
    const outbound = anOutbound();
    const posting = outbound.post(`http://127.0.0.1:${port}/`, {}, body, limits);
    await there;
    await outbound.close();
    assert.equal((await posting).fault, 'closing');
    assert.equal((await outbound.post(`http://127.0.0.1:${port}/`, {}, body, limits)).fault, 'closing');
  });
});

suite('names', () => {
  // Guarantee: a name is resolved only once per connection, so DNS rebinding has no effect.
  test('a rebinding name: the connection goes to what was vetted', async () => {
    const port = await aServer((_request, response) => response.end('TRUE'));
    let asked = 0;
    const outbound = anOutbound({
      resolve: async () => {
        asked += 1;
        return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
      },
    });
    const url = `http://shop.example.com:${port}/`;
    assert.equal((await outbound.post(url, {}, body, limits)).answer.toString(), 'TRUE');
    assert.equal(asked, 1);
    const later = anOutbound({ resolve: async () => ['169.254.169.254'] });
    assert.equal((await later.post(url, {}, body, limits)).fault, 'address_not_public');
  });
});

suite('TLS', async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=shop.example.com',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2049-01-01'),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: 'shop.example.com' }]),
    ],
  });
  const cert = certificate.toString('pem');
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  const port = await listen(createTlsServer({ key, cert }, (_request, response) => response.end('TRUE')));
  const resolve = async () => ['127.0.0.1'];

  // Guarantee: pinning the address does not weaken the certificate check: the name must still match.
  for (const [name, url, ca, fault] of [
    ['the right name', `https://shop.example.com:${port}/`, cert, null],
    ['another name', `https://other.example.com:${port}/`, cert, 'certificate_refused'],
    ['an unknown authority', `https://shop.example.com:${port}/`, undefined, 'certificate_refused'],
  ] as const) {
    test(name, async () => {
      const outbound = anOutbound({ resolve, ...(ca === undefined ? {} : { ca }) });
      const posted = await outbound.post(url, {}, body, limits);
      assert.deepEqual([posted.fault, posted.answer.toString()], [fault, fault ? '' : 'TRUE']);
    });
  }
});
