// The table of caught mail, column by column.

import { instant, table, text } from '../../database/index.ts';

export const caughtMailTable = table('caught_mail', {
  id: text,
  receivedAt: instant,
  /** The message as received over SMTP, sealed: it has links that let one into the panel. */
  sourceSealed: text,
});
