// The tables of batches, column by column. The types of the model come from here.

import type { BatchState } from '../../contract/codes/batches.ts';
import {
  bigint,
  boolean,
  bytes,
  day,
  instant,
  integer,
  nullable,
  table,
  text,
  textAs,
  textFrom,
} from '../database/index.ts';
import { currencyFrom } from '../kernel/index.ts';

export type Way = 'panel' | 'command' | 'folder';

export const batchTable = table('payout_batch', {
  id: text,
  bankAccountId: text,
  /** Of the account, when the draft was made. */
  payerHolder: text,
  profile: text,
  currency: textFrom(currencyFrom),
  state: textAs<BatchState>(),
  payouts: integer,
  totalMinor: bigint,
  createdById: text,
  createdBy: text,
  approvedById: nullable(text),
  approvedBy: nullable(text),
  digest: nullable(bytes),
  mac: nullable(text),
  missedById: nullable(text),
  missedBy: nullable(text),
  canceledById: nullable(text),
  canceledBy: nullable(text),
  createdAt: instant,
  approvedAt: nullable(instant),
  madeAt: nullable(instant),
  handedOverAt: nullable(instant),
  missedAt: nullable(instant),
  settledAt: nullable(instant),
  canceledAt: nullable(instant),
  isLive: boolean,
});

export const payoutFileTable = table('payout_file', {
  id: text,
  batchId: text,
  payerNumber: text,
  payerHolder: text,
  /** Of the account that pays, from 1. */
  number: integer,
  messageId: text,
  profile: text,
  executeOn: day,
  createdAt: instant,
  size: nullable(bigint),
  sha256: nullable(bytes),
  /** Compressed. */
  bytes: nullable(bytes),
  mac: nullable(text),
});

export const handoverTable = table('payout_handover', {
  id: text,
  fileId: text,
  way: textAs<Way>(),
  isCopy: boolean,
  person: text,
  place: nullable(text),
  at: instant,
  placedAt: nullable(instant),
});
