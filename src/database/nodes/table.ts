// The table of running processes, column by column.

import { bigint, instant, table, text } from '../table.ts';

export const nodeTable = table('node', {
  id: text,
  name: text,
  /** Grows while the process runs. */
  beat: bigint,
  startedAt: instant,
});
