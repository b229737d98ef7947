// Headers that say who, what or for whom: one that occurs twice has two meanings, and each reader picks its own.

import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { before, suite, test } from 'node:test';
import { aPerson } from '../support/panel.ts';
import { aPayPage, attemptsOf } from '../support/payer.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

suite('headers that occur twice', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  /** Headers as they are given, in their order: `fetch` would join them. */
  function send(
    method: string,
    path: string,
    headers: readonly (readonly [string, string])[],
    body = '',
  ): Promise<Sent> {
    const { host } = new URL(service.url);
    const all = [['Host', host], ['Content-Length', String(Buffer.byteLength(body))], ...headers] as const;
    return new Promise((resolve, reject) => {
      const sending = request(service.url + path, { method, headers: all.flat() }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sending.on('error', reject).end(body);
    });
  }

  const json = ['Content-Type', 'application/json'] as const;
  const order = JSON.stringify({ amount: 1, description: 'Tea' });
  const bearer = () => ['Authorization', `Bearer ${merchant.token}`] as const;
  const codesOf = ({ text }: Sent) =>
    (JSON.parse(text).errors as { errorCode: string; fieldName: string }[]).map(
      ({ errorCode, fieldName }) => `${errorCode} ${fieldName}`,
    );

  // Guarantee: nobody has to know which of two credentials, types, keys or accounts counts.
  for (const [name, values] of [
    ['Authorization', ['Bearer one', 'Bearer two']],
    ['Content-Type', ['application/json', 'text/plain']],
    ['Content-Type', ['application/json', 'application/json']],
    ['Idempotency-Key', ['one', 'two']],
    ['X-Merchant-Id', ['01JZ8D3K7R4M5N6P7Q8R9S0T1V', '01JZ8D3K7R4M5N6P7Q8R9S0T1W']],
    ['Host', ['one.example', 'two.example']],
    ['Origin', ['https://one.example', 'https://two.example']],
    ['Content-Encoding', ['identity', 'identity']],
  ] as const) {
    test(`400: ${name}: ${values.join(' and ')}`, async () => {
      const own = values.map((value, index) => [index === 0 ? name : name.toUpperCase(), value] as const);
      const others = [bearer(), json].filter(([other]) => other !== name);
      const answer = await send('POST', '/transactions', [...others, ...own], order);
      assert.deepEqual([answer.status, codesOf(answer)], [400, [`duplicate_field ${name}`]], answer.text);
    });
  }

  test('400: also where both say the same, where nobody is identified, and where there is no such path', async () => {
    const twice = [bearer(), bearer()];
    assert.equal((await send('GET', '/transactions', twice)).status, 400);
    assert.equal((await send('POST', '/oauth/auth', [json, json], '{}')).status, 400);
    assert.equal((await send('GET', '/health/live', twice)).status, 400);
    assert.equal((await send('GET', '/nowhere', twice)).status, 400);
    const person = await aPerson(service, 'owner', merchant.id);
    const csrf = ['X-CSRF-Token', person.csrfToken] as const;
    const answer = await send('POST', '/panel/api/me', [['Cookie', person.cookie], json, csrf, csrf], '{"name":"Eve"}');
    assert.deepEqual([answer.status, codesOf(answer)], [400, ['duplicate_field X-CSRF-Token']]);
    for (const name of ['X-View-As', 'Acquirer-Key-Id', 'Acquirer-Timestamp', 'Acquirer-Signature']) {
      const other = await send('GET', '/health/live', [
        [name, 'one'],
        [name, 'two'],
      ]);
      assert.deepEqual([other.status, codesOf(other)], [400, [`duplicate_field ${name}`]]);
    }
  });

  test('200: headers that are lists may come in parts', async () => {
    const lists = ['Accept', 'Accept-Language', 'Via', 'X-Forwarded-For', 'Cache-Control', 'X-Trace'];
    const parts = lists.flatMap((name) => [[name, 'a'] as const, [name, 'b'] as const]);
    const answer = await send('POST', '/transactions', [bearer(), json, ...parts], order);
    assert.equal(answer.status, 200, answer.text);
  });

  // Guarantee: a form is read as what it says it is, or refused with a page of its own, and nothing is paid.
  test('415: pay forms of another type', async () => {
    const { id, url } = await aPayPage(service, merchant, {});
    const path = new URL(url).pathname;
    const form = 'method=64&attempt=1&blik=777123';
    const types = [['application/json'], ['text/plain'], ['multipart/form-data; boundary=x'], []] as const;
    for (const place of [path, `${path}/embed`, `${path}/wallet`, `${path}/cancel`]) {
      for (const [type] of types) {
        service.world.wall.advance({ seconds: 1 });
        const headers = type === undefined ? [] : [['Content-Type', type] as const];
        const answer = await send('POST', place, headers, form);
        assert.equal(answer.status, 415, `${place} ${type} ${answer.text.slice(0, 200)}`);
        assert.match(answer.headers['content-type'] ?? '', /^text\/html/);
        assert.match(answer.text, /Nie udało się odczytać|could not be read/);
      }
    }
    service.world.wall.advance({ seconds: 1 });
    const twice = [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Content-Type', 'application/json'],
    ] as const;
    const answer = await send('POST', path, twice, form);
    assert.deepEqual([answer.status, /^text\/html/.test(answer.headers['content-type'] ?? '')], [400, true]);
    assert.deepEqual(await attemptsOf(service, id), []);
    service.world.wall.advance({ seconds: 1 });
    const type = ['Content-Type', 'Application/X-WWW-Form-URLencoded ; charset=UTF-8'] as const;
    const paid = await send('POST', path, [type], form);
    assert.equal(paid.status, 303, paid.text);
  });
});
