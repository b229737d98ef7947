// What is wrong with a file from a bank, and what to do about it, in English.

import type { fileFaults } from '../bank-files.ts';
import type { Sentences } from '../message.ts';

export const fileSentences: Sentences<typeof fileFaults> = {
  empty: () => 'The file is empty.',
  format_unknown: () => 'The file is not recognized as camt.053, camt.054, pain.002 or MT940.',
  version_unknown: ({ version }) => `Version ${version} is not supported.`,
  encoding_unknown: ({ encoding }) => `The encoding ${encoding} is not supported.`,
  encoding_other: ({ encoding }) => `The file is not encoded in ${encoding}.`,
  xml_broken: ({ why }) => `The file is not well-formed XML: ${why}.`,
  doctype_refused: () =>
    'The file declares a document type (DOCTYPE). Files from banks never do, so this may be an attack.',
  text_too_long: () => 'A value, or all that belongs to one entry, is longer than any that a bank writes.',
  nested_too_deep: () => 'Elements are nested more deeply than in any file that a bank writes.',
  truncated: () => 'The file ends too early.',
  nothing_in_it: () => 'The file contains neither a statement nor the status of a payment.',
  missing: ({ what }) => `${what} is missing.`,
  misplaced: ({ what }) => `${what} is in a place where the format does not allow it.`,
  twice: ({ what }) => `${what} occurs twice.`,
  character_not_valid: ({ character }) =>
    `The file contains the character ${character}, which no bank writes: it is damaged, or its encoding is another one.`,
  line_break_other: () => 'There is a line break that is not the one of the first line: it could be within a title.',
  not_valid: ({ what, value }) => `${what} is "${value}", which is not valid.`,
  currency_not_kept: ({ currency }) => `The currency is ${currency}; only PLN and EUR are supported.`,
  currency_differs: ({ currency, expected }) => `An amount is in ${currency}, but the account is in ${expected}.`,
  sums_differ: ({ opening, lines, closing }) =>
    `The opening balance (${opening}) and the entries (${lines} in total) do not add up to the closing balance (${closing}).`,
  entries_differ: ({ said, found }) => `The statement says that it has ${said} entries, but contains ${found}.`,
  part_missing: ({ part }) => `The statement is not complete: ${part} is not in the file.`,
  parts_differ: ({ expected, found }) =>
    `A page of a statement begins with ${found}, but the page before it leads to ${expected}.`,
  statement_twice: () => 'The file contains the same statement twice.',
  too_many_statements: () => 'The file contains more statements than any that a bank writes.',
  details_differ: ({ entry, details }) => `An entry of ${entry} has details that add up to ${details}.`,
};

const corrected = () => 'Ask the bank for a corrected file.';
const whole = () => 'Ask the bank for a file with the whole statement.';
const again = () => 'Download it again.';
const supported = 'UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, windows-1250 or CP852';

/** What to do about it. */
export const fileRemedies: Sentences<typeof fileFaults> = {
  empty: again,
  format_unknown: () => 'If it is one of them, say which with --format.',
  version_unknown: () =>
    'Ask the bank for camt.053 or camt.054 in version .02, .04 or .08, or for pain.002 in version .03 or .10.',
  encoding_unknown: () => `Use ${supported}.`,
  encoding_other: () => 'Say with --encoding which encoding the bank uses, such as windows-1250.',
  xml_broken: corrected,
  doctype_refused: () => 'Find out where the file comes from.',
  text_too_long: corrected,
  nested_too_deep: corrected,
  truncated: again,
  nothing_in_it: corrected,
  missing: corrected,
  misplaced: corrected,
  twice: corrected,
  character_not_valid: () => 'Say the encoding with --encoding, such as CP852, or download the file again.',
  line_break_other: () => 'If the file was put together from several files or edited, use those of the bank.',
  not_valid: corrected,
  currency_not_kept: () => 'Ask the bank for a file of accounts in these currencies only.',
  currency_differs: corrected,
  sums_differ: corrected,
  entries_differ: corrected,
  part_missing: whole,
  parts_differ: corrected,
  statement_twice: corrected,
  too_many_statements: () => 'Ask the bank for several files.',
  details_differ: corrected,
};
