// What is wrong with a payment file that is about to be written. None is written then. Of an account number there are only
// the last digits, because these messages are logged.

import type { Codes } from './message.ts';

const parties = ['payer', 'payee'] as const;
/** What is written as text. */
const texts = ['payer_name', 'payee_name', 'title'] as const;

export const paymentFileFaults = {
  // The file as a whole.
  message_id_not_valid: { messageId: 'text' },
  currency_differs: { currency: 'text', expected: 'text' },
  no_payments: {},
  too_many_payments: { payments: 'number', atMost: 'number' },
  sum_not_possible: { sum: 'text', payments: 'number' },
  execution_day_not_valid: { day: 'text' },
  execution_before_creation: { day: 'text', created: 'text' },
  execution_too_late: { day: 'text', latest: 'text' },
  payments_differ: { said: 'number', found: 'number' },
  sums_differ: { said: 'text', found: 'text' },
  // An account.
  account_not_valid: { party: parties, ending: 'text' },
  bank_code_not_valid: { party: parties, ending: 'text' },
  country_not_served: { party: parties, country: 'text', profile: 'text' },
  payee_is_payer: { ending: 'text' },
  // A text.
  name_empty: { text: texts },
  line_break: { text: texts },
  letters_unknown: { text: texts, letters: 'text' },
  text_too_long: { text: texts, length: 'number', atMost: 'number' },
  character_not_in_encoding: { text: texts, character: 'text', encoding: 'text' },
  separator_in_text: { text: texts, character: 'text' },
  // A payment.
  reference_not_valid: { reference: 'text' },
  reference_twice: { reference: 'text' },
  reference_out_of_order: { reference: 'text', before: 'text' },
  reference_not_first: { reference: 'text' },
  reference_of_another: { text: texts, other: 'text' },
  amount_not_positive: { amount: 'text' },
  amount_too_large: { amount: 'text', atMost: 'text' },
} as const satisfies Codes;
