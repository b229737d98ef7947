import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Cell, csvLine } from './csv.ts';

suite('lines of CSV', () => {
  const lines: [readonly Cell[], string, string][] = [
    [['a', 'b'], 'a;b', 'a,b'],
    [[{ minor: -3_100n }, { minor: 5n }, 7, null], '"-31,00";"0,05";7;', '-31.00,0.05,7,'],
    [['tea; green', 'tea, green'], '"tea; green";"tea, green"', '"tea; green","tea, green"'],
    [['say "hi"'], '"say ""hi"""', '"say ""hi"""'],
    [['two\nlines'], '"two\nlines"', '"two\nlines"'],
    // Guarantee: nothing that a payer or shop writes is run by a spreadsheet program.
    [['=1+1'], '"\'=1+1"', '"\'=1+1"'],
    [['+48 600'], '"\'+48 600"', '"\'+48 600"'],
    [['-1'], '"\'-1"', '"\'-1"'],
    [['@sum(a1)'], '"\'@sum(a1)"', '"\'@sum(a1)"'],
    [['\t=1'], '"\'\t=1"', '"\'\t=1"'],
    [['  =1'], '"\'  =1"', '"\'  =1"'],
    [['＝1'], '"\'＝1"', '"\'＝1"'],
    [['Jan;=1+1'], `"Jan;'=1+1"`, `"Jan;'=1+1"`],
    [['Jan,=1+1,-2'], `"Jan,'=1+1,'-2"`, `"Jan,'=1+1,'-2"`],
    [['Jan; "=1"'], `"Jan;' ""=1"""`, `"Jan;' ""=1"""`],
    [['Jan\n@x'], `"Jan\n'@x"`, `"Jan\n'@x"`],
    [['Jan; Tea, 1'], '"Jan; Tea, 1"', '"Jan; Tea, 1"'],
    [['Żółw = 1'], 'Żółw = 1', 'Żółw = 1'],
    [["it's"], "it's", "it's"],
  ];
  for (const [cells, polish, english] of lines) {
    test(
      JSON.stringify(cells, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
      () => {
        assert.equal(csvLine(cells, 'pl'), `${polish}\r\n`);
        assert.equal(csvLine(cells, 'en'), `${english}\r\n`);
      },
    );
  }
});
