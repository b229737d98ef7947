import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { completed } from './partial-json.ts';
import { copied, createdIn, excerptOf, maskedText } from './rules.ts';

const shown = (body: unknown) => maskedText(excerptOf(body));

// Guarantee: of a body of any length the beginning is kept and shown, without secrets, and nothing else is held.
suite('what the log of requests keeps of a body', () => {
  test('a short one in full, a long one up to 4,000 characters', () => {
    assert.equal(shown(Buffer.from('{"a":1}')), '{"a":1}');
    assert.equal(shown(''), '');
    assert.equal(shown(undefined), '');
    assert.equal(shown('no JSON'), '(7 bytes that are not shown)');
    assert.equal(shown('{"a":1'), '(6 bytes that are not shown)');
    const long = shown(JSON.stringify({ items: Array.from({ length: 90 }, () => 'x'.repeat(100)) }));
    assert.equal(long.length, 4_001);
  });

  for (const size of [9_000, 70_000, 1_000_000]) {
    test(`of ${size} bytes`, () => {
      const body = JSON.stringify({ amount: 5, cvv: '123', payer: { name: 'Jan' }, note: 'x'.repeat(size), end: 1 });
      for (const given of [body, Buffer.from(body)]) {
        const excerpt = excerptOf(given);
        assert.ok(excerpt.start.length <= 8_192 && (excerpt.start as Buffer).buffer.byteLength <= 8_192);
        assert.equal(maskedText(excerpt), '{"amount":5,"cvv":"(hidden)","payer":{"name":"Jan"}}…');
      }
    });
  }

  test('a card number that was cut in half is not shown', () => {
    for (const rest of ['4111111111111111', '4111 1111 1111 1111']) {
      for (let cut = 0; cut < rest.length; cut += 1) {
        const body = `{"a":"${'x'.repeat(8_192 - 12 - cut)}","b":"${rest}"${' '.repeat(100)}}`;
        assert.doesNotMatch(shown(body), /4111/);
        const number = `{"a":"${'x'.repeat(8_192 - 11 - cut)}","b":${rest.replaceAll(' ', '')}${' '.repeat(100)}}`;
        assert.doesNotMatch(shown(number), /4111/);
      }
    }
  });

  test('every beginning of JSON is completed to JSON', () => {
    const text = JSON.stringify({ a: [1, -2.5e-7, true, null, { 'b"\\': 'c,:{}[]"', d: {} }, []], e: 'żółw\n', f: 12 });
    for (let end = 1; end <= text.length; end += 1) assert.ok(JSON.parse(completed(text.slice(0, end))) !== undefined);
    assert.equal(completed(text), text);
    assert.equal(completed('{"a":1,"b'), '{"a":1}');
    assert.equal(completed('{"a":1,"b":12'), '{"a":1}');
    assert.equal(completed('[{"a":[1,2'), '[{"a":[1]}]');
  });
});

suite('the excerpt of a body', () => {
  test('a short text is held as it is, anything else is copied', () => {
    const text = 'x'.repeat(8_192);
    assert.deepEqual(excerptOf(text), { start: text, length: 8_192 });
    assert.deepEqual(excerptOf(`${text}y`), { start: Buffer.from(text), length: 8_193 });
    const bytes = Buffer.from('{"a":1}');
    const kept = excerptOf(bytes);
    bytes.fill(0);
    assert.deepEqual(kept, { start: Buffer.from('{"a":1}'), length: 7 });
    assert.deepEqual(excerptOf(undefined), { start: '', length: 0 });
  });

  test('8,192 bytes are shown in full, one more is not', () => {
    const body = (length: number) => '{"a":1}'.padEnd(length, ' ');
    assert.equal(shown(body(8_192)), '{"a":1}');
    assert.equal(shown(body(8_193)), '{"a":1}…');
  });

  test('4,000 characters are shown in full, one more is not', () => {
    const body = (length: number) => JSON.stringify(Array.from({ length: length / 100 }, () => 'x'.repeat(97)));
    const text = body(4_000);
    assert.equal(text.length, 4_001);
    assert.equal(shown(text), `${text.slice(0, 4_000)}…`);
    const shorter = text.replace('x', '');
    assert.equal(shown(shorter), shorter);
  });

  test('what PostgreSQL cannot store is left out', () => {
    assert.equal(shown('{"a":"b\\u0000c\\ud800"}'), '{"a":"b\\u0000c\\ud800"}');
  });

  test('a copied text is its beginning', () => {
    assert.deepEqual([copied('abc', 3), copied('abcd', 3), copied('', 3)], ['abc', 'abc', '']);
  });
});

suite('what a request created', () => {
  const id = '01ARYZ6S41TSV4RRFFQ69G5FAV';
  const other = '01ARYZ6S41TSV4RRFFQ69G5FAW';
  // Guarantee: the log names only what the response itself names first, by a field that is an id.
  for (const [body, expected] of [
    [{ transactionId: id, refundId: other }, id],
    [{ id }, id],
    [{ name: other, refundId: id }, id],
    [{ idea: other, id }, id],
    [{ 'not-id': other, id }, id],
    [{ transactionId: 'x', refundId: id }, id],
    [{ id: [id] }, null],
    [{}, null],
    [null, null],
    [5, null],
  ] as const) {
    test(`${JSON.stringify(body)}: ${expected}`, () =>
      assert.equal(createdIn(excerptOf(JSON.stringify(body))), expected));
  }

  test('nothing, if it is no JSON or too long to be read', () => {
    assert.equal(createdIn(excerptOf('no JSON')), null);
    const body = (length: number) => JSON.stringify({ id }).padEnd(length, ' ');
    assert.equal(createdIn(excerptOf(body(8_192))), id);
    assert.equal(createdIn(excerptOf(body(8_193))), null);
  });
});
