// Damages a database by SQL, one change at a time, and asks who notices. Everything happens in one database transaction
// that is rolled back to where it was after each damage: a clone for each would take minutes.

import type { Finding } from '../../contract/codes/findings.ts';
import { Database, patientTimes, readText, type Sql } from '../../src/database/index.ts';
import { sealJournals } from '../../src/ledger/index.ts';
import { roomsOf, type Service } from './service.ts';
import { findingsOf } from './verify.ts';

/** One change, and who must notice it: the schema refuses it, or verify says this code. */
export interface Damage {
  readonly what: string;
  readonly statements: readonly string[];
  /** It is made as the service would make it; otherwise as somebody who switches triggers and foreign keys off. */
  readonly triggers?: boolean;
  /** The engine seals what was posted, as it would within a second. */
  readonly seals?: boolean;
  readonly noticed: 'schema' | (string & {});
}

/** `schema`: it was refused. `nothing`: no row was there to be damaged. Else the codes of what verify found. */
export type Noticed = 'schema' | 'nothing' | readonly string[];

class RollBack extends Error {}

/** What verify finds in a damaged database. `expected`: the code that it should find. */
export type Find = (world: Service['world'], sql: Sql, expected: string) => Promise<readonly Finding[]>;

/**
 * Looks in one part of verify after the other, first in that which found this code before, until it is found: a fraction
 * of the time of all parts. `parts`: which part found which code.
 */
export function untilFound(parts = new Map<string, string>()): Find {
  return async (world, sql, expected) => {
    const { capabilities } = await roomsOf(world);
    const likely = parts.get(expected);
    const names = capabilities.flatMap(({ name, verify }) => (verify ? [name] : []));
    for (const name of [...names.filter((one) => one === likely), ...names.filter((one) => one !== likely)]) {
      const found = await findingsOf(world, sql, name);
      if (!found.some(({ code }) => code === expected)) continue;
      parts.set(expected, name);
      return found;
    }
    return [];
  };
}

interface Tampering {
  readonly until?: number | undefined;
  readonly find?: Find;
}

/** Who notices each of these damages, in order; fewer if the time is over. */
export async function noticedBy(
  service: Service,
  damages: readonly Damage[],
  { until = Number.POSITIVE_INFINITY, find = (world, sql) => findingsOf(world, sql) }: Tampering = {},
): Promise<Noticed[]> {
  const db = new Database({ url: service.world.databaseUrl, applicationName: 'tampering', times: patientTimes });
  const noticed: Noticed[] = [];
  try {
    await db
      .atomic(async (sql) => {
        for (const damage of damages) {
          if (performance.now() > until) break;
          noticed.push(await noticedOne(service, sql, damage, find));
        }
        throw new RollBack();
      })
      .catch((error) => {
        if (!(error instanceof RollBack)) throw error;
      });
  } finally {
    await db.close();
  }
  return noticed;
}

/** Damages that nobody noticed who should have, with who did. */
export async function unnoticed(
  service: Service,
  damages: readonly Damage[],
  tampering?: Tampering,
): Promise<{ readonly tried: number; readonly missed: string[] }> {
  const noticed = await noticedBy(service, damages, tampering);
  const missed = noticed.flatMap((by, index) => {
    const damage = damages[index];
    if (!damage || by === damage.noticed || (Array.isArray(by) && by.includes(damage.noticed))) return [];
    return [`${damage.what}: ${damage.noticed} was expected, it was ${String(by) || 'nobody'}`];
  });
  return { tried: noticed.length, missed };
}

/** Integrity constraint violations: everything else is a mistake in the damage. */
const isRefusal = (error: unknown) => String((error as { code?: unknown }).code).startsWith('23');

async function noticedOne(service: Service, sql: Sql, damage: Damage, find: Find): Promise<Noticed> {
  const run = (statement: string) => sql.run([statement] as unknown as TemplateStringsArray);
  await run('savepoint before');
  try {
    if (!damage.triggers) await run('set local session_replication_role = replica');
    let rows = 0;
    try {
      for (const statement of damage.statements) rows += await run(statement);
    } catch (error) {
      if (!isRefusal(error)) throw new Error(`${damage.what}: ${String(error)}`);
      return 'schema';
    }
    if (rows === 0) return 'nothing';
    await run('set local session_replication_role = origin');
    if (damage.seals)
      await sealJournals({ db: { atomic: (work) => work(sql) } as Database, vault: service.world.vault });
    const found = await find(service.world, sql, damage.noticed);
    return [...new Set(found.map(({ code }) => code))].sort();
  } finally {
    await run('rollback to savepoint before');
  }
}

export interface Column {
  readonly table: string;
  readonly column: string;
}

/** Every table of the schema. */
export function listTables(sql: Sql): Promise<string[]> {
  return sql.many((row) => readText(row, 'table_name'))`
    select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;
}

/** Every column that has money. */
export function listMoneyColumns(sql: Sql): Promise<Column[]> {
  return sql.many((row) => ({ table: readText(row, 'table_name'), column: readText(row, 'column_name') }))`
    select table_name, column_name from information_schema.columns
     where table_schema = 'public' and domain_name = 'minor_units' order by table_name, column_name`;
}
