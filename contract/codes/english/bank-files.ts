// What is wrong with a file from a bank, in English.

import type { fileFaults } from '../bank-files.ts';
import type { Sentences } from '../message.ts';

export const fileSentences: Sentences<typeof fileFaults> = {
  format_unknown: () =>
    'It is neither camt.053, camt.054, pain.002 nor MT940. If it is one of them, say which with --format.',
  version_unknown: ({ version }) =>
    `Its version ${version} is not known. Ask the bank for camt.053 or camt.054 in version .02, .04 or .08, or pain.002 in .03 or .10.`,
  encoding_unknown: ({ encoding }) =>
    `The encoding ${encoding} is not known. Known are UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, windows-1250 and CP852.`,
  encoding_other: ({ encoding }) =>
    `It is not written in ${encoding}. Say with --encoding which encoding the bank uses, such as windows-1250.`,
  xml_broken: ({ why }) => `It is not XML: ${why}.`,
  doctype_refused: () => 'It declares a document type (DOCTYPE). Files of banks have none; it may be an attack.',
  text_too_long: () => 'A single value is longer than any that a bank writes.',
  nested_too_deep: () => 'Its elements are nested deeper than any that a bank writes.',
  truncated: () => 'It ends too early. Download it again.',
  nothing_in_it: () => 'It has no statement.',
  missing: ({ what }) => `${what} is missing.`,
  misplaced: ({ what }) => `${what} stands where none may be.`,
  twice: ({ what }) => `${what} is there twice.`,
  character_not_valid: ({ character }) =>
    `It has the character ${character}, which no bank writes: it is damaged, or in another encoding. Say which with --encoding, such as cp852.`,
  not_valid: ({ what, value }) => `${what} is "${value}", which is not valid.`,
  currency_not_kept: ({ currency }) => `Its currency is ${currency}; only PLN and EUR are read.`,
  currency_differs: ({ currency, expected }) => `An amount is in ${currency}, but the account is kept in ${expected}.`,
  sums_differ: ({ opening, lines, closing }) =>
    `The opening balance ${opening} and the lines ${lines} do not make the closing balance ${closing}. Ask the bank for the whole statement.`,
  entries_differ: ({ said, found }) => `It says that it has ${said} entries, but has ${found}.`,
  parts_differ: ({ expected, found }) => `A part begins with ${found}, but the one before it ended with ${expected}.`,
  details_differ: ({ entry, details }) => `An entry of ${entry} has details that make ${details}.`,
};
