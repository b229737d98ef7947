// Mutants of recurring: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const recurringMutants: readonly Mutant[] = [
  {
    file: 'src/recurring/charge.ts',
    line: 'const lease = Temporal.Duration.from({ seconds: 12 });',
    instead: 'const lease = Temporal.Duration.from({ seconds: 0 });',
    bug: 'a charge is claimed with a lease of zero: it is looked up and sent again while it is sent',
    tests: { 'test/race/recurring.test.ts': ['a claimed charge is nobody else’s'] },
  },
  {
    file: 'src/recurring/create.ts',
    line: "if (recurring.merchantId !== merchant.id) refuse('not_found');",
    instead: '',
    bug: "a merchant learns of another's recurring payment by its id",
    tests: { 'test/recurring/create.test.ts': ['404 for the id of another merchant'] },
  },
  {
    file: 'src/recurring/create.ts',
    line: 'callback_url: row.callbackUrl,',
    instead: '',
    bug: 'a repeat with another callbackUrl gets 200',
    tests: { 'test/recurring/create.test.ts': ['callbackUrl'] },
  },
  {
    file: 'src/recurring/create.ts',
    line: 'const lateAtMost = Temporal.Duration.from({ hours: 24 });',
    instead: 'const lateAtMost = Temporal.Duration.from({ hours: 25 });',
    bug: 'a first charge may be more than a day ago',
    tests: { 'test/recurring/create.test.ts': ['201 up to 24 hours, 400 beyond'] },
  },
  {
    file: 'src/recurring/retry.ts',
    line: 'const manualRetries = await countManualRetries(sql, id, progress.iteration);',
    instead: 'const manualRetries = 0;',
    bug: 'retries by hand have no limit',
    tests: { 'test/recurring/retry.test.ts': ['thirty manual retries made'] },
  },
  {
    file: 'src/recurring/instrument.ts',
    line: "if (progress.status === 'failed') await updateRestored(sql, id, afterRestore(plan, progress, tools.clock.now()));",
    instead: '',
    bug: 'a new instrument does not restore a failed recurring payment',
    tests: { 'test/recurring/restore.test.ts': ['201: tried at once'] },
  },
  {
    file: 'src/recurring/instrument.ts',
    line: "if (progress.status === 'finished' || progress.status === 'canceled') refuse(recurringEnded);",
    instead: "if (progress.status === 'finished') refuse(recurringEnded);",
    bug: 'a canceled recurring payment takes a new instrument',
    tests: { 'test/recurring/instrument.test.ts': ['409: finished, canceled'] },
  },
  {
    file: 'src/recurring/store/claims.ts',
    line: 'update recurring set due_at = null, live_transaction_id = given.transaction_id, attempts = given.attempt,',
    instead: 'update recurring set live_transaction_id = given.transaction_id, attempts = given.attempt,',
    bug: 'what was claimed stays due',
    tests: { 'test/recurring/charge.test.ts': ['the first charge, and the next a month later'] },
  },
  {
    file: 'src/recurring/store/recurring.ts',
    line: 'where recurring.id = ${id} and recurring.merchant_id = ${merchantId}',
    instead: 'where recurring.id = ${id}',
    bug: "a merchant cancels another's recurring payment",
    tests: { 'test/recurring/cancel.test.ts': ['404'] },
  },
  {
    file: 'src/recurring/store/verify.ts',
    line: "when history.twice_in is not null then jsonb_build_object('code', 'recurring_iteration_twice', 'iteration', history.twice_in)",
    instead: '',
    bug: 'verify does not name an iteration that was charged twice',
    tests: { 'test/recurring/verify.test.ts': ['iteration 2 has two attempts that are open or correct'] },
  },
  {
    file: 'src/recurring/routes.ts',
    line: "return recurring && recurring.merchantId === merchant.id ? recurring : refuse('not_found');",
    instead: "return recurring ?? refuse('not_found');",
    bug: "a merchant reads another's recurring payment",
    tests: { 'test/recurring/get.test.ts': ['404'] },
  },
  {
    file: 'src/recurring/list.ts',
    line: 'if (slice.length < sliceAtMost) return all;',
    instead: 'return all;',
    bug: 'a long list of attempts ends after its first slice',
    tests: { 'test/recurring/attempts.test.ts': ['200 up to 10,000 attempts, 400 for more'] },
  },
  {
    file: 'src/recurring/charge.ts',
    line: 'const turn = able.length > 1 && isOwnCard(tools, recurring) ? turnOf(progress, able.length) : 0;',
    instead: 'const turn = able.length > 1 ? turnOf(progress, able.length) : 0;',
    bug: 'a token of one acquirer is sent to another',
    tests: { 'test/acquirer/recurring.test.ts': ['with a token of the acquirer stays with it'] },
  },
  {
    file: 'src/recurring/charge.ts',
    line: 'if (chosen.taken && !share.take(chosen.acquirer)) return [];',
    instead: '',
    bug: 'an acquirer is sent more than it takes',
    tests: { 'test/acquirer/recurring.test.ts': ['is its own'] },
  },
];
