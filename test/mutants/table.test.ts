// The table of mutants fits the code: a line that moved is named at once, not by the next run of `npm run mutants`.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { groupsOf, reachOf } from './groups.ts';
import { type Mutant, movedFrom, mutated } from './mutant.ts';
import { table } from './table/index.ts';

const read = (file: string) => readFileSync(file, 'utf8');

suite('the table of mutants', () => {
  // Guarantee: every mutant can be tried. After a change of its line, the line of the table is changed too.
  test('has lines as they stand', () => {
    const texts = new Map(
      [...new Set(table.map(({ file }) => file))].map((file) => [file, existsSync(file) ? read(file) : '']),
    );
    assert.deepEqual(
      table.flatMap((mutant) => movedFrom(texts.get(mutant.file) ?? '', mutant) ?? []),
      [],
    );
    for (const mutant of table) assert.notEqual(mutated(mutant.line, mutant), mutant.line, mutant.bug);
  });

  test('names tests that exist', () => {
    const texts = new Map<string, string>();
    const missing = table.flatMap(({ tests, bug }) =>
      Object.entries(tests).flatMap(([file, names]) => {
        if (!texts.has(file)) texts.set(file, existsSync(file) ? read(file) : '');
        const text = texts.get(file) ?? '';
        if (text === '') return [`${file}: ${bug}`];
        // Names with values in them are known only when they run.
        const isMade = /\btest\(\s*(?:`[^`]*\$\{|\w+,)/.test(text);
        return isMade ? [] : names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`);
      }),
    );
    assert.deepEqual(missing, []);
  });

  // Guarantee: money, access and proof have mutants in every room, in the schema, the SDK and the browser.
  test('has at least 200 of them, in every room', () => {
    assert.ok(table.length >= 200, `${table.length}`);
    const rooms = globSync('src/*/').map((room) => `${room.replace(/\/$/, '')}/`);
    const places = [...rooms, 'sql/', 'sdk/', 'web/pay/'];
    assert.deepEqual(
      places.filter((place) => !table.some(({ file }) => file.startsWith(place))),
      [],
    );
    const names = table.map(({ file, bug }) => `${file}: ${bug}`);
    assert.equal(new Set(names).size, names.length);
  });
});

suite('mutants that are tried together', () => {
  const aMutant = (file: string, test: string): Mutant => ({
    file,
    line: 'a',
    instead: 'b',
    bug: `${file} ${test}`,
    tests: { [test]: [] },
  });

  // Guarantee: a test that fails tells whose bug it noticed, because it reaches no other one.
  test('have different files, and tests that reach no other’s', () => {
    const reach: Record<string, Set<string> | undefined> = {
      'a.test': new Set(['a.test', 'a', 'c']),
      'b.test': new Set(['b.test', 'b']),
      'c.test': new Set(['c.test', 'c']),
      'service.test': undefined,
    };
    const [a, again, b, c, all] = [
      aMutant('a', 'a.test'),
      aMutant('a', 'a.test'),
      aMutant('b', 'b.test'),
      aMutant('c', 'c.test'),
      aMutant('d', 'service.test'),
    ];
    assert.deepEqual(
      groupsOf([a, again, b, c, all], (test) => reach[test]),
      [[a, b], [again], [c], [all]],
    );
  });

  test('a test reaches what it imports; one that opens the service reaches all', () => {
    assert.deepEqual([...(reachOf('src/kernel/money.test.ts') ?? [])].sort(), [
      'src/kernel/money.test.ts',
      'src/kernel/money.ts',
    ]);
    assert.equal(reachOf('test/ledger/ledger.test.ts'), undefined);
  });
});
