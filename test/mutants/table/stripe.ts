// Mutants of stripe: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

const charges = 'test/stripe/charge.test.ts';
const refunds = 'test/stripe/refund.test.ts';
const events = 'test/stripe/events.test.ts';
const accounts = 'test/stripe/account.test.ts';
const statements = 'test/stripe/statement.test.ts';
const swapped = 'test/stripe/swapped.test.ts';

export const stripeMutants: readonly Mutant[] = [
  {
    file: 'src/stripe/intents.ts',
    line: 'if (hasIntent(row) || !mayBeForgotten(key, tools.clock.now())) return',
    instead: 'if (hasIntent(row) || row === undefined) return',
    bug: 'a charge that a restored database has lost is charged again',
    tests: { [charges]: ['26 hours later', 'without a search nothing is sent'] },
  },
  {
    file: 'src/stripe/intents.ts',
    line: "if (found.kind !== 'done') return unknown;\n  const intent = furthest",
    instead: "if (found.kind !== 'done') return { kind: 'row', row };\n  const intent = furthest",
    bug: 'a search that fails counts as one that finds nothing',
    tests: { [charges]: ['without a search nothing is sent'] },
  },
  {
    file: 'src/stripe/intents.ts',
    line: 'if (intent.livemode !== tools.live || intent.id !== row.providerId || !isOf(tools, intent, row.key)) {',
    instead: 'if (intent.id !== row.providerId || !isOf(tools, intent, row.key)) {',
    bug: 'an intent of the other mode settles a payment',
    tests: { [accounts]: ['an intent of live mode is no answer in a sandbox'] },
  },
  {
    file: 'src/stripe/intents.ts',
    line: 'return isOurs(tools, object) && object.metadata?.grosz_key === key;',
    instead: 'return isOurs(tools, object) && key.length > 0;',
    bug: 'rows that exchanged their intents refund the other payer',
    tests: { [swapped]: ['are not refunded, and it is told', 'are neither paid nor declined by each other'] },
  },
  {
    file: 'src/stripe/refund.ts',
    line: 'if (!(await mayBeSent(tools, request, withIntent, time))) return unknown;',
    instead: '',
    bug: 'a refund of a changed row goes to another payer',
    tests: {
      [swapped]: ['are not refunded, and it is told', 'whose charge, intent or amount was changed are not sent'],
    },
  },
  {
    file: 'src/stripe/cancel.ts',
    line: "if (before.kind !== 'waiting' && before.kind !== 'idle') return endOf(before);",
    instead: "if (before.kind === 'approved') return endOf(before);",
    bug: 'the cancel of one charge ends that of another payer',
    tests: { [swapped]: ['do not cancel each other'] },
  },
  {
    file: 'src/stripe/statement.ts',
    line: 'if (isOurs(tools, found.value)) named.set(providerId, found.value.metadata.grosz_key ?? key);',
    instead: 'named.set(providerId, key);',
    bug: 'a dispute is told of the charge that a changed row names',
    tests: { [swapped]: ['are told apart by the statement'] },
  },
  {
    file: 'src/stripe/store/verify.ts',
    line: "and charge.acquirer = ${acquirer} and charge.state in ('correct', 'surplus')",
    instead: "and charge.acquirer = ${acquirer} and charge.state = 'surplus'",
    bug: 'nobody notices that what was asked of the provider was changed',
    tests: { 'test/stripe/damages.test.ts': ['have nothing that nobody notices'] },
  },
  {
    file: 'src/stripe/intents.ts',
    line: 'const canceled = await cancelIntent(tools, row, time);\n  const intent',
    instead: "const canceled = { kind: 'lost' } as Outcome<Stripe.PaymentIntent>;\n  const intent",
    bug: 'a declined intent can still be paid',
    tests: { [charges]: ['BLIK: customer_declined is "payer rejected", and the intent is canceled'] },
  },
  {
    file: 'src/stripe/charge.ts',
    line: "if (made.kind === 'failed' || made.kind === 'refused') await updateCreateTry(db.sql, row);",
    instead: '',
    bug: 'a failure that the provider keeps is repeated for a day',
    tests: { [charges]: ['create: a failure that is kept: notReached, and a repeat is paid once'] },
  },
  {
    file: 'src/stripe/charge.ts',
    line: 'await updateConfirmTry(db.sql, row);\n      return unknown;',
    instead: 'return unknown;',
    bug: 'a confirmation whose failure the provider keeps is repeated for a day',
    tests: { [charges]: ['confirm: a failure that is kept: unknown, and a repeat is paid once'] },
  },
  {
    file: 'src/stripe/store.ts',
    line: 'where key = ${key} and canceled_at is null returning *`;\n}\n\n/** Also of a key',
    instead: 'where key = ${key} returning *`;\n}\n\n/** Also of a key',
    bug: 'a confirmation is sent although the charge was canceled',
    tests: { [charges]: ['a cancel between the intent and its confirmation wins'] },
  },
  {
    file: 'src/stripe/refund.ts',
    line: 'if (sent.refund) return answerOf(await settleRefund(tools, row.key, sent.refund));\n  if (!(await mayBeSent(',
    instead: 'if (!(await mayBeSent(',
    bug: 'a refund whose idempotency key is forgotten is paid again',
    tests: { [refunds]: ['a day after its answer was lost, in a restored database'] },
  },
  {
    file: 'src/stripe/refund.ts',
    line: 'if (found || !more) return',
    instead: 'if (found || data.length > 0) return',
    bug: 'only the first page of refunds is looked through',
    tests: { [refunds]: ['the 101st refund of a charge is found'] },
  },
  {
    file: 'src/stripe/refund.ts',
    line: 'await updateSendTry(tools.db.sql, row);\n  return unknown;',
    instead: 'return unknown;',
    bug: 'a refund whose failure the provider keeps is not sent for a day',
    tests: { [refunds]: ['a failure that is kept: unknown, then paid once'] },
  },
  {
    file: 'src/stripe/store.ts',
    line: 'where key = ${key} and succeeded_at is null returning *`;',
    instead: 'where key = ${key} returning *`;',
    bug: 'a refund that came back is told as one that was never paid',
    tests: { [events]: ['about a refund that fails a month after it was paid'] },
  },
  {
    file: 'src/stripe/webhook.ts',
    line: "const found = await getIntent(tools, id, time);\n  if (found.kind !== 'done') return unlessMissing(found);\n  const row",
    instead:
      "const found = await getIntent(tools, id, time);\n  if (found.kind !== 'done') return notOurs;\n  const row",
    bug: 'an event that cannot be looked up is lost',
    tests: { [events]: ['503: it cannot be looked up now'] },
  },
  {
    file: 'src/stripe/webhook.ts',
    line: 'ageSecondsAtMost,\n        undefined,\n        now,',
    instead: '0,\n        undefined,\n        now,',
    bug: 'an old event is believed',
    tests: { [events]: ['400: another secret, no signature, another body, too old'] },
  },
  {
    file: 'src/stripe/webhook.ts',
    line: 'if (event.livemode !== tools.live || elsewhere) {',
    instead: 'if (event.livemode !== tools.live) {',
    bug: 'events of another account are taken',
    tests: { [events]: ['200 and nothing: objects of others, other types, another mode, another account, gone'] },
  },
  {
    file: 'src/stripe/account.ts',
    line: 'if (known?.account !== account.id)',
    instead: 'if (!known)',
    bug: 'a key of another account moves money that no row knows',
    tests: { [accounts]: ['another one is refused at the start'] },
  },
  {
    file: 'src/stripe/account.ts',
    line: "if (account.default_currency !== 'pln')",
    instead: "if (account.default_currency === 'usd')",
    bug: 'an account that settles in another currency is compared with books in PLN',
    tests: { [accounts]: ['one that settles in another currency is refused'] },
  },
  {
    file: 'src/stripe/statement.ts',
    line: 'if (!page.value.has_more) return pageOf(reading, null);',
    instead: 'return pageOf(reading, null);',
    bug: 'only the first 100 lines of the balance are compared',
    tests: { [statements]: ['of 10,000 charges'] },
  },
  {
    file: 'src/stripe/statement-lines.ts',
    line: 'if (chargeKey === undefined) return [otherLine(read)];',
    instead: 'if (chargeKey === undefined) return [];',
    bug: 'money of other users of the account is left out of the statement',
    tests: { [statements]: ['what others did with the account'] },
  },
  {
    file: 'src/stripe/statement-lines.ts',
    line: "if (balance.currency !== 'pln') return undefined;",
    instead: '',
    bug: 'lines of another currency are taken for PLN',
    tests: { [statements]: ['lines in another currency'] },
  },
  {
    file: 'src/stripe/line.ts',
    line: "if (status === 401 || status === 403) return { kind: 'forbidden', status };",
    instead: '',
    bug: 'a revoked key leaves no word that it is refused',
    tests: { [accounts]: ['a key that is revoked, or may not read the account, is refused'] },
  },
  {
    file: 'src/settings.ts',
    line: 'return value === undefined || isOfMode(value, mode) ? [] :',
    instead: 'return value === undefined || value.length > 0 ? [] :',
    bug: 'a sandbox moves real money',
    tests: { 'src/stripe/keys.test.ts': ['refused: a live key in a sandbox', 'refused: a test key in live mode'] },
  },
  {
    file: 'src/stripe/check.ts',
    line: 'if (tools.live) {',
    instead: 'if (!tools.live) {',
    bug: 'a test in live mode creates a payment',
    tests: { 'test/stripe/check.test.ts': ['in live mode no payment is created'] },
  },
  {
    file: 'src/stripe/account.ts',
    line: 'this.#asked = found.value.id === account;',
    instead: 'this.#asked = true;',
    bug: 'a key of another account takes the money of our merchants after a start without the provider',
    tests: { [accounts]: ['another one, started while the provider is away: nothing is sent to it'] },
  },
];
