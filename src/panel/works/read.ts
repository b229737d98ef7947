// The processes of Grosz and their database, as PostgreSQL knows them. Reads only.

import { readBigint, readInstant, readInteger, readText, type Sql } from '../../database/index.ts';

export interface Node {
  readonly name: string;
  readonly address: string;
  readonly connections: number;
  readonly since: Temporal.Instant;
}

/** Processes of Grosz with a connection to this database, at most 200. */
export function listNodesOf(sql: Sql): Promise<Node[]> {
  return sql.many((row) => ({
    name: readText(row, 'application_name'),
    address: readText(row, 'address'),
    connections: readInteger(row, 'connections'),
    since: readInstant(row, 'since'),
  }))`
    select application_name, coalesce(host(client_addr), '') as address, count(*)::integer as connections,
           min(backend_start) as since
      from pg_stat_activity
     where datname = current_database() and application_name like 'grosz %'
     group by 1, 2 order by 1, 2 limit 200`;
}

export function readServer(sql: Sql): Promise<{ version: string; bytes: bigint }> {
  return sql.one((row) => ({ version: readText(row, 'version'), bytes: readBigint(row, 'bytes') }))`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`;
}
