// Fuzzed requests: every endpoint with bodies, headers, paths and queries that nobody would send on purpose. The
// response must always be one that the service chose.

import { connect } from 'node:net';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpoints } from '../../../contract/endpoints.ts';
import { within } from '../../../src/runtime/index.ts';
import { aPaidTransaction, aTransaction } from '../../support/payments.ts';
import { aRecurring } from '../../support/recurring.ts';
import { Seeded } from '../../support/seeded.ts';
import { aMerchant, aService, aToken, type Service, type TestMerchant } from '../../support/service.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen, scaled } from '../figure.ts';

const goalRequests = 200_000;
const atOnce = 16;
const rawShare = 0.02;

const junk: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1e308,
  0.1 + 0.2,
  2 ** 53 + 2,
  99_999_999_999.991,
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  '\ud800',
  '\u202e\u0000\ufffe',
  'a'.repeat(70_000),
  '💳'.repeat(200),
  "'; drop table transaction; --",
  '%00%ff',
  '../../etc/passwd',
  '2026-02-30 25:61:61',
  '2026-13-45T99:99:99+99:99',
  'P99999999999Y',
  'http://[::1',
  [],
  [[[[[[[[[[]]]]]]]]]],
  {},
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  Array.from({ length: 2_000 }, () => 0),
];

const rawBodies: readonly string[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '0',
  '{"amount":1,"amount":2,"description":"x"}',
  '{"amount":1e400,"description":"x"}',
  '{"amount":01,"description":"x"}',
  '{"amount":1.0000000000000000000000000000001,"description":"x"}',
  '{"__proto__":{"amount":1},"description":"x"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
  '\ufeff{"amount":1,"description":"x"}',
  '{"amount":1,"description":"\\ud800"}',
  'amount=1&description=x',
  '--x\r\nContent-Disposition: form-data; name="client_id"\r\n\r\n1\r\n--x--',
];

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/xml',
  ';;;',
  '',
];

/** Requests that are not valid HTTP. */
const rawRequests = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET /transactions HTTP/9.9\r\nhost: x\r\n\r\n',
  'POST /transactions HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  'POST /transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /transactions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
  'G\u0000T / HTTP/1.1\r\nhost: x\r\n\r\n',
  '\r\n\r\n\r\n',
  'PROPFIND /transactions HTTP/1.1\r\nhost: x\r\n\r\n',
  'TRACE /transactions HTTP/1.1\r\nhost: x\r\n\r\n',
  'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET http://other.example.com/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  'GET /transactions HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
];

interface Fuzzed {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

class Fuzzer {
  readonly #draw: Seeded;
  readonly #ids: readonly string[];

  constructor(draw: Seeded, ids: readonly string[]) {
    this.#draw = draw;
    this.#ids = ids;
  }

