// How far the panel has read what other rooms wrote. Owns: panel_progress.

import { readBigint, type Sql } from '../../database/index.ts';

export type Reader = 'journals' | 'transactions';

/** The position up to which this reader has come, locked; undefined if another node reads on. */
export function lockProgress(sql: Sql, reader: Reader): Promise<bigint | undefined> {
  return sql.maybeOne((row) => readBigint(row, 'position'))`
    select position from panel_progress where reader = ${reader} for update skip locked`;
}

export async function updateProgress(sql: Sql, reader: Reader, position: bigint): Promise<void> {
  await sql.run`update panel_progress set position = ${position} where reader = ${reader}`;
}
