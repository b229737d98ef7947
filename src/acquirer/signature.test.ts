// Signatures: the worked example of docs/acquirer.md, and everything that must be refused.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { TestClock } from '../../test/support/clock.ts';
import { Secret } from '../kernel/index.ts';
import { readCallback } from './callback.ts';
import { signingKeysFrom } from './keys.ts';
import { type SigningKey, signAnswer, signRequest, verifyAnswer, verifyRequest } from './signature.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/acquirer.md'), 'utf8');
const example = JSON.parse(/```json example\n([\s\S]*?)```/.exec(guide)?.[1] ?? '');
const key: SigningKey = { id: example.keyId, secret: new Secret(example.secret) };

function clockAt(seconds: number): TestClock {
  return new TestClock(Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toString());
}

const at = Number(example.request.timestamp);
const signed = signRequest(key, example.request, clockAt(at));

/** Guarantee: the worked example, which authors of connectors follow, is correct; verified without our own code. */
describe('the worked example of the guide', () => {
  const hmac = (text: string) => `v1=${createHmac('sha256', example.secret).update(text).digest('hex')}`;

  test('the request', () => {
    const { method, path, timestamp, body, signature } = example.request;
    assert.equal(signature, hmac(`${method}\n${path}\n${timestamp}\n${body}`));
    assert.deepEqual(signed, {
      'acquirer-key-id': 'main',
      'acquirer-timestamp': timestamp,
      'acquirer-signature': signature,
    });
  });

  test('the answer', () => {
    const { status, body, signature } = example.answer;
    assert.equal(signature, hmac(`ANSWER\n${example.request.signature}\n${status}\n${body}`));
    assert.deepEqual(signAnswer(key, example.request.signature, status, body), { 'acquirer-signature': signature });
  });

  test('the callback', () => {
    const { path, timestamp, body, signature } = example.callback;
    assert.equal(signature, hmac(`POST\n${path}\n${timestamp}\n${body}`));
    const headers = {
      'acquirer-key-id': 'main',
      'acquirer-timestamp': timestamp,
      'acquirer-signature': signature,
    };
    const read = readCallback({ headers, rawBody: Buffer.from(body) }, [key], clockAt(Number(timestamp)));
    assert.equal(read.kind, 'callback');
  });
});

describe('a request is refused', () => {
  const verdict = (changes: { message?: object; headers?: object; keys?: SigningKey[]; seconds?: number }) => {
    const message = { ...example.request, ...changes.message };
    const headers = { ...signed, ...changes.headers };
    const result = verifyRequest(changes.keys ?? [key], message, headers, clockAt(at + (changes.seconds ?? 0)));
    if (result.kind === 'valid') return 'valid';
    assert.equal(result.kind, 'refused');
    return result.why;
  };
  const other: SigningKey = { id: 'other', secret: new Secret('x'.repeat(32)) };

  const rows: [string, Parameters<typeof verdict>[0], string][] = [
    ['never when it is as it was signed', {}, 'valid'],
    ['never within the tolerance', { seconds: 300 }, 'valid'],
    ['never when its key is one of several', { keys: [other, key] }, 'valid'],
    ['when it is too old', { seconds: 301 }, 'stale'],
    ['when it is from the future', { seconds: -301 }, 'stale'],
    ['with another method', { message: { method: 'GET' } }, 'wrong signature'],
    ['with another path', { message: { path: '/refunds' } }, 'wrong signature'],
    ['with another body', { message: { body: '{}' } }, 'wrong signature'],
    ['with another time', { headers: { 'acquirer-timestamp': String(at + 1) } }, 'wrong signature'],
    ['with a cut signature', { headers: { 'acquirer-signature': 'v1=00' } }, 'wrong signature'],
    ['without a signature', { headers: { 'acquirer-signature': undefined } }, 'unsigned'],
    ['without a key', { headers: { 'acquirer-key-id': undefined } }, 'unsigned'],
    ['with two keys', { headers: { 'acquirer-key-id': ['main', 'main'] } }, 'unsigned'],
    ['without a time', { headers: { 'acquirer-timestamp': undefined } }, 'unsigned'],
    ['with two signatures', { headers: { 'acquirer-signature': ['v1=00', 'v1=01'] } }, 'unsigned'],
    ['of an unknown key', { keys: [other] }, 'unknown key'],
    ['with another secret', { keys: [{ id: 'main', secret: other.secret }] }, 'wrong signature'],
  ];
  for (const [name, changes, expected] of rows) test(name, () => assert.equal(verdict(changes), expected));

  // Guarantee: a timestamp that is not a number (`NaN`) never counts as fresh.
  test('when its time is no number', () => {
    const headers = signRequest(key, example.request, { now: () => ({ epochMilliseconds: Number.NaN }) as never });
    assert.equal(verdict({ headers }), 'stale');
  });
});

// Guarantee: a time is never ahead of the clock that it was read from.
test('the time of a request is the second that has begun', () => {
  const headers = signRequest(key, example.request, clockAt(at + 0.999));
  assert.equal(headers['acquirer-timestamp'], String(at));
});

// Guarantee: the response to one request cannot be passed off as the response to another.
test('a response is bound to its request, status and body', () => {
  const { status, body, signature } = example.answer;
  const request = example.request.signature;
  assert.equal(verifyAnswer(key, request, status, body, signature), true);
  assert.equal(verifyAnswer(key, request.replace(/.$/, '_'), status, body, signature), false);
  assert.equal(verifyAnswer(key, request, 500, body, signature), false);
  assert.equal(verifyAnswer(key, request, status, `${body} `, signature), false);
  assert.equal(verifyAnswer(key, request, status, body, null), false);
});

test('a callback that is signed but means nothing is malformed', () => {
  for (const [body, field] of [
    ['', ''],
    ['{', ''],
    ['{}', 'kind'],
    ['{"kind":"charge","key":"A","result":{"kind":"approved"}}', 'result'],
    ['{"kind":"refund","key":"\\u0000","result":{"kind":"approved"}}', 'key'],
  ] as const) {
    const headers = signRequest(key, { method: 'POST', path: '/acquirer/callback', body }, clockAt(at));
    const read = readCallback({ headers, rawBody: Buffer.from(body) }, [key], clockAt(at));
    assert.deepEqual([read.kind, read.kind === 'refused' && read.why], ['refused', 'malformed']);
    assert.deepEqual('faults' in read && read.faults.map((fault) => fault.field), [field]);
  }
});

describe('secrets as the setting spells them', () => {
  const secret = 'a'.repeat(32);
  const ids = (text: string) => signingKeysFrom(text)?.map(({ id }) => id);
  test('one or several, the first first', () => {
    assert.deepEqual(ids(`main:${secret}`), ['main']);
    assert.deepEqual(ids(`new:${secret}, old:${secret}`), ['new', 'old']);
    assert.equal(signingKeysFrom(`main:${secret}`)?.[0].secret.reveal(), secret);
  });
  test('short, nameless or half wrong ones are none', () => {
    for (const text of ['', secret, `main:${secret.slice(1)}`, `:${secret}`, `main:${secret},`, `main:${secret},x`]) {
      assert.equal(ids(text), undefined, text);
    }
  });
});
