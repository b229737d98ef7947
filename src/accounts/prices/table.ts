// The tables of prices, column by column.

import { bigint, instant, integer, nullable, table, text, textAs } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';

export type PriceKind = 'payment' | 'refund' | 'payout' | 'dispute';

export const priceListTable = table('price_list', { id: text, name: text, createdAt: instant });

export const priceTable = table('price', {
  id: bigint,
  /** A list, or the account whose own price it is. */
  ownerId: text,
  kind: textAs<PriceKind>(),
  /** Null: of every channel that has no row of its own. */
  channelId: nullable(integer),
  validFrom: instant,
  basisPoints: integer,
  fixedMinor: bigint,
  minimumMinor: bigint,
  maximumMinor: nullable(bigint),
  createdAt: instant,
  mac: text,
});

export const accountPriceListTable = table('account_price_list', {
  id: bigint,
  accountId: textAs<AccountId>(),
  /** Null: its own prices again. */
  listId: nullable(text),
  validFrom: instant,
  createdAt: instant,
  mac: text,
});
