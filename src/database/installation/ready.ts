// Whether this process can work now. It queries the database as requests do, through the same pool, and with a write: a
// standby, or a primary whose synchronous standby is gone, still answers reads.

import { pause } from '../../runtime/index.ts';
import type { Database } from '../database.ts';
import { isAway } from '../errors.ts';
import { type Migration, missingMigrations } from '../migrate.ts';
import { lockForCheck } from './store.ts';

/** Longer than a normal write, shorter than load balancers wait. */
const answersWithinMilliseconds = 3_000;

/** Why not, in one sentence; undefined if it can. */
export async function whyNotReady(db: Database, migrations: readonly Migration[]): Promise<string | undefined> {
  if (db.oldestWaitMilliseconds() > answersWithinMilliseconds) return 'Writes wait for the database.';
  const answered = new AbortController();
  const late = pause(answersWithinMilliseconds, answered.signal).then(() => 'The database does not answer in time.');
  try {
    return await Promise.race([findFault(db, migrations), late]);
  } finally {
    answered.abort();
  }
}

async function findFault(db: Database, migrations: readonly Migration[]): Promise<string | undefined> {
  try {
    const missing = await missingMigrations(db.sql, migrations);
    if (missing.length > 0) return 'The schema is not that of this version: run grosz migrate.';
    await db.batch(lockForCheck, undefined);
    return undefined;
  } catch (error) {
    if (isAway(error)) return 'The database is away or busy.';
    throw error;
  }
}
