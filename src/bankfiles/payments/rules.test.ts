import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { paymentFileSentences } from '../../../contract/codes/english/payment-files.ts';
import { readMessage, sentenceOf } from '../../../contract/codes/message.ts';
import { paymentFileFaults } from '../../../contract/codes/payment-files.ts';
import { aBatch, aPayment, germanIban, payeeIban, payerIban, referenceOf } from '../../../test/bankfiles/payments.ts';
import { titleOf } from '../reference.ts';
import type { PaymentFileProblem } from './fault.ts';
import type { Payment, PaymentBatch } from './model.ts';
import { type BankProfile, builtInProfiles } from './profile.ts';
import { endProblem, judgeBatch, judgePayment, orderProblem } from './rules.ts';

const { 'iso20022-sepa': sepa, 'iso20022-pl': polish, elixir0 } = builtInProfiles;
const profiles: readonly BankProfile[] = Object.values(builtInProfiles);
const [first, second] = [referenceOf(1), referenceOf(2)];
const seen = new Set<string>();

/** What is wrong, as `code parameters`. Every sentence about it can be read. */
function said(problems: readonly PaymentFileProblem[]): string[] {
  return problems.map((problem) => {
    readMessage(paymentFileFaults, problem.code, problem.parameters);
    assert.doesNotMatch(sentenceOf(paymentFileSentences, problem), /undefined|_| {2}/);
    seen.add(problem.code);
    return [problem.code, ...Object.values(problem.parameters)].join(' ');
  });
}

type Row<Facts> = readonly [BankProfile, Partial<Facts>, ...found: readonly string[]];

const longest = 'n'.repeat(140);
const titled = (words: string) => ({ title: titleOf(first, words) });

suite('a batch', () => {
  test('that is right', () => {
    for (const profile of profiles) assert.deepEqual(said(judgeBatch(profile, aBatch(profile)).problems), []);
  });

  const rows: Readonly<Record<string, Row<PaymentBatch>>> = {
    'without id': [sepa, { messageId: '' }, 'message_id_not_valid '],
    'of one character as id': [sepa, { messageId: '7' }],
    'of two characters as id': [sepa, { messageId: 'ab' }],
    'of 35 characters as id': [sepa, { messageId: `a${'.'.repeat(33)}b` }],
    'of 36 characters as id': [sepa, { messageId: 'a'.repeat(36) }, `message_id_not_valid ${'a'.repeat(36)}`],
    'of an id that ends with a hyphen': [sepa, { messageId: 'a-' }, 'message_id_not_valid a-'],
    'of an id that begins with a hyphen': [sepa, { messageId: '-a' }, 'message_id_not_valid -a'],
    'of an id with a slash': [sepa, { messageId: 'a/b' }, 'message_id_not_valid a/b'],
    'in another currency': [sepa, { currency: 'PLN' }, 'currency_differs PLN EUR'],
    'in euros for Elixir-0': [elixir0, { currency: 'EUR' }, 'currency_differs EUR PLN'],
    'without payments': [sepa, { payments: 0, sumMinor: 0n }, 'no_payments'],
    'of a number that is none': [sepa, { payments: Number.NaN }, 'no_payments'],
    'of half a payment': [sepa, { payments: 1.5 }, 'no_payments'],
    'of all that one file takes': [elixir0, { payments: 100_000 }],
    'of more': [elixir0, { payments: 100_001 }, 'too_many_payments 100001 100000'],
    'of less than one grosz each': [elixir0, { payments: 3, sumMinor: 2n }, 'sum_not_possible 0.02 3'],
    'of one grosz each': [elixir0, { payments: 3, sumMinor: 3n }],
    'of the largest amounts': [elixir0, { payments: 2, sumMinor: 199_999_998n }],
    'of larger ones': [elixir0, { payments: 2, sumMinor: 199_999_999n }, 'sum_not_possible 1999999.99 2'],
    'of a day that does not exist': [sepa, { executeOn: '2026-02-30' }, 'execution_day_not_valid 2026-02-30'],
    'of a day in words': [sepa, { executeOn: 'today' }, 'execution_day_not_valid today'],
    'of the day before': [sepa, { executeOn: '2026-11-18' }, 'execution_before_creation 2026-11-18 2026-11-19'],
    'created at the bank’s midnight': [
      sepa,
      { createdAt: Temporal.Instant.from('2026-11-19T23:00:00Z') },
      'execution_before_creation 2026-11-19 2026-11-20',
    ],
    'created a second before': [sepa, { createdAt: Temporal.Instant.from('2026-11-19T22:59:59Z') }],
    'of a day in a year': [sepa, { executeOn: '2027-11-19' }],
    'of a day after that': [sepa, { executeOn: '2027-11-20' }, 'execution_too_late 2027-11-20 2027-11-19'],
    'of an account with another digit': [
      sepa,
      { payerIban: 'PL61109010140000071219812875' },
      'account_not_valid payer 2875',
    ],
    'of an account whose sort code is wrong': [
      polish,
      { payerIban: 'PL36109010150000071219812874' },
      'bank_code_not_valid payer 2874',
    ],
    'of a German account': [sepa, { payerIban: germanIban }],
    'of a German account for PLN': [polish, { payerIban: germanIban }, 'country_not_served payer DE iso20022-pl'],
    'of a German account for Elixir-0': [elixir0, { payerIban: germanIban }, 'country_not_served payer DE elixir0'],
    'of a payer without name': [sepa, { payerName: ' … ' }, 'name_empty payer_name'],
    'of a payer with a long name': [sepa, { payerName: longest.slice(69) }, 'text_too_long payer_name 71 70'],
  };
  for (const [what, [profile, changes, ...found]] of Object.entries(rows)) {
    test(what, () => assert.deepEqual(said(judgeBatch(profile, aBatch(profile, changes)).problems), found));
  }

  test('has the name in the bank’s characters', () => {
    const batch = aBatch(sepa, { payerName: 'Łódź „Grosz”' });
    assert.deepEqual(judgeBatch(sepa, batch).written, { ...batch, payerName: "Lodz 'Grosz'" });
  });
});

