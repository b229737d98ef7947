import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Posted } from '../../outbound/index.ts';
import { explainAnswer, faultOf, keptAnswer, nextTryAt, timetable } from './rules.ts';

const at = Temporal.Instant.from('2026-03-10T09:00:00Z');
const drawing = (byte: number) => ({ bytes: (count: number) => new Uint8Array(count).fill(byte) });
const seconds = (from: Temporal.Instant, to: Temporal.Instant | null) =>
  to === null ? null : from.until(to).total('seconds');

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

suite('the timetable', () => {
  // Guarantee: the delays of docs/decisions/0011, entry by entry, each with up to 10 % jitter.
  const delays = [5, 60, 300, 900, 1_800, 3_600, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  for (const [index, delay] of delays.entries()) {
    test(`after ${index + 1} failed tries: ${delay} s`, () => {
      assert.equal(seconds(at, nextTryAt(at, index + 1, drawing(0))), (delay * (delay < 72_000 ? 9 : 10)) / 10);
      assert.equal(seconds(at, nextTryAt(at, index + 1, drawing(255))), (delay * 11) / 10);
    });
  }
  // Guarantee: a receiver that returns within 72 hours gets another attempt for every event.
  test('the last try is never before 72 hours', () => {
    const least = delays.map((_, index) => seconds(at, nextTryAt(at, index + 1, drawing(0))) ?? 0);
    assert.ok(least.reduce((sum, delay) => sum + delay, 0) > 72 * 3_600);
  });
  test('after 13 failed tries: exhausted', () => {
    assert.equal(nextTryAt(at, 13, drawing(0)), null);
    assert.equal(timetable.length, 13);
    assert.equal(timetable[0], 0, 'the first is immediate');
  });
});

suite('what counts as delivered', () => {
  const cases: [contentType: string, status: number, answer: string, fault: string | null][] = [
    [form, 200, 'TRUE', null],
    [form, 200, ' TRUE\r\n', null],
    [form, 200, 'true', 'wrong_answer'],
    [form, 200, 'TRUE!', 'wrong_answer'],
    [form, 200, '', 'wrong_answer'],
    [form, 200, 'FALSE', 'wrong_answer'],
    [form, 200, '{"result":true}', 'wrong_answer'],
    [form, 201, 'TRUE', 'wrong_status'],
    [form, 204, '', 'wrong_status'],
    [form, 301, 'TRUE', 'redirect'],
    [form, 302, 'TRUE', 'redirect'],
    [form, 308, 'TRUE', 'redirect'],
    [form, 299, 'TRUE', 'wrong_status'],
    [form, 300, 'TRUE', 'redirect'],
    [form, 399, 'TRUE', 'redirect'],
    [form, 400, 'TRUE', 'wrong_status'],
    [form, 404, 'TRUE', 'wrong_status'],
    [form, 500, 'TRUE', 'wrong_status'],
    [json, 200, 'TRUE', null],
    [json, 200, '{"result": true}', null],
    [json, 200, '{"result":true,"more":1}\n', null],
    [json, 200, '{"result":"true"}', 'wrong_answer'],
    [json, 200, '{"result":false}', 'wrong_answer'],
    [json, 200, 'true', 'wrong_answer'],
    [json, 200, 'null', 'wrong_answer'],
    [json, 200, '5', 'wrong_answer'],
    [json, 200, '"result"', 'wrong_answer'],
    [json, 200, '{}', 'wrong_answer'],
    [json, 200, '{', 'wrong_answer'],
    [json, 202, '{"result": true}', 'wrong_status'],
  ];
  for (const [contentType, status, answer, fault] of cases) {
    test(`${contentType} ${status} ${JSON.stringify(answer)}: ${fault ?? 'delivered'}`, () => {
      const posted: Posted = { status, fault: null, answer: Buffer.from(answer), milliseconds: 1 };
      assert.equal(faultOf(contentType, posted), fault);
    });
  }
  test('a fault of the connection stays what it is, whatever was read before', () => {
    const posted: Posted = { status: 200, fault: 'answer_too_large', answer: Buffer.from('TRUE'), milliseconds: 1 };
    assert.equal(faultOf(form, posted), 'answer_too_large');
  });
});

test('the log keeps 1 KB of a response, without what PostgreSQL cannot store', () => {
  assert.equal(keptAnswer(Buffer.alloc(5_000, 'a')).length, 1_024);
  assert.equal(keptAnswer(Buffer.from([65, 0, 66])), 'A\ufffdB');
  assert.equal(keptAnswer(Buffer.from([0xff, 0xfe])), '\ufffd\ufffd');
});

suite('what is told about a response that does not confirm', () => {
  // Guarantee: it says what was expected and the beginning of what came; a card number in it is hidden.
  for (const [contentType, error, status, answer, sentence] of [
    [form, 'wrong_answer', 200, 'OK', 'Expected status 200 and the body TRUE; got status 200 and the body "OK".'],
    [form, 'wrong_answer', 200, ' ', 'Expected status 200 and the body TRUE; got status 200 and an empty body.'],
    [
      json,
      'wrong_answer',
      200,
      '{"result":"true"}',
      'Expected status 200 and the body TRUE or {"result": true}; got status 200 and the body "{\\"result\\":\\"true\\"}".',
    ],
    [
      form,
      'wrong_status',
      500,
      'card 4111 1111-11111111',
      'Expected status 200 and the body TRUE; got status 500 and the body "card ****".',
    ],
    [
      form,
      'redirect',
      301,
      '4111 1111 1111 and 4111 1111 1111 1111 111 and 41111111111',
      'Expected status 200 and the body TRUE; got status 301 and the body "**** and **** and 41111111111".',
    ],
    [form, 'timed_out', null, '', null],
    [form, null, 200, 'TRUE', null],
  ] as const) {
    test(`${error} ${status} ${answer}`, () => {
      assert.equal(explainAnswer(contentType, error, status, answer), sentence);
    });
  }

  test('only the beginning', () => {
    const sentence = explainAnswer(form, 'wrong_answer', 200, 'x'.repeat(1_000)) ?? '';
    assert.ok(sentence.endsWith(`the body "${'x'.repeat(80)}...".`), sentence);
    assert.match(explainAnswer(form, 'wrong_answer', 200, 'x'.repeat(80)) ?? '', /x{80}"/);
  });
});
