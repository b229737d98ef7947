// The tables of this room, column by column.

import { instant, integer, nullable, table, text, textFrom } from '../database/index.ts';
import { currencyFrom } from '../kernel/index.ts';

export const acquirerRouteTable = table('acquirer_route', {
  id: text,
  /** As in ACQUIRERS. */
  acquirer: text,
  /** Null: every one, here and below. */
  merchantId: nullable(text),
  channelId: nullable(integer),
  currency: nullable(textFrom(currencyFrom)),
  position: integer,
  createdAt: instant,
});

export const acquirerActivityTable = table('acquirer_activity', {
  /** As in ACQUIRERS. */
  acquirer: text,
  callbackAt: instant,
});
