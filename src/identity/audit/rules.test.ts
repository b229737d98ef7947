import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withoutSecrets } from '../mask.ts';
import { auditDetails } from './rules.ts';

const atMost = 4_000;

suite('details of an entry in the audit log', () => {
  // Guarantee: a long value hides no other: what was changed next to it can be read.
  test('a logo next to a changed address', () => {
    const asked = {
      logo: 'iVBORw0KGgo'.repeat(10_000),
      cardUrl: 'https://evil.example/cards?id={id}',
      embedOrigins: ['https://evil.example'],
      mails: { paid: false },
    };
    const text = auditDetails(asked);
    assert.ok(text.length <= atMost);
    const { logo, ...others } = JSON.parse(text);
    const { logo: _, ...expected } = asked;
    assert.deepEqual(others, expected);
    assert.match(logo, /^iVBOR.*… \(110000 characters\)$/);
  });

  test('short details stay as they are, without secrets', () => {
    assert.equal(auditDetails({ name: 'A', password: 'x' }), '{"name":"A","password":"(hidden)"}');
    assert.equal(auditDetails(undefined), '{}');
  });

  test('a list of many', () => {
    const text = auditDetails({
      childTransactions: Array.from({ length: 99 }, () => ({ amount: 1, text: 'x'.repeat(60) })),
    });
    assert.ok(text.length <= atMost);
    assert.match(text, /\(99 items\)/);
  });

  // Guarantee: what a person sends stops nobody else, however much it is; the entry says how much it was.
  test('a list of many with lists of many', () => {
    const product = { name: 'Tea 4111 1111 1111 1111', quantity: 1, unitPrice: 100, note: 'x, 1'.repeat(8) };
    const products = Array.from({ length: 100 }, () => product);
    const childTransactions = Array.from({ length: 100 }, () => ({ amount: 1, products }));
    const asked = { childTransactions, returnUrl: 'https://shop.example' };
    const countOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((n, one) => n + countOf(one), 0)
        : 1;
    assert.ok(countOf(withoutSecrets(asked)) <= 2_500, String(countOf(withoutSecrets(asked))));
    const before = process.threadCpuUsage();
    const text = auditDetails(asked);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 50_000, `${user + system} us`);
    const { childTransactions: children, returnUrl } = JSON.parse(text);
    assert.ok(text.length <= atMost && returnUrl === asked.returnUrl && children.length > 2, text);
    assert.equal(children.at(-1), '… (100 items)');
    assert.equal(children[0].products.at(-1), '… (100 items)');
    assert.doesNotMatch(text, /4111/);
  });

  // Guarantee: whatever is asked, the entry is JSON, bounded, and has the names.
  test('whatever is asked', () => {
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`name${index}`, 'v'.repeat(15)]));
    const deep = (depth: number): unknown =>
      depth === 0 ? 'x'.repeat(30) : { a: deep(depth - 1), b: deep(depth - 1) };
    const asked = [
      wide,
      deep(8),
      { short: 1, deep: deep(8) },
      { ['n'.repeat(5_000)]: 1, other: 'x' },
      'x'.repeat(9_000),
      Array.from({ length: 5_000 }, () => 'x'),
      { half: `${'x'.repeat(19)}\ud83d\ude00`.repeat(500) },
    ];
    for (const one of asked) {
      const text = auditDetails(one);
      assert.ok(text.length <= atMost && text.isWellFormed(), text.slice(0, 200));
      JSON.parse(text);
    }
    assert.match(auditDetails({ short: 1, deep: deep(8) }), /"short":1,"deep":"… \(\d+ characters\)"/);
    assert.match(auditDetails(wide), /"name50":.*"omitted":"\d+ fields"/);
  });
});
