// The kept sums, column by column.

import { bigint, day, group, integer, table, textAs } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';

/** Signed, as the account sees them. */
const sums = {
  payments: integer,
  paymentsMinor: bigint,
  paymentFeesMinor: bigint,
  refunds: integer,
  refundsMinor: bigint,
  refundFeesMinor: bigint,
  /** Refunds that the payer did not get. */
  returned: integer,
  returnedMinor: bigint,
  returnedFeesMinor: bigint,
  commissionsMinor: bigint,
  /** What disputes took and gave back. */
  disputesMinor: bigint,
  otherMinor: bigint,
  /** What payers paid and got back, also of what a partner passes on to its sellers. */
  paymentsVolumeMinor: bigint,
  refundsVolumeMinor: bigint,
  returnedVolumeMinor: bigint,
};

export const sumFields = group(sums);

/** Sums of an account's moves by day of its time zone. */
export const panelDayTable = table('panel_day', { accountId: textAs<AccountId>(), day, ...sums });
