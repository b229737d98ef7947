// The table of caught mail, column by column.

import { bytes, instant, table, text } from '../../platform/index.ts';

export const caughtMailTable = table('caught_mail', {
  id: text,
  receivedAt: instant,
  /** The message as received over SMTP. */
  source: bytes,
});
