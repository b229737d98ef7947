// What is wrong with a file from a bank, in English.

import type { fileFaults } from '../bank-files.ts';
import type { Sentences } from '../message.ts';

export const fileSentences: Sentences<typeof fileFaults> = {
  format_unknown: () =>
    'The file is not recognized as camt.053, camt.054, pain.002 or MT940. If it is one of them, say which with --format.',
  version_unknown: ({ version }) =>
    `Version ${version} is not supported. Ask the bank for camt.053 or camt.054 in version .02, .04 or .08, or for pain.002 in version .03 or .10.`,
  encoding_unknown: ({ encoding }) =>
    `The encoding ${encoding} is not supported. Use UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, windows-1250 or CP852.`,
  encoding_other: ({ encoding }) =>
    `The file is not encoded in ${encoding}. Say with --encoding which encoding the bank uses, such as windows-1250.`,
  xml_broken: ({ why }) => `The file is not well-formed XML: ${why}.`,
  doctype_refused: () =>
    'The file declares a document type (DOCTYPE). Files from banks never do, so this may be an attack.',
  text_too_long: () => 'A single value is longer than any that a bank writes.',
  nested_too_deep: () => 'Elements are nested more deeply than in any file that a bank writes.',
  truncated: () => 'The file ends too early. Download it again.',
  nothing_in_it: () => 'The file contains neither a statement nor the status of a payment.',
  missing: ({ what }) => `${what} is missing.`,
  misplaced: ({ what }) => `${what} is in a place where the format does not allow it.`,
  twice: ({ what }) => `${what} occurs twice.`,
  character_not_valid: ({ character }) =>
    `The file contains the character ${character}, which no bank writes: it is damaged, or its encoding is another one. Say which with --encoding, such as cp852.`,
  not_valid: ({ what, value }) => `${what} is "${value}", which is not valid.`,
  currency_not_kept: ({ currency }) => `The currency is ${currency}; only PLN and EUR are supported.`,
  currency_differs: ({ currency, expected }) => `An amount is in ${currency}, but the account is in ${expected}.`,
  sums_differ: ({ opening, lines, closing }) =>
    `The opening balance of ${opening} and the lines, ${lines} in total, do not add up to the closing balance of ${closing}. Ask the bank for the complete statement.`,
  entries_differ: ({ said, found }) => `The statement says that it has ${said} entries, but contains ${found}.`,
  parts_differ: ({ expected, found }) => `A part begins with ${found}, but the part before it ended with ${expected}.`,
  details_differ: ({ entry, details }) => `An entry of ${entry} has details that add up to ${details}.`,
};
