// Files of banks: what is booked from them later, and what a hostile one could do.

import type { Mutant } from '../mutant.ts';

const read = (name: string) => ({ 'src/bankfiles/read.test.ts': [name] });

export const bankfilesMutants: readonly Mutant[] = [
  {
    file: 'src/bankfiles/tally.ts',
    line: 'opening + this.#sumMinor !== closingMinor',
    instead: 'opening + this.#sumMinor > closingMinor',
    bug: 'a statement that lacks lines is taken for whole',
    tests: read('sums that differ'),
  },
  {
    file: 'src/bankfiles/camt-entry.ts',
    line: 'this.#withAmount === this.#details && this.#sumMinor === amountMinor',
    instead: 'this.#withAmount === this.#details',
    bug: 'the payments of a batch are booked although they do not make its sum',
    tests: read('details that differ'),
  },
  {
    file: 'src/bankfiles/camt-entry.ts',
    line: "export const isBooked = (entry: Scope) => entry.get('Sts/Cd', 'Sts') === 'BOOK';",
    instead: "export const isBooked = (entry: Scope) => entry.get('Sts/Cd', 'Sts') !== 'INFO';",
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
    file: 'src/bankfiles/mt940.ts',
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
    line: 'new TextDecoder(label, { fatal: true })',
    instead: 'new TextDecoder(label)',
    bug: 'bytes that do not fit the encoding are replaced',
    tests: read('bytes of another encoding'),
  },
  {
    file: 'src/bankfiles/reference.ts',
    line: "text.toUpperCase().replaceAll(/\\s/g, '')",
    instead: 'text.toUpperCase()',
    bug: 'a payment whose reference the bank broke in two lines is not found',
    tests: { 'src/bankfiles/reference.test.ts': ['broken by the bank'] },
  },
];
