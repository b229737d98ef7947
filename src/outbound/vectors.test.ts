// Addresses that must be refused, on saving and on sending, without a single connection attempt.

import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { literals, names, odd } from '../../test/support/address-vectors.ts';
import { openOutbound } from './outbound.ts';
import { checkAddress, type OutboundPolicy } from './policy.ts';

const strict: OutboundPolicy = { allowHttp: false, allowPrivate: false };
const open: OutboundPolicy = { allowHttp: true, allowPrivate: true };
const limits = { milliseconds: 2_000, answerBytes: 1_024 };
const nothing = new Uint8Array();

let attempts: string[] = [];
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.on('connectionAttempt', (address: string) => attempts.push(address));
});

suite('addresses that are refused', () => {
  let asked: string[] = [];
  const outbound = openOutbound({
    policy: strict,
    resolve: async (name) => {
      asked.push(name);
      return [...(names.find(([known]) => known === name)?.[1] ?? ['127.0.0.1'])];
    },
  });
  before(() => {
    attempts = [];
  });
  after(() => outbound.close());

  test(`there are at least 120 of them: ${literals.length + odd.length + names.length}`, () => {
    assert.ok(literals.length + odd.length + names.length >= 120);
  });

  for (const address of [...literals, ...odd]) {
    test(`at saving and at sending: ${JSON.stringify(address.slice(0, 60))}`, async () => {
      asked = [];
      const refusal = checkAddress(address, strict);
      assert.ok(refusal, 'saved');
      const posted = await outbound.post(address, {}, nothing, limits);
      assert.equal(posted.fault, `address_${refusal}`);
      assert.equal(posted.status, null);
      assert.deepEqual([asked, attempts], [[], []]);
    });
  }

  for (const [name, addresses] of names) {
    test(`at sending: ${name} (${addresses})`, async () => {
      assert.equal(checkAddress(`https://${name}/`, strict), undefined);
      const posted = await outbound.post(`https://${name}/`, {}, nothing, limits);
      assert.equal(posted.fault, 'address_not_public');
      assert.deepEqual(attempts, []);
    });
  }
});

suite('addresses that are allowed', () => {
  for (const address of [
    'https://shop.example.com',
    'https://shop.example.com/hook?order=1#x',
    'https://shop.example.com.:443/',
    'https://shop.example.com:8443/',
    'HTTPS://SHOP.EXAMPLE.COM/',
    'https://zażółć.pl/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
    'https://[::ffff:93.184.216.34]/',
    'https://localhost.example.com/',
    'https://shop.example.com/a@b',
  ]) {
    test(address, () => assert.equal(checkAddress(address, strict), undefined));
  }

  // Guarantee: a development setting opens private networks, and nothing else.
  for (const [address, refusal] of [
    ['http://127.0.0.1:3001/hook', undefined],
    ['http://localhost:3001/hook', undefined],
    ['http://[::1]:3001/', undefined],
    ['http://10.0.0.1/', undefined],
    ['http://shop/', undefined],
    ['http://[fd00::1]/', undefined],
    ['http://169.254.169.254/', 'not_public'],
    ['http://[::ffff:169.254.169.254]/', 'not_public'],
    ['http://0.0.0.0/', 'not_public'],
    ['http://224.0.0.1/', 'not_public'],
    ['http://[64:ff9b::1]/', 'not_public'],
    ['ftp://127.0.0.1/', 'scheme'],
    ['http://user@127.0.0.1/', 'credentials'],
  ] as const) {
    test(`in development: ${address} ${refusal ?? 'allowed'}`, () =>
      assert.equal(checkAddress(address, open), refusal));
  }

  // The control of the tests above: a connection that is made is counted.
  test('the spy sees a connection', async () => {
    attempts = [];
    const server = createServer((socket) => socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nTRUE'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    const outbound = openOutbound({ policy: open, resolve: async () => ['127.0.0.1'] });
    const posted = await outbound.post(`http://shop.example.com:${address.port}/`, {}, nothing, limits);
    assert.deepEqual([posted.status, posted.fault, posted.answer.toString()], [200, null, 'TRUE']);
    assert.deepEqual(attempts, ['127.0.0.1']);
    await outbound.close();
    await new Promise((done) => server.close(done));
  });
});
