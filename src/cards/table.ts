// The tables of cards, column by column.

import { instant, nullable, table, text, textAs } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';

export const cardKeyTable = table('card_key', {
  id: text,
  publicPem: text,
  privateSealed: text,
  createdAt: instant,
});

export const cardTokenTable = table('card_token', {
  /** A digest of the token; the token itself is in `cardSealed`. */
  token: text,
  attemptId: text,
  merchantId: textAs<AccountId>(),
  cardSealed: text,
  acquirer: nullable(text),
  tail: text,
  brand: text,
  expiry: text,
  createdAt: instant,
  activeAt: nullable(instant),
});
