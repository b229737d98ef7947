// SQL of running processes. Owns: node.

import { readBigint, readText } from '../read.ts';
import type { Sql } from '../sql.ts';
import type { RowOf } from '../table.ts';
import type { nodeTable } from './table.ts';

export type NodeRow = RowOf<typeof nodeTable>;

/** Adds a beat; a row that others removed while the process was frozen is written again. Holds no lock afterwards. */
export async function beat(sql: Sql, { id, name, startedAt }: Omit<NodeRow, 'beat'>): Promise<void> {
  await sql.run`
    insert into node (id, name, beat, started_at) values (${id}, ${name}, 1, ${startedAt})
    on conflict (id) do update set beat = node.beat + 1`;
}

/** The beats of all processes; a few rows. */
export async function listBeats(sql: Sql): Promise<Map<string, bigint>> {
  const rows = await sql.many((row) => [readText(row, 'id'), readBigint(row, 'beat')] as const)`
    select id, beat from node`;
  return new Map(rows);
}

export async function deleteNodes(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.run`delete from node where id = any(${ids}::text[])`;
}
