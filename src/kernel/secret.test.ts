import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from './secret.ts';

suite('Secret', () => {
  const secret = new Secret('hunter2');

  test('reveal gives the value', () => assert.equal(secret.reveal(), 'hunter2'));

  // Guarantee: a secret that ends up in a log line, an error or a response does not show its value.
  for (const [way, text] of [
    ['template', `${secret}`],
    ['concatenation', `a ${String(secret)}`],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ['format %s', format('%s', secret)],
    ['format %o', format('%o', secret)],
    ['format %j', format('%j', secret)],
    ['keys', Object.keys(secret).join()],
    ['values', Object.values(secret).join()],
    ['spread', JSON.stringify({ ...secret })],
    ['clone', JSON.stringify(structuredClone(secret))],
  ] as const) {
    test(`not by ${way}`, () => assert.ok(!text.includes('hunter2'), text));
  }
});