/** Profiles that allow what they cannot write: data may be wrong, too. */
const greek = { ...elixir0, characters: 'ąω' };
const separators = { ...elixir0, characters: '",|' };
const generous = { ...elixir0, titleAtMost: 500 };

suite('a payment', () => {
  test('that is right', () => {
    for (const profile of profiles) {
      const payment = aPayment();
      assert.deepEqual(judgePayment(profile, aBatch(profile), payment), { written: payment, problems: [] });
    }
  });

  const rows: Readonly<Record<string, Row<Payment>>> = {
    'without reference': [sepa, { reference: '' }, 'reference_not_valid '],
    'with a reference in small letters': [
      sepa,
      { reference: first.toLowerCase() },
      `reference_not_valid ${first.toLowerCase()}`,
    ],
    'whose title is only the reference': [sepa, titled('')],
    'whose title lacks it': [sepa, { title: 'Payout' }, `reference_not_first ${first}`],
    'whose title has it later': [sepa, { title: `Payout GROSZ ${first}` }, `reference_not_first ${first}`],
    'whose title has it without a space': [sepa, { title: `GROSZ ${first}7` }, `reference_not_first ${first}`],
    'whose title has it twice': [sepa, titled(`GROSZ ${first}`)],
    'whose title lets it run into our word': [
      sepa,
      { reference: `${first.slice(0, 24)}GR`, title: `GROSZ ${first.slice(0, 24)}GR OSZ` },
      `reference_not_first ${first.slice(0, 24)}GR`,
    ],
    'whose title names another': [elixir0, titled(`GROSZ ${second}`), `reference_of_another title ${second}`],
    'whose title begins with another': [sepa, { title: titleOf(second, '') }, `reference_of_another title ${second}`],
    'whose payee is called like one': [
      elixir0,
      { payeeName: `Grosz ${second}` },
      `reference_of_another payee_name ${second}`,
    ],
    'whose payee is called like itself': [
      elixir0,
      { payeeName: `Grosz ${first}` },
      `reference_of_another payee_name ${first}`,
    ],
    'of nothing': [sepa, { amountMinor: 0n }, 'amount_not_positive 0.00'],
    'of less': [sepa, { amountMinor: -1n }, 'amount_not_positive -0.01'],
    'of one cent': [sepa, { amountMinor: 1n }],
    'of the largest amount': [elixir0, { amountMinor: 99_999_999n }],
    'of a million': [elixir0, { amountMinor: 100_000_000n }, 'amount_too_large 1000000.00 999999.99'],
    'of a million in ISO 20022': [polish, { amountMinor: 100_000_000n }],
    'of the largest amount in ISO 20022': [polish, { amountMinor: 99_999_999_999n }],
    'of more than that': [sepa, { amountMinor: 100_000_000_000n }, 'amount_too_large 1000000000.00 999999999.99'],
    'to a wrong account': [sepa, { payeeIban: payeeIban.replace('27', '28') }, 'account_not_valid payee 5387'],
    'to a wrong sort code': [elixir0, { payeeIban: 'PL36109010150000071219812874' }, 'bank_code_not_valid payee 2874'],
    'to Germany': [sepa, { payeeIban: germanIban }],
    'to Germany in PLN': [polish, { payeeIban: germanIban }, 'country_not_served payee DE iso20022-pl'],
    'to Georgia': [sepa, { payeeIban: 'GE29NB0000000101904917' }, 'country_not_served payee GE iso20022-sepa'],
    'to the payer': [sepa, { payeeIban: payerIban }, 'payee_is_payer 2874'],
    'to nobody': [sepa, { payeeName: '' }, 'name_empty payee_name'],
    'to a fox': [sepa, { payeeName: '🦊' }, 'name_empty payee_name'],
    'to a Polish letter': [polish, { payeeName: 'Ż' }],
    'to a digit': [sepa, { payeeName: '7' }],
    'to Иван': [sepa, { payeeName: 'Иван Nowak' }, 'letters_unknown payee_name Иван'],
    'with a line break': [sepa, titled('a\nb'), 'line_break title'],
    'with a line break of Unicode': [elixir0, { payeeName: 'a\u2028b' }, 'line_break payee_name'],
    'with a name of 70 characters': [sepa, { payeeName: longest.slice(70) }],
    'with a name of 71': [sepa, { payeeName: longest.slice(69) }, 'text_too_long payee_name 71 70'],
    'with a name of 140 in PLN': [polish, { payeeName: longest }],
    'with a name of 200 characters': [elixir0, { payeeName: 'n'.repeat(200) }, 'text_too_long payee_name 200 140'],
    'with a name that grows when it is written': [
      sepa,
      { payeeName: 'ß'.repeat(36) },
      'text_too_long payee_name 72 70',
    ],
    'with a title of 140 characters': [sepa, titled('t'.repeat(107))],
    'with a title of 141 characters': [sepa, titled('t'.repeat(108)), 'text_too_long title 141 140'],
    'with a title that only the profile takes': [generous, titled('t'.repeat(108)), 'text_too_long title 141 140'],
    'with a letter that the encoding lacks': [
      greek,
      { payeeName: 'ąω' },
      'character_not_in_encoding payee_name ω windows-1250',
    ],
    'with a quote': [separators, { payeeName: 'a"b' }, 'separator_in_text payee_name "'],
    'with a comma': [separators, titled('a,b'), 'separator_in_text title ,'],
    'with a line': [separators, titled('a|b'), 'separator_in_text title |'],
    'with a comma in ISO 20022': [sepa, titled('a,b')],
  };
  for (const [what, [profile, changes, ...found]] of Object.entries(rows)) {
    test(what, () => {
      const { problems } = judgePayment(profile, aBatch(profile), aPayment(changes));
      assert.deepEqual(said(problems), found);
    });
  }

  test('has its texts in the bank’s characters', () => {
    const payment = aPayment({ payeeName: 'Żaneta „Róża”', ...titled('wypłata; 19') });
    assert.deepEqual(judgePayment(sepa, aBatch(sepa), payment).written, {
      ...payment,
      payeeName: "Zaneta 'Roza'",
      title: titleOf(first, 'wyplata, 19'),
    });
  });
});

