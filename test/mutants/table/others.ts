// Mutants of others: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const othersMutants: readonly Mutant[] = [
  {
    file: 'src/sandbox/advance.ts',
    line: 'if (others.length > 0)',
    instead: 'if (others.length > 9)',
    bug: 'time moves beside an acquirer that keeps its own',
    tests: { 'test/sandbox/operator.test.ts': ['409: an acquirer that keeps its own time is open'] },
  },
  {
    file: 'src/sandbox/clock.ts',
    line: 'return Temporal.Instant.compare(dueAt, jump.now) > 0 ? jump.now : dueAt;',
    instead: 'return jump.now;',
    bug: 'what is due on the way of a jump happens at its end',
    tests: { 'test/sandbox/clock.test.ts': ['charges and retries keep their own times'] },
  },
  {
    file: 'src/sandbox/store.ts',
    line: 'where moving_to is null or lease_until < ${wallNow} or moving_node = ${deadNode}`;',
    instead: 'where true`;',
    bug: 'two processes move the clock at once',
    tests: { 'test/sandbox/clock.test.ts': ['409: while it is being moved'] },
  },
  {
    file: 'src/methods/card.ts',
    line: "const charged = { initiator: 'merchant', cardToken: cardReference(token) } as const;",
    instead: 'const charged = { cardToken: cardReference(token) } as const;',
    bug: 'a saved card is charged as if its payer were there',
    tests: {
      'test/recurring/instruments.test.ts': ['E2 at a bank that wants 3-D Secure: declined, and canceled at the bank'],
    },
  },
  {
    file: 'src/methods/wallet.ts',
    line: 'const isSame = earlier.transactionId === id || earlier.attemptId === attemptId;',
    instead: 'const isSame = true;',
    bug: 'a token that paid one transaction repeats its response for another',
    tests: { 'test/wallet/pay-wallet.test.ts': ['400 payment_failed: the same token for another transaction'] },
  },
  {
    file: 'src/asn1/reader.ts',
    line: "if (depth > this.#bounds.depth || this.#elements > this.#bounds.elements) throw new Asn1Fault('Out of bounds.');",
    instead: "if (depth > this.#bounds.depth) throw new Asn1Fault('Out of bounds.');",
    bug: 'a hostile token makes us read any number of elements',
    tests: { 'src/wallet/token/hostile.test.ts': ['thousands of empty elements', 'thousands of certificates'] },
  },
  {
    file: 'src/asn1/reader.ts',
    line: "if (this.#at !== this.#input.length) throw new Asn1Fault('There are bytes behind the end.');",
    instead: '',
    bug: 'bytes behind a certificate are ignored',
    tests: { 'src/wallet/token/hostile.test.ts': ['the reader refuses bytes behind the end'] },
  },
  {
    file: 'src/asn1/fields.ts',
    line: "if (!isReal || second > 59) throw new Asn1Fault('Not a time.');",
    instead: '',
    bug: 'the 31st of February is a date',
    tests: { 'src/wallet/token/open.test.ts': ['step 7: signing time on the 31st of February'] },
  },
  {
    file: 'src/simulators/bank/bank.ts',
    line: 'const fits = amount.minor > 0n && amount.minor <= BigInt(left);',
    instead: 'const fits = amount.minor > 0n;',
    bug: 'the simulated bank returns more than it captured',
    tests: { 'src/simulators/bank/simulator.test.ts': ['never exceed what was captured'] },
  },
  {
    file: 'src/simulators/bank/bank.ts',
    line: 'if (row === undefined) this.#store.insertCharge(unheardCharge(key, this.#now));',
    instead: 'if (row === undefined) void 0;',
    bug: 'the simulated bank forgets a cancel that came before its charge',
    tests: { 'src/simulators/bank/simulator.test.ts': ['of an unknown key stops the charge that arrives later'] },
  },
  {
    file: 'src/simulators/bank/bank.ts',
    line: 'return owners.length > 0 && !owners.includes(merchant);',
    instead: 'return false;',
    bug: 'the simulated bank charges the alias of another merchant',
    tests: { 'test/recurring/instruments.test.ts': ['a BLIK alias of another merchant: the charge fails'] },
  },
  {
    file: 'src/embedded/data-folder.ts',
    line: 'if (!foreign && !found?.isSymbolicLink()) continue;',
    instead: 'if (!foreign) continue;',
    bug: 'a link that somebody planted in the data folder is followed',
    tests: { 'test/start/private.test.ts': ['is refused when others could write and left grosz.log there'] },
  },
  {
    file: 'src/embedded/lock.ts',
    line: 'if ((error as { errcode?: number }).errcode === busy) return false;',
    instead: 'if ((error as { errcode?: number }).errcode === busy) return true;',
    bug: 'two processes start the server of one data folder',
    tests: { 'test/start/embedded.test.ts': ['while one has it the others wait'] },
  },
  {
    file: 'src/command/books.ts',
    line: "if ((word !== 'captured' && word !== 'seen') || !/^\\d{1,12}\\.\\d{2}$/.test(amount)) return undefined;",
    instead:
      "if ((word !== 'captured' && word !== 'seen') || !/^\\d{1,12}(\\.\\d{2})?$/.test(amount)) return undefined;",
    bug: 'captured 5 books five groszy',
    tests: { 'src/command/books.test.ts': ['grosz parked decide ID captured 49'] },
  },
  {
    file: 'src/command/books.ts',
    line: "const isOther = seen === 'seen' ? item.why.code === 'refunded_too' : seen.seenMinor !== item.amountMinor;",
    instead: "const isOther = seen === 'seen' && item.why.code === 'refunded_too';",
    bug: 'who has seen another amount than is listed is advised to have the bank move the difference',
    tests: { 'test/refunds/came-back.test.ts': ['an operator takes it off the list as seen'] },
  },
  {
    file: 'src/command/times.ts',
    line: 'if (year < firstYear || year > lastYear)',
    instead: 'if (year > lastYear)',
    bug: 'verify since a time before all years says that correct books are wrong',
    tests: { 'src/command/times.test.ts': ['0000-01-01 is too early or too late'] },
  },
  {
    file: 'src/command/reconcile.ts',
    line: 'if (!from && to && beginning && compare(to, beginning) <= 0)',
    instead: 'if (false)',
    bug: 'a period before the books begin looks as if they agreed with the bank',
    tests: { 'test/reconciliation/deciding.test.ts': ['periods of nothing at the command line'] },
  },
];
