// Mutants of banking: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const bankingMutants: readonly Mutant[] = [
  {
    file: 'src/banking/outgoing/send.ts',
    line: "await parkOutgoing(db.sql, [settlement.key], 'not_written', clock.now());",
    instead: '',
    bug: 'an outgoing refund whose result cannot be written comes again for ever',
    tests: { 'test/banking/astray.test.ts': ['a result that cannot be written is parked, and the others are settled'] },
  },
  {
    file: 'src/banking/parking.ts',
    line: 'if (!parked) return false;',
    instead: '',
    bug: 'a decision about something that is not parked is an error of the service',
    tests: { 'test/panel/operator.test.ts': ['P89, P90: nothing is parked'] },
  },
];