  /** A request made from an endpoint's own example, then corrupted in one or more places. */
  request(token: string): Fuzzed {
    const draw = this.#draw;
    const endpoint = draw.of(endpoints);
    const method = draw.chance(0.95)
      ? endpoint.method
      : draw.of(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']);
    const bodiless = method === 'GET' || method === 'HEAD';
    return {
      method,
      path: this.#path(endpoint),
      headers: this.#headers(token, bodiless),
      body: bodiless ? undefined : this.#body(endpoint),
    };
  }

  #path(endpoint: Endpoint): string {
    const draw = this.#draw;
    const path = endpoint.path.replaceAll(/\{\w+\}/g, () => this.#id());
    const asked = { ...endpoint.example.query };
    const names = [
      ...Object.keys(asked),
      'page',
      'limit',
      'from',
      'to',
      'status',
      'after',
      'token',
      'context',
      '__proto__',
    ];
    if (draw.chance(0.4)) {
      for (let count = draw.below(4); count >= 0; count -= 1) asked[draw.of(names)] = this.#text();
    }
    const query = new URLSearchParams(asked).toString();
    const odd = draw.chance(0.03) ? draw.of(['/', '//', '/..', '/%2e%2e/', '/%00', '?', '#', '/%', '%zz']) : '';
    return `${path}${odd}${query === '' ? '' : `?${query}`}`;
  }

  #id(): string {
    const draw = this.#draw;
    if (draw.chance(0.6)) return draw.of(this.#ids);
    return encodeURIComponent(this.#text().slice(0, 300)) || 'x';
  }

  #text(): string {
    const value = this.#draw.of(junk);
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    // Unpaired surrogates are not possible in a URL.
    return text.slice(0, 200).toWellFormed();
  }

  #headers(token: string, bodiless: boolean): Headers {
    const draw = this.#draw;
    const headers = new Headers();
    const put = (name: string, value: string) => {
      // What the client itself refuses to send is left out.
      try {
        headers.set(name, value);
      } catch {
        return;
      }
    };
    if (draw.chance(0.93)) put('authorization', `Bearer ${token}`);
    else
      put(
        'authorization',
        draw.of(['', 'Bearer', 'Bearer  ', 'Basic x', `bearer ${token}`, 'Basic OjpAOg==', this.#text()]),
      );
    if (!bodiless) put('content-type', draw.chance(0.85) ? 'application/json' : draw.of(contentTypes));
    if (draw.chance(0.15)) put('idempotency-key', draw.chance(0.5) ? `k${draw.below(50)}` : this.#text());
    if (draw.chance(0.05)) put('x-merchant-id', this.#text());
    if (draw.chance(0.05)) put('accept', this.#text());
    return headers;
  }

  #body(endpoint: Endpoint): string {
    const draw = this.#draw;
    if (draw.chance(0.1)) return draw.of(rawBodies);
    const body = structuredClone(endpoint.example.request ?? {}) as object;
    for (let count = draw.below(3); count >= 0; count -= 1) this.#spoil(body);
    return JSON.stringify(body);
  }

  /** Changes one place, at any depth. */
  #spoil(value: object): void {
    const draw = this.#draw;
    const fields = value as Record<string, unknown>;
    const keys = Object.keys(fields);
    if (keys.length === 0 || draw.chance(0.1)) {
      fields[draw.of(['amount', 'pay', 'payer', 'id', 'x', '__proto__', 'constructor', 'toString'])] = structuredClone(
        draw.of(junk),
      );
      return;
    }
    const key = draw.of(keys);
    const inner = fields[key];
    if (typeof inner === 'object' && inner !== null && draw.chance(0.6)) this.#spoil(inner);
    else if (draw.chance(0.25)) delete fields[key];
    else fields[key] = structuredClone(draw.of(junk));
  }
}

async function idsFor(service: Service, merchant: TestMerchant): Promise<string[]> {
  return [
    await aTransaction(service, merchant),
    await aPaidTransaction(service, merchant),
    await aRecurring(service, merchant),
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'k1',
  ];
}

type Tally = Map<number, number>;

/** What is wrong with the response, if anything. */
async function send(url: string, { method, path, headers, body }: Fuzzed, tally: Tally): Promise<string | undefined> {
  const response = await within(
    30_000,
    `no answer to ${method} ${path}`,
    fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) }),
  );
  const text = await response.text();
  tally.set(response.status, (tally.get(response.status) ?? 0) + 1);
  if (response.status < 500) return undefined;
  return `${response.status} for ${method} ${path} ${body?.slice(0, 200) ?? ''}: ${text.slice(0, 200)}`;
}

/** A malformed request over a bare socket; the status must not be a 5xx other than 501 and 505. */
function sendRaw(url: string, bytes: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const answered = new Promise<string>((resolve) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(bytes));
    socket.on('data', (part) => {
      text += part.toString('latin1');
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
  return within(30_000, `no end to ${JSON.stringify(bytes.slice(0, 80))}`, answered).then((text) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? '';
    return /^5/.test(status) && status !== '501' && status !== '505'
      ? `${status} for ${bytes.slice(0, 80)}`
      : undefined;
  });
}

export async function proveFuzz(options: ProveOptions): Promise<Seen[]> {
  const goal = scaled(goalRequests, options);
  const service = await aService({ config: { requestsPerSecond: 1_000_000 } });
  const merchant = await aMerchant(service);
  const fuzzer = new Fuzzer(new Seeded(`${options.seed} fuzz`), await idsFor(service, merchant));
  const draw = new Seeded(`${options.seed} raw`);
  const wrong: string[] = [];
  const tally: Tally = new Map();
  let token = merchant.token;
  let sent = 0;
  while (sent < goal && !isOver(options)) {
    const count = Math.min(500, goal - sent);
    let next = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < count) {
          next += 1;
          const fault = await (draw.chance(rawShare)
            ? sendRaw(service.url, draw.of(rawRequests))
            : send(service.url, fuzzer.request(token), tally)
          ).catch((error: Error) => `${error.message} ${error.cause ?? ''}`);
          if (fault !== undefined) wrong.push(fault);
        }
      }),
    );
    sent += count;
    // The limit for callers without a token uses the wall clock.
    service.world.wall.advance({ seconds: 1 });
    if (sent % 50_000 === 0) token = await aToken(service, merchant.clientId, merchant.clientSecret);
    if (sent % 5_000 === 0) options.print(`${figureText(sent)} of ${figureText(goal)} requests, ${wrong.length} wrong`);
  }
  // A fuzzer that is only rejected at the door proves little.
  options.print(
    `answers: ${[...tally]
      .sort(([left], [right]) => left - right)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}`,
  );
  const alive = await service.ask('GET', '/health/ready');
  if (alive.status !== 200) wrong.push('The service is not ready any more.');
  for (const note of wrong.slice(0, 20)) options.print(`  ${note}`);
  return [noneOf('unhandled 5xx or exits in fuzzed requests', wrong.length, sent, goalRequests)];
}
