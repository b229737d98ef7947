// The tables of settlements, column by column.

import { bigint, instant, integer, nullable, table, text, textAs } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';

export type Reason = 'payout' | 'month' | 'command';

export const settlementTable = table('settlement', {
  id: text,
  accountId: textAs<AccountId>(),
  number: integer,
  previous: nullable(integer),
  afterPosition: bigint,
  untilPosition: bigint,
  openingMinor: bigint,
  lines: integer,
  amountMinor: bigint,
  feeMinor: bigint,
  commissionMinor: bigint,
  otherMinor: bigint,
  closingMinor: bigint,
  firstAt: instant,
  lastAt: instant,
  reason: textAs<Reason>(),
  payoutId: nullable(text),
  createdAt: instant,
});

export const settlementWantedTable = table('settlement_wanted', {
  payoutId: text,
  accountId: textAs<AccountId>(),
  createdAt: instant,
});
