// The tables of statements, column by column. The types of the model come from here.

import { statementProblems } from '../../contract/codes/statements.ts';
import type { formats } from '../bankfiles/index.ts';
import {
  bigint,
  boolean,
  bytes,
  day,
  instant,
  integer,
  message,
  nullable,
  table,
  text,
  textAs,
} from '../database/index.ts';

export type FileState = 'reading' | 'accepted' | 'booked' | 'noted' | 'refused';
export type LineState = 'unallocated' | 'fee' | 'payout' | 'payout_returned' | 'repeated' | 'nothing';
export type AllocationKind =
  | 'acquirer_payout'
  | 'acquirer_payout_returned'
  | 'payout'
  | 'payout_returned'
  | 'fee'
  | 'fee_returned';

export const bankFileTable = table('bank_file', {
  id: text,
  sha256: bytes,
  name: text,
  format: textAs<(typeof formats)[number]>(),
  bytes: bigint,
  person: text,
  importedAt: instant,
  state: textAs<FileState>(),
  /** By the wall clock. */
  leaseUntil: instant,
  nodeId: nullable(text),
  statements: integer,
  lines: integer,
  problem: nullable(message(statementProblems)),
  problemLine: nullable(integer),
});

export const bankStatementTable = table('bank_statement', {
  id: text,
  fileId: text,
  /** Counted from 1 in its file. */
  place: integer,
  bankAccountId: text,
  position: nullable(integer),
  reference: text,
  number: nullable(text),
  page: integer,
  fromOn: nullable(day),
  toOn: nullable(day),
  openingOn: nullable(day),
  closingOn: nullable(day),
  openingMinor: bigint,
  /** Null while it is being read. */
  closingMinor: nullable(bigint),
  beforeMinor: nullable(bigint),
  broughtMinor: bigint,
  entries: integer,
  lines: integer,
  sumMinor: bigint,
  repeatedLines: integer,
  repeatedMinor: bigint,
  firstOn: nullable(day),
  lastOn: nullable(day),
  acceptedAt: nullable(instant),
  bookedLines: integer,
  bookedAt: nullable(instant),
});

export const bankLineTable = table('bank_line', {
  /** Also the source of its journal. */
  id: text,
  statementId: text,
  entry: integer,
  part: integer,
  amountMinor: bigint,
  bookedOn: day,
  valueOn: nullable(day),
  bankReference: nullable(text),
  endToEnd: nullable(text),
  batch: nullable(text),
  payments: integer,
  isReversal: boolean,
  kind: nullable(text),
  returnReason: nullable(text),
  title: text,
  partyName: nullable(text),
  /** Only how it ends. */
  partyAccount: nullable(text),
  state: textAs<LineState>(),
  target: nullable(text),
  leftMinor: bigint,
  parkedAt: nullable(instant),
});

export const bankAllocationTable = table('bank_allocation', {
  /** Also the source of its journal. */
  id: text,
  bankLineId: text,
  kind: textAs<AllocationKind>(),
  target: nullable(text),
  amountMinor: bigint,
  person: text,
  at: instant,
  undoneBy: nullable(text),
  undoneAt: nullable(instant),
});

export const bankAnswerTable = table('bank_answer', {
  fileId: text,
  number: integer,
  message: text,
  payment: nullable(text),
  endToEnd: nullable(text),
  status: text,
  reason: nullable(text),
  words: text,
});
