// The HTTP client against receivers on 127.0.0.1 that misbehave. If an unknown result were taken for a failure, a
// captured payment would be charged a second time.

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { aCharge, aRefund, atEnd, byKey, card } from '../../test/support/simulated-bank.ts';
import { Secret } from '../kernel/index.ts';
import { openLog, systemClock } from '../runtime/index.ts';
import { type HttpAcquirer, openHttpAcquirer } from './http.ts';
import type { Acquirer } from './port.ts';
import { signAnswer } from './signature.ts';

const key = { id: 'main', secret: new Secret('s'.repeat(40)) };
const lines: string[] = [];
const log = openLog({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(url: string): HttpAcquirer {
  return openHttpAcquirer({ url, keys: [key], wall: systemClock, log });
}

/** An acquirer that handles every request like this. */
async function answering(listener: RequestListener): Promise<HttpAcquirer> {
  const server = createServer(listener);
  atEnd(() => server.closeAllConnections());
  return open(await listen(server));
}

/** Signs like an honest acquirer, whatever the response. */
function saying(status: number, body: string, secret = key.secret): RequestListener {
  return (request, response) => {
    const signature = String(request.headers['acquirer-signature']);
    const headers = signAnswer({ ...key, secret }, signature, status, body);
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  };
}

/** A raw TCP server, for what no HTTP server would do. */
async function raw(onData: (socket: Socket) => void): Promise<Acquirer> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => onData(socket));
  });
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
  });
  return open(await listen(server));
}

const charge = aCharge({ key: 'A-1', deadlineMilliseconds: 5_000 });
const approved = '{"kind":"approved","amount":{"minor":1000,"currency":"PLN"}}';

async function everyAnswer(acquirer: Acquirer, deadlineMilliseconds = 5_000): Promise<Set<string>> {
  const answers = await Promise.all([
    acquirer.charge({ ...charge, deadlineMilliseconds }),
    acquirer.refund({ ...aRefund('A-1', 5), deadlineMilliseconds }),
    acquirer.cancel({ key: 'A-1', deadlineMilliseconds }),
    acquirer.findCharge({ key: 'A-1', deadlineMilliseconds }),
    acquirer.findRefund({ key: 'A-1', deadlineMilliseconds }),
  ]);
  return new Set(answers.map(({ kind }) => kind));
}

describe('never connected is notReached', () => {
  test('nobody listens', async () => {
    const server = createSocketServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    lines.length = 0;
    assert.deepEqual(await everyAnswer(open(url)), new Set(['notReached']));
    const logged = lines.map((line) => JSON.parse(line)).map(({ msg, endpoint, why }) => `${endpoint}: ${msg}, ${why}`);
    const what = 'the acquirer was not reached, ECONNREFUSED';
    assert.deepEqual(
      logged.sort(),
      ['cancels', 'charges', 'charges', 'refunds', 'refunds'].map((endpoint) => `${endpoint}: ${what}`),
    );
  });
});

