// What is wrong with a file from a bank. None of such a file is used.

import type { Codes } from './message.ts';

export const fileFaults = {
  empty: {},
  format_unknown: {},
  version_unknown: { version: 'text' },
  encoding_unknown: { encoding: 'text' },
  encoding_other: { encoding: 'text' },
  xml_broken: { why: 'text' },
  doctype_refused: {},
  text_too_long: {},
  nested_too_deep: {},
  truncated: {},
  nothing_in_it: {},
  missing: { what: 'text' },
  misplaced: { what: 'text' },
  twice: { what: 'text' },
  character_not_valid: { character: 'text' },
  line_break_other: {},
  not_valid: { what: 'text', value: 'text' },
  currency_not_kept: { currency: 'text' },
  currency_differs: { currency: 'text', expected: 'text' },
  sums_differ: { opening: 'text', lines: 'text', closing: 'text' },
  entries_differ: { said: 'number', found: 'number' },
  part_missing: { part: 'text' },
  parts_differ: { expected: 'text', found: 'text' },
  statement_twice: {},
  too_many_statements: {},
  details_differ: { entry: 'text', details: 'text' },
} as const satisfies Codes;
