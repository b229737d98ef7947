// How bodies arrive: in one piece or many, with a length or chunked, pipelined on one connection.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { before, suite, test } from 'node:test';
import { build } from '../../src/app.ts';
import { openSocket, readAnswer, untilClosed } from '../support/raw.ts';
import { aMerchant, aService, ask, atEnd, type Service, type TestMerchant } from '../support/service.ts';

const order = { amount: 12.34, description: 'żółw 💶' };

suite('bodies', () => {
  const logLines: string[] = [];
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ logLines });
    merchant = await aMerchant(service);
  });

  const head = (how: string, token = merchant.token) =>
    `POST /transactions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${how}\r\n`;
  const whole = (body: object, more = '', token = merchant.token) => {
    const text = JSON.stringify(body);
    return head(`Content-Length: ${Buffer.byteLength(text)}\r\n${more}`, token) + text;
  };
  const last = 'Connection: close\r\n';

  /**
   * Each piece is sent only after the previous one has left this process: the server reads them separately, or joined
   * if it is late.
   */
  async function sendPieces(socket: Socket, pieces: readonly (Buffer | string)[]): Promise<void> {
    for (const piece of pieces) {
      await new Promise<void>((sent) => socket.write(piece, () => sent()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function answersOf(pieces: readonly (Buffer | string)[]) {
    const socket = await openSocket(service.url);
    const closed = untilClosed(socket);
    await sendPieces(socket, pieces);
    const answers = [];
    for (let rest = await closed; rest !== ''; ) {
      const read = readAnswer(rest);
      answers.push({ status: read.answer.status, headers: read.answer.headers, body: JSON.parse(read.answer.text) });
      rest = read.rest;
    }
    return answers;
  }

  // Guarantee: where the network splits a body does not matter, not even within a character.
  test('200: byte by byte', async () => {
    const bytes = Buffer.from(whole(order, last));
    const [only] = await answersOf(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)));
    assert.equal(only?.status, 200);
    assert.equal(only?.body.description, order.description);
  });

  // Guarantee: a chunked body works like one with a length.
  test('200: in chunks', async () => {
    const text = Buffer.from(JSON.stringify(order));
    const chunk = (part: Buffer) =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
    const pieces = [
      head(`Transfer-Encoding: chunked\r\n${last}`),
      chunk(text.subarray(0, 40)),
      chunk(text.subarray(40)),
      '0\r\n\r\n',
    ];
    for (const sent of [pieces, [Buffer.concat(pieces.map((piece) => Buffer.from(piece)))]]) {
      const [only] = await answersOf(sent);
      assert.equal(only?.status, 200);
      assert.equal(only?.body.description, order.description);
    }
  });

  // Guarantee: a body that arrives before its caller is authenticated is not lost.
  test('200: a token that was not seen before, in one piece and in two', async () => {
    for (const cut of [undefined, 40]) {
      const { token } = await aMerchant(service);
      const bytes = Buffer.from(whole(order, last, token));
      const [only] = await answersOf(cut ? [bytes.subarray(0, -cut), bytes.subarray(-cut)] : [bytes]);
      assert.equal(only?.status, 200);
      assert.equal(only?.body.description, order.description);
    }
  });

  // Guarantee: pipelined requests are answered in order, each with its own body.
  test('200: pipelined requests on one connection', async () => {
    const amounts = [1, 2, 3, 4, 5];
    const requests = amounts.map((amount) => whole({ ...order, amount }, amount === 5 ? last : ''));
    const answers = await answersOf([requests.join('')]);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.amount]),
      amounts.map((amount) => [200, amount]),
    );
  });

  // Guarantee: the rest of a refused request does not become the next request.
  test('401, then 200 on the same connection', async () => {
    const unknown = 'x'.repeat(43);
    const answers = await answersOf([whole(order, '', unknown), whole(order, last)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 200],
    );
  });

  // Guarantee: a client learns how long it may keep its connection.
  test('a connection stays open, and responses say for how long', async () => {
    const socket = await openSocket(service.url);
    for (const body of [order, { ...order, amount: 0 }]) {
      socket.write(whole(body));
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      const { answer } = readAnswer(bytes.toString());
      assert.equal(answer.status, body.amount === 0 ? 400 : 200);
      assert.equal(answer.headers.get('connection'), 'keep-alive');
      assert.match(answer.headers.get('keep-alive') ?? '', /^timeout=\d+$/);
    }
    socket.destroy();
  });

  // Guarantee: idle connections are closed, and a client that relies on Keep-Alive never sends into one that we are
  // closing.
  test('clients are told a shorter time than the real one', async () => {
    const app = await build(service.world, service.rooms);
    atEnd(() => app.close());
    const opened = once(app.server, 'connection') as Promise<[Socket]>;
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await ask(url, 'POST', '/transactions', { token: merchant.token, body: order });
    const [socket] = await opened;
    const keepAlive = Number(/^timeout=(\d+)$/.exec(answer.headers.get('keep-alive') ?? '')?.[1]) * 1_000;
    assert.ok(keepAlive > 0 && keepAlive < (socket.timeout ?? 0), `${keepAlive} and ${socket.timeout}`);
    const { headersTimeout, requestTimeout, timeout } = app.server;
    for (const limit of [headersTimeout, requestTimeout, timeout]) assert.ok(limit > 0 && limit <= 120_000);
  });

  // Guarantee: a body over the limit is refused immediately, and no longer read.
  test('413: in chunks without end', async () => {
    const part = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const [only] = await answersOf([head('Transfer-Encoding: chunked\r\n'), ...Array.from({ length: 3 }, () => part)]);
    assert.equal(only?.status, 413);
    assert.equal(only?.headers.get('connection'), 'close');
  });

  // Guarantee: a body in thousands of tiny chunks, each of which costs the parser as much as a large one, is not read
  // to its end: 64 KiB of them took 265 ms of CPU. A client that writes in small pieces is accepted.
  test('400: in too many chunks; 200: in many', async () => {
    const text = JSON.stringify(order);
    const whole = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const crumbs = (count: number) => [
      head(`Transfer-Encoding: chunked\r\n${last}`),
      `${whole}${'1\r\n \r\n'.repeat(count)}0\r\n\r\n`,
    ];
    const [refused] = await answersOf(crumbs(5_000));
    assert.deepEqual([refused?.status, refused?.body.errors[0].errorCode], [400, 'invalid_request_body']);
    const [taken] = await answersOf(crumbs(900));
    assert.equal(taken?.status, 200);
  });

  // Guarantee: invalid UTF-8 is refused, and a genuine replacement character is kept.
  test('400: not UTF-8; 200: U+FFFD itself', async () => {
    const broken = Buffer.concat([Buffer.from('{"amount":1,"description":"a'), Buffer.of(0xff), Buffer.from('"}')]);
    const [refused] = await answersOf([head(`Content-Length: ${broken.length}\r\n${last}`), broken]);
    assert.deepEqual([refused?.status, refused?.body.errors[0].errorCode], [400, 'invalid_request_body']);
    const [kept] = await answersOf([whole({ ...order, description: 'a\ufffdb' }, last)]);
    assert.deepEqual([kept?.status, kept?.body.description], [200, 'a\ufffdb']);
  });

  // Guarantee: a caller that disconnects in the middle of a body harms nobody.
  test('a body that never ends creates nothing', async () => {
    const before = await service.ask('GET', '/transactions', { token: merchant.token });
    const socket = await openSocket(service.url);
    const text = JSON.stringify(order);
    await sendPieces(socket, [head(`Content-Length: ${Buffer.byteLength(text) + 10}\r\n`), text]);
    socket.destroy();
    await once(socket, 'close');
    const [after] = await answersOf([whole({ ...order, amount: 0 }, last)]);
    assert.equal(after?.status, 400);
    const { body } = await service.ask('GET', '/transactions', { token: merchant.token });
    assert.equal(body.total, before.body.total);
  });

  // Guarantee: nor is it reported as a bug of ours: otherwise anybody could trigger the operator's alarm, even without
  // a token.
  for (const [endpoint, path] of [
    ['E1', '/transactions'],
    ['A1', '/oauth/auth'],
  ] as const) {
    test(`${endpoint}: a body that breaks off is the caller's fault`, async () => {
      logLines.length = 0;
      const socket = await openSocket(service.url);
      await sendPieces(socket, [head('Content-Length: 100\r\n').replace('/transactions', path), '{']);
      socket.destroy();
      const logged = () => logLines.map((line) => JSON.parse(line)).filter((line) => line.endpoint === endpoint);
      while (!logged().some(({ msg }) => msg === 'request')) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(
        logged().map(({ msg, status }) => [msg, status]),
        [
          ['refused', 400],
          ['request', 400],
        ],
      );
    });
  }
});