suite('all payments of a file', () => {
  const problemsOf = (problem: PaymentFileProblem | undefined) => said(problem ? [problem] : []);

  // Guarantee: no payment is written twice, without remembering those before.
  test('ascend', () => {
    assert.deepEqual(problemsOf(orderProblem('', first)), []);
    assert.deepEqual(problemsOf(orderProblem(first, second)), []);
    assert.deepEqual(problemsOf(orderProblem(first, first)), [`reference_twice ${first}`]);
    assert.deepEqual(problemsOf(orderProblem(second, first)), [`reference_out_of_order ${first} ${second}`]);
  });

  // Guarantee: the header says how many there are, and how much they are.
  test('are those of the header', () => {
    const batch = aBatch(sepa, { payments: 2, sumMinor: 300n });
    assert.deepEqual(problemsOf(endProblem(batch, 2, 300n)), []);
    assert.deepEqual(problemsOf(endProblem(batch, 1, 300n)), ['payments_differ 2 1']);
    assert.deepEqual(problemsOf(endProblem(batch, 3, 300n)), ['payments_differ 2 3']);
    assert.deepEqual(problemsOf(endProblem(batch, 2, 299n)), ['sums_differ 3.00 2.99']);
    assert.deepEqual(problemsOf(endProblem(batch, 2, 301n)), ['sums_differ 3.00 3.01']);
  });
});

// Guarantee: every rule that has a code is one that finds something.
test('every code was given above', () => {
  assert.deepEqual([...seen].sort(), Object.keys(paymentFileFaults).sort());
});
