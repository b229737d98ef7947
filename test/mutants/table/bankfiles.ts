// Files of banks: what is booked from them later, and what a hostile one could do.

import type { Mutant } from '../mutant.ts';

const read = (name: string) => ({ 'src/bankfiles/read.test.ts': [name] });

const sequence = (name: string) => ({ 'src/bankfiles/sequence.test.ts': [name] });

export const bankfilesMutants: readonly Mutant[] = [
  {
    file: 'src/bankfiles/sequence.ts',
    line: 'if (!continues || found !== wanted)',
    instead: 'if (!continues)',
    bug: 'a page that does not continue the one before is taken for its next',
    tests: sequence('another balance'),
  },
  {
    file: 'src/bankfiles/sequence.ts',
    line: "if (this.#ended.has(digest)) throw new FileFault({ code: 'statement_twice', parameters: {} });",
    instead: '',
    bug: 'the same statement twice in one file is booked twice',
    tests: sequence('the same one twice'),
  },
  {
    file: 'src/bankfiles/camt.ts',
    line: 'if (expected) throw lacking(expected.page);',
    instead: '',
    bug: 'a statement without its last pages is taken for whole',
    tests: sequence('the first page alone'),
  },
  {
    file: 'src/bankfiles/mt940.ts',
    line: 'const isBegun = !this.#isInside && cutBeginning.test(this.#lastLine);',
    instead: 'const isBegun = false;',
    bug: 'a file cut at the beginning of its next statement is taken for whole',
    tests: sequence('cut behind :2'),
  },
  {
    file: 'src/bankfiles/tally.ts',
    line: 'opening + this.#sumMinor !== closingMinor',
    instead: 'opening + this.#sumMinor > closingMinor',
    bug: 'a statement that lacks lines is taken for whole',
    tests: read('sums that differ'),
  },
  {
    file: 'src/bankfiles/camt-entry.ts',
    line: 'if (areAll && this.#sumMinor === amountMinor) return [];',
    instead: 'if (areAll) return [];',
    bug: 'the payments of a batch are booked although they do not make its sum',
    tests: read('details that differ'),
  },
  {
    file: 'src/bankfiles/camt-entry.ts',
    line: "  return status === 'BOOK';",
    instead: '  return true;',
    bug: 'an entry that is only announced counts as booked',
    tests: read('version 08'),
  },
  {
    file: 'src/bankfiles/camt-entry.ts',
    line: 'if (own !== currency) {',
    instead: "if (own === '') {",
    bug: 'euros are taken for zlotys',
    tests: read('another currency'),
  },
  {
    file: 'src/bankfiles/mt940-fields.ts',
    line: "const comes = sign === 'C' || sign === 'RD';",
    instead: "const comes = sign === 'C' || sign === 'RC';",
    bug: 'a credit that the bank took back counts as money that came',
    tests: read('movements'),
  },
  {
    file: 'src/bankfiles/xml.ts',
    line: 'if (this.#read - this.#at > charactersAtMost)',
    instead: 'if (this.#read - this.#at > Number.MAX_SAFE_INTEGER)',
    bug: 'a single tag or comment fills the memory',
    tests: read('attributes without end'),
  },
  {
    file: 'src/bankfiles/xml.ts',
    line: "throw new FileFault({ code: 'doctype_refused', parameters: {} });",
    instead: 'return;',
    bug: 'a file declares what its elements mean',
    tests: read('an external entity'),
  },
  {
    file: 'src/bankfiles/encoding.ts',
    line: 'new TextDecoder(labels[name] ?? name, { fatal: true })',
    instead: 'new TextDecoder(labels[name] ?? name)',
    bug: 'bytes that do not fit the encoding are replaced',
    tests: read('bytes of another encoding'),
  },
  {
    file: 'src/bankfiles/scopes.ts',
    line: "if (last.scope.name !== given.within || (above?.path ?? '') !== given.by) throw misplaced(name);",
    instead: 'if (last.scope.name !== given.within) throw misplaced(name);',
    bug: 'an entry is read wherever it stands',
    tests: read('details elsewhere'),
  },
  {
    file: 'src/bankfiles/scopes.ts',
    line: 'else throw twice(`${this.name}/${path}`);',
    instead: 'else before[0] = value;',
    bug: 'of two amounts the last one counts',
    tests: read('two amounts'),
  },
  {
    file: 'src/bankfiles/xml.ts',
    line: 'if (this.#isForeign(name, attributes)) this.#foreign = this.#depth;',
    instead: 'if (name === extension) this.#foreign = this.#depth;',
    bug: 'what is of another format counts as an entry',
    tests: read('places of values'),
  },
  {
    file: 'src/bankfiles/mt940.ts',
    line: "const isCut = isBegun || this.#open !== undefined || this.#sequence.expected !== undefined || this.#head.has('20');",
    instead: 'const isCut = this.#open !== undefined;',
    bug: 'a file that lacks its last statement is taken for whole',
    tests: read('a second statement cut short'),
  },
  {
    file: 'src/bankfiles/mt940-details.ts',
    line: 'const facts = title ? text.slice(0, title.index) : text;',
    instead: 'const facts = text;',
    bug: "a payer's title poses as a returned payout",
    tests: read('titles that pretend'),
  },
  {
    file: 'src/bankfiles/reference.ts',
    line: "text.toUpperCase().replaceAll(/\\s/g, '')",
    instead: 'text.toUpperCase()',
    bug: 'a payment whose reference the bank broke in two lines is not found',
    tests: { 'src/bankfiles/reference.test.ts': ['broken by the bank'] },
  },
];
