import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { originFrom } from './origins.ts';

const rows: readonly (readonly [string, string | undefined])[] = [
  ['https://shop.example', 'https://shop.example'],
  [' https://Shop.Example:443/ ', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['https://żółw.example', 'https://xn--w-uga1v8h.example'],
  ['https://192.0.2.1', 'https://192.0.2.1'],
  ['http://127.0.0.1:3001', 'http://127.0.0.1:3001'],
  ['http://shop.localhost', 'http://shop.localhost'],
  ['http://shop.example', undefined],
  ['http://127.0.0.1.evil.example', undefined],
  ['http://notlocalhost', undefined],
  ['https://shop.example/path', undefined],
  ['https://shop.example?', undefined],
  ['https://shop.example#', undefined],
  ['https://user@shop.example', undefined],
  ['https://*.shop.example', undefined],
  ['https://*', undefined],
  ['https://shop.example;script-src *', undefined],
  ["https://shop.example'none'", undefined],
  ['https://shop.example,https://b.example', undefined],
  ['https://shop.example https://b.example', undefined],
  ['https://[::1]', undefined],
  ['https:\\\\shop.example', undefined],
  ['https://', undefined],
  ['*', undefined],
  ["'self'", undefined],
  ['null', undefined],
  ['data:', undefined],
  ['shop.example', undefined],
  ['javascript://shop.example', undefined],
  ['', undefined],
];

suite('origins that may embed the form', () => {
  for (const [text, origin] of rows) {
    test(`${JSON.stringify(text)} is ${origin ?? 'none'}`, () => assert.equal(originFrom(text, true), origin));
  }

  // Guarantee: outside the sandbox the way from the shop to the form is encrypted.
  test('http in live mode', () => assert.equal(originFrom('http://127.0.0.1:3001', false), undefined));
});
