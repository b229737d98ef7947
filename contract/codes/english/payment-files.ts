// Why a payment file cannot be written, in English.

import type { Sentences } from '../message.ts';
import type { paymentFileFaults } from '../payment-files.ts';

const texts = { payer_name: 'name of the payer', payee_name: 'name of the payee', title: 'title' };

export const paymentFileSentences: Sentences<typeof paymentFileFaults> = {
  message_id_not_valid: ({ messageId }) =>
    `The message id "${messageId}" is not valid: it has 1 to 35 letters, digits, hyphens and periods, and begins and ends with a letter or a digit.`,
  currency_differs: ({ currency, expected }) =>
    `The payments are in ${currency}, but this bank profile is for ${expected}.`,
  no_payments: () => 'There is no payment to write.',
  too_many_payments: ({ payments, atMost }) =>
    `The file would have ${payments} payments; this bank accepts at most ${atMost} in one file.`,
  sum_not_possible: ({ sum, payments }) => `${payments} payments cannot add up to ${sum}.`,
  execution_day_not_valid: ({ day }) => `The execution day "${day}" is not a day of the calendar.`,
  execution_before_creation: ({ day, created }) =>
    `The execution day is ${day}, but the file was created later, on ${created}.`,
  execution_too_late: ({ day, latest }) => `The execution day is ${day}; the latest possible one is ${latest}.`,
  payments_differ: ({ said, found }) => `The file should have ${said} payments, but there are ${found}.`,
  sums_differ: ({ said, found }) => `The payments should add up to ${said}, but add up to ${found}.`,
  account_not_valid: ({ party, ending }) =>
    `The account of the ${party}, which ends with ${ending}, is not a valid IBAN: its country, length or check digits are wrong.`,
  bank_code_not_valid: ({ party, ending }) =>
    `The account of the ${party}, which ends with ${ending}, is not valid: the check digits of its country are wrong, such as that of a Polish sort code.`,
  country_not_served: ({ party, country, profile }) =>
    `The account of the ${party} is in ${country}, to which files of the profile ${profile} make no payments.`,
  payee_is_payer: ({ ending }) => `The account that ends with ${ending} would pay itself.`,
  name_empty: ({ text }) => `The ${texts[text]} contains no letter and no digit.`,
  line_break: ({ text }) => `The ${texts[text]} contains a line break.`,
  letters_unknown: ({ text, letters }) => `The ${texts[text]} has letters that this bank does not accept: ${letters}.`,
  text_too_long: ({ text, length, atMost }) =>
    `The ${texts[text]} has ${length} characters as the bank gets it; at most ${atMost} are possible.`,
  character_not_in_encoding: ({ text, character, encoding }) =>
    `The ${texts[text]} has the character ${character}, which ${encoding} does not have: the bank profile allows what it cannot write.`,
  separator_in_text: ({ text, character }) =>
    `The ${texts[text]} has the character ${character}, which separates fields in this format: the bank profile must not allow it.`,
  reference_not_valid: ({ reference }) => `The reference "${reference}" is not one of ours.`,
  reference_twice: ({ reference }) => `The reference ${reference} occurs twice.`,
  reference_out_of_order: ({ reference, before }) =>
    `The reference ${reference} comes after ${before}; payments are written in the order of their references.`,
  reference_not_first: ({ reference }) => `The title does not begin with GROSZ ${reference}.`,
  reference_of_another: ({ text, other }) => `The ${texts[text]} names another payment, ${other}.`,
  amount_not_positive: ({ amount }) => `The amount is ${amount}; it must be above zero.`,
  amount_too_large: ({ amount, atMost }) => `The amount is ${amount}; at most ${atMost} is possible in this file.`,
};
