import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withoutSecrets } from '../mask.ts';
import { auditTable } from '../table.ts';
import { auditDetails, auditHash, auditStart } from './rules.ts';

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

suite('how much is kept', () => {
  const fields = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x'.repeat(length)]));
  const texts = (count: number) => Array.from({ length: count }, () => 'x'.repeat(50));
  const detailsOf = (asked: unknown) => JSON.parse(auditDetails(asked)) as Record<string, string | unknown[]>;

  // Guarantee: as much of every value as fits, and each says how long it was.
  for (const [count, length, kept] of [
    [4, 1_001, 500],
    [5, 1_000, 200],
    [10, 401, 200],
    [10, 400, 80],
    [25, 161, 80],
    [25, 160, 40],
    [45, 81, 40],
    [50, 80, 20],
  ] as const) {
    test(`of ${count} texts of ${length} characters: ${kept}`, () => {
      assert.equal(detailsOf(fields(count, length)).f0, `${'x'.repeat(kept)}… (${length} characters)`);
    });
  }

  const list = (count: number, item: unknown) => ({ list: Array.from({ length: count }, () => item) });
  for (const [name, asked, kept] of [
    ['100 texts', list(100, 'x'.repeat(50)), 50],
    ['50 long texts', list(50, 'x'.repeat(100)), 10],
    ['11 objects', list(11, fields(10, 60)), 3],
    ['10 objects', list(10, fields(10, 60)), 3],
    ['5 large objects', list(5, fields(20, 60)), 1],
  ] as const) {
    test(`of a list of ${name}: ${kept}`, () => {
      const kepts = detailsOf(asked).list as unknown[];
      assert.deepEqual([kepts.length, kepts.at(-1)], [kept + 1, `… (${asked.list.length} items)`]);
    });
  }

  test('a list that fits has no note, and one that was cut before keeps its own', () => {
    const short = { list: Array.from({ length: 10 }, (_, index) => index), text: 'x'.repeat(5_000) };
    assert.deepEqual(detailsOf(short).list, short.list);
    const long = { list: Array.from({ length: 200 }, () => 'x'.repeat(50)) };
    assert.equal((detailsOf(long).list as unknown[]).at(-1), '… (200 items)');
    const fits = { list: texts(50), text: 'x'.repeat(3_000) };
    assert.equal((detailsOf(fits).list as unknown[]).length, 50);
    for (const end of ['note … (9 items)', '… (9 items) x'])
      assert.equal((detailsOf({ list: [...texts(99), end] }).list as unknown[]).at(-1), '… (100 items)');
    const last = { list: [...Array.from({ length: 100 }, () => 'x'.repeat(50)).slice(1), 'note … (9 items) x'] };
    assert.equal((detailsOf(last).list as unknown[]).at(-1), '… (100 items)');
    assert.equal(
      detailsOf({ a: `${'x'.repeat(1_500)}… (9 characters)x`, b: fields(4, 990) }).a,
      `${'x'.repeat(200)}… (1517 characters)`,
    );
  });

  // Guarantee: of what is still too long, every name is there that fits, and the shortest values.
  test('names with the values that fit', () => {
    const named = (count: number, length: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padStart(length, 'n'), value]));
    const many = detailsOf(named(120, 60, 'v'.repeat(30)));
    const names = Object.keys(many);
    assert.deepEqual([names.length, many.omitted], [Math.floor((4_000 - 32) / (60 + 32)) + 1, `${120 - 43} fields`]);
    assert.equal(many[names[0] ?? ''], '… (32 characters)');
    const one = detailsOf(named(44, 60, 'v'.repeat(60)));
    assert.equal(one.omitted, '1 fields');
    const last = detailsOf({ ...named(43, 60, 'v'.repeat(60)), n: 1 });
    assert.deepEqual([Object.keys(last).length, last.n, last.omitted], [44, undefined, '1 fields']);
    const exact = detailsOf({ ...named(30, 92, 'v'.repeat(60)), short: 1 });
    assert.equal(exact.short, 1);
    assert.equal(exact.omitted, undefined);
    const long = detailsOf({ ['m'.repeat(5_000)]: { a: named(90, 60, 'v') } });
    assert.deepEqual(Object.keys(long), ['m'.repeat(100)]);
    assert.deepEqual(JSON.parse(auditDetails(named(90, 60, 'v').toString().padEnd(3_990, '{'))).length, 3_990);
  });

  test('a text or a number is what it is, or how long it is', () => {
    assert.equal(auditDetails('tea'), '"tea"');
    assert.equal(auditDetails(5), '5');
    assert.match(auditDetails('x'.repeat(9_000)), /^"x+… \(9000 characters\)"$/);
  });

  test('null and nothing', () => {
    assert.equal(auditDetails(null), '{}');
    assert.equal(auditDetails({ a: null, b: 'x'.repeat(9_000) }).startsWith('{"a":null,"b":"x'), true);
  });

  test('4,000 characters are kept as they are, one more is not', () => {
    const texts = { a: 'x'.repeat(1_000), b: 'x'.repeat(1_000), c: 'x'.repeat(1_000), d: '' };
    const asked = (length: number) => ({ ...texts, d: 'x'.repeat(length - JSON.stringify(texts).length) });
    assert.equal(auditDetails(asked(4_000)), JSON.stringify(asked(4_000)));
    assert.equal(auditDetails(asked(4_000)).length, 4_000);
    assert.match(auditDetails(asked(4_001)), /^\{"a":"x{200}… \(1000 characters\)"/);
  });
});

suite('the hash of an entry', () => {
  const row = {
    position: 7n,
    ofPosition: null,
    at: Temporal.Instant.from('2026-03-10T09:00:00.123456Z'),
    userId: 'U',
    email: 'e@shop.example',
    accountId: 'A',
    action: 'act',
    target: 'T',
    subjectId: 'S',
    details: '{}',
    outcome: 'done',
    address: '192.0.2.1',
    userAgent: 'browser',
  };

  // Guarantee: no column can be changed without breaking the chain; the columns are those of the table.
  test('covers every column', () => {
    const columns = auditTable.columns.map(({ name }) =>
      name.replaceAll(/_(\w)/g, (_, first: string) => first.toUpperCase()),
    );
    const own = columns.filter((name) => name !== 'hash');
    assert.deepEqual(own.toSorted(), Object.keys(row).toSorted());
    const others = {
      position: 8n,
      ofPosition: 6n,
      at: row.at.add({ microseconds: 1 }),
      userId: null,
      accountId: null,
      subjectId: null,
      outcome: null,
    };
    const hashes = own.map((name) => {
      const value = name in others ? others[name as keyof typeof others] : 'other';
      return auditHash(auditStart, { ...row, [name]: value }).toHex();
    });
    assert.equal(new Set([auditHash(auditStart, row).toHex(), ...hashes]).size, own.length + 1);
  });

  test('tells one position from another', () => {
    const hashOf = (ofPosition: bigint) => auditHash(auditStart, { ...row, ofPosition }).toHex();
    assert.notEqual(hashOf(5n), hashOf(6n));
  });

  test('covers the entry before it', () => {
    const first = auditHash(auditStart, row);
    assert.notEqual(auditHash(first, row).toHex(), first.toHex());
    assert.deepEqual([auditStart.length, first.length], [32, 32]);
  });
});
