// Input that is made to cost time. Bounds are compared with what a good token costs, because machines differ: a good
// token costs about a millisecond, and the rule is that nothing of 32 KB costs more than twenty.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hostileTokens } from '../../../test/support/hostile-tokens.ts';
import { accepted, aToken, open } from '../../../test/support/wallet-tokens.ts';
import { Asn1Fault, readBer } from '../../asn1/reader.ts';
import { sequence } from '../../asn1/writer.ts';
import { tokenCharactersAtMost } from './envelope.ts';

const goodToken = aToken();

/** Processor milliseconds, the least of several runs: what others do on the machine only adds. */
function cost(token: string): number {
  const times = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    open(token);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

suite('hostile input', () => {
  // Guarantee: a stranger's 32 KB cannot hold up the payments of others.
  for (const [name, token, reason] of hostileTokens(aToken)) {
    test(name, () => {
      const result = open(token);
      assert.equal(result.outcome === 'accepted' ? 'accepted' : result.reason, reason);
      if (reason !== 'too_large') assert.ok(token.length <= tokenCharactersAtMost, `${token.length} characters`);
      for (let warmUp = 0; warmUp < 5; warmUp += 1) accepted(goodToken);
      const allowed = 10 * cost(goodToken);
      const seen = cost(token);
      assert.ok(seen <= allowed, `${seen} ms, and ${allowed} are allowed`);
    });
  }

  // Guarantee: the bounds are what stops the reader, not the size of the input.
  test('the reader stops at its bounds', () => {
    const bounds = { depth: 4, elements: 10 };
    assert.throws(() => readBer(Buffer.from('30803080308030803080', 'hex'), bounds), Asn1Fault);
    assert.throws(() => readBer(sequence(Buffer.alloc(20, '0500', 'hex')), bounds), Asn1Fault);
    assert.equal(readBer(sequence(Buffer.alloc(18, '0500', 'hex')), bounds).children.length, 9);
  });

  for (const [name, hex] of [
    ['nothing', ''],
    ['an identifier alone', '30'],
    ['a primitive element of indefinite length', '0480000000'],
    ['an end mark that is none', '30800001'],
    ['an end mark outside', '30020000'],
    ['no end mark', '30800500'],
    ['a child longer than its parent', '300305040000'],
    ['bytes behind the end', '0500ff'],
  ] as const) {
    test(`the reader refuses ${name}`, () => {
      assert.throws(() => readBer(Buffer.from(hex, 'hex')), Asn1Fault);
    });
  }
});