describe('every doubt is unknown', () => {
  const bigBody = JSON.stringify({ kind: 'canceled', padding: 'x'.repeat(70_000) });
  const listeners: [string, RequestListener][] = [
    ['status 500, signed', saying(500, approved)],
    ['status 503, signed', saying(503, '{"kind":"notReached"}')],
    ['status 404, signed', saying(404, '{"kind":"notFound"}')],
    ['status 201, signed', saying(201, approved)],
    ['a redirect', (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['no signature', (_request, response) => response.end(approved)],
    ['a signature with another secret', saying(200, approved, new Secret('t'.repeat(40)))],
    ['no JSON', saying(200, 'approved')],
    ['an empty body', saying(200, '')],
    ['a kind that is not known', saying(200, '{"kind":"fine"}')],
    ['an amount that is no integer', saying(200, approved.replace('1000', '10.5'))],
    ['an amount as text', saying(200, approved.replace('1000', '"1000"'))],
    ['an unknown currency', saying(200, approved.replace('PLN', 'XXX'))],
    ['a reason that is not known', saying(200, '{"kind":"declined","reason":"mood"}')],
    ['more than 64 KB', saying(200, bigBody)],
  ];
  for (const [name, listener] of listeners) {
    test(name, async () => {
      const acquirer = await answering(listener);
      assert.equal((await acquirer.charge(charge)).kind, 'unknown');
      assert.equal((await acquirer.findCharge(byKey('A-1'))).kind, 'unknown');
    });
  }

  test('a response to another request', async () => {
    const body = approved;
    const acquirer = await answering((_request, response) => {
      response.writeHead(200, signAnswer(key, 'v1=other', 200, body)).end(body);
    });
    assert.equal((await acquirer.charge(charge)).kind, 'unknown');
  });

  test('a reset after the request', async () => {
    const acquirer = await raw((socket) => socket.resetAndDestroy());
    assert.deepEqual(await everyAnswer(acquirer), new Set(['unknown']));
  });

  test('a closed line', async () => {
    const acquirer = await raw((socket) => socket.end());
    assert.equal((await acquirer.charge(charge)).kind, 'unknown');
  });

  test('garbage instead of HTTP', async () => {
    const acquirer = await raw((socket) => socket.end('\u0000\u0001 this is no HTTP\r\n\r\n'));
    assert.equal((await acquirer.charge(charge)).kind, 'unknown');
  });

  test('a response that breaks off', async () => {
    const acquirer = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"kind"'));
    assert.equal((await acquirer.charge(charge)).kind, 'unknown');
  });

  // Guarantee: the deadline covers the whole response, not only its first byte.
  test('a receiver that hangs, before its response or in the middle of it', async () => {
    const silent = await raw(() => undefined);
    assert.deepEqual(await everyAnswer(silent, 50), new Set(['unknown']));
    const stuck = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"kind"'));
    assert.deepEqual(await everyAnswer(stuck, 50), new Set(['unknown']));
  });
});

describe('a response of the protocol is that response', () => {
  test('declined, waiting, canceled, notFound, notReached', async () => {
    const declined = await answering(saying(200, '{"kind":"declined","reason":"wrong code","more":1}'));
    assert.deepEqual((await declined.charge(charge)).kind, 'declined');
    const waiting = await answering(saying(200, '{"kind":"waiting","link":"https://bank.example/1"}'));
    assert.deepEqual(await waiting.charge(charge), { kind: 'waiting', link: 'https://bank.example/1' });
    const canceled = await answering(saying(200, '{"kind":"canceled"}'));
    assert.deepEqual(await canceled.cancel(byKey('A-1')), { kind: 'canceled' });
    const notFound = await answering(saying(200, '{"kind":"notFound"}'));
    assert.deepEqual(await notFound.findRefund(byKey('A-1')), { kind: 'notFound' });
    const away = await answering(saying(200, '{"kind":"notReached"}'));
    assert.deepEqual(await everyAnswer(away), new Set(['notReached']));
  });
});

describe('what it takes', () => {
  // Guarantee: a connector that was written before it could say so takes everything, as before.
  test('is everything if it has no such path', async () => {
    const signed = saying(404, '{}');
    for (const listener of [signed, ((_, response) => response.writeHead(404).end('Not Found')) as RequestListener]) {
      const acquirer = await answering(listener);
      assert.deepEqual(await acquirer.readOffers(), { kind: 'everything' });
      assert.equal(acquirer.offers, undefined);
    }
  });

  // Guarantee: only the connector itself takes back what it said.
  test('stays after a 404 that is not signed, and is everything again after one that is', async () => {
    const list = '{"kind":"offers","offers":[{"method":"blik","currency":"PLN","leastMinor":100,"mostMinor":200}]}';
    let listener: RequestListener = saying(200, list);
    const acquirer = await answering((request, response) => listener(request, response));
    await acquirer.readOffers();
    listener = (_, response) => response.writeHead(404).end('Not Found');
    assert.deepEqual(await acquirer.readOffers(), { kind: 'unknown' });
    assert.equal(acquirer.offers?.length, 1);
    listener = saying(404, '{}', new Secret('t'.repeat(40)));
    assert.deepEqual(await acquirer.readOffers(), { kind: 'unknown' });
    assert.equal(acquirer.offers?.length, 1);
    listener = saying(404, '{}');
    assert.deepEqual(await acquirer.readOffers(), { kind: 'everything' });
    assert.equal(acquirer.offers, undefined);
  });

  test('is believed if it is signed, and refused with the place that is wrong', async () => {
    const list = '{"kind":"offers","offers":[{"method":"blik","currency":"PLN","leastMinor":100,"mostMinor":200}]}';
    const acquirer = await answering(saying(200, list));
    assert.equal((await acquirer.readOffers()).kind, 'offers');
    assert.deepEqual(
      acquirer.offers?.map(({ method, leastMinor, mostMinor }) => [method, leastMinor, mostMinor]),
      [['blik', 100n, 200n]],
    );
    const wrong = await answering(saying(200, list.replace('blik', 'coins')));
    const answer = await wrong.readOffers();
    assert.match(answer.kind === 'refused' ? answer.why : '', /^\/offers\/0\/method /);
    assert.equal(wrong.offers, undefined);
    for (const [status, body, secret] of [
      [200, list, new Secret('t'.repeat(40))],
      [200, 'offers', key.secret],
      [500, list, key.secret],
      [410, list, key.secret],
    ] as const) {
      const other = await answering(saying(status, body, secret));
      assert.deepEqual(await other.readOffers(), { kind: 'unknown' });
      assert.equal(other.offers, undefined);
    }
  });
});

// Guarantee: card data never crosses a network in plain text.
test('plain http to another machine is refused unless it is allowed', () => {
  const options = { keys: [key] as const, wall: systemClock, log };
  assert.throws(() => openHttpAcquirer({ ...options, url: 'http://bank.example' }), /must be https/);
  assert.ok(openHttpAcquirer({ ...options, url: 'http://bank.example', allowPlainHttp: true }));
  assert.ok(openHttpAcquirer({ ...options, url: 'https://bank.example/v1/' }));
});

// Guarantee: logs contain no secrets, cards or responses, so they cannot leak them.
test('neither the secret, nor a card, nor a response is logged', async () => {
  const acquirer = await answering(saying(200, '{"kind":"echo 4111111111111111"}'));
  await acquirer.charge({ ...charge, instrument: card() });
  const text = lines.join('');
  assert.ok(text.includes('the acquirer gave no valid response'));
  for (const secret of [key.secret.reveal(), '4111111111111111', 'echo']) assert.ok(!text.includes(secret));
});
