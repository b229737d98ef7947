// Mutants of verification: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const verificationMutants: readonly Mutant[] = [
  {
    file: 'src/verification/open.ts',
    line: 'if (runs) return { run: last, isOurs: false };',
    instead: '',
    bug: 'two runs of verify go over the same books at once',
    tests: { 'test/panel/operator.test.ts': ['P92, P93: the books are verified in the background'] },
  },
];
