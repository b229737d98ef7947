// database/errors: how each SQLSTATE of a failover or an overload is classified, raised by a real PostgreSQL.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { type BatchOf, Database, DatabaseAway, given, isAboutRows, readInteger } from '../../src/database/index.ts';
import { Unavailable } from '../../src/kernel/index.ts';
import { cloneDatabase } from '../support/database.ts';
import { atEnd } from '../support/service.ts';

interface Meaning {
  readonly state: string;
  readonly what: string;
  /** Whether callers are told that the database is away or busy: 503. */
  readonly away: boolean;
  /** Whether the connection leaves the pool. */
  readonly dropped: boolean;
  readonly tries: number;
  /** Whether the rows are at fault, so that a batch is split. */
  readonly rows: boolean;
}

const lost = { away: true, dropped: true, tries: 1, rows: false };
const busy = { away: true, dropped: false, tries: 1, rows: false };
const conflict = { away: true, dropped: false, tries: 5, rows: false };
const rows = { away: false, dropped: false, tries: 1, rows: true };
const bug = { away: false, dropped: false, tries: 1, rows: false };

const meanings: readonly Meaning[] = [
  { state: '08006', what: 'connection failure', ...lost },
  { state: '08P01', what: 'protocol violation, as poolers report their faults', ...lost },
  { state: '25006', what: 'read-only server after a switchover', ...lost },
  { state: '25P03', what: 'idle in transaction timeout', ...lost },
  { state: '25P04', what: 'transaction timeout', ...lost },
  { state: '26000', what: 'prepared statement lost', ...lost },
  { state: '42P05', what: 'prepared statement of another session', ...lost },
  { state: '57P01', what: 'admin shutdown', ...lost },
  { state: '57P02', what: 'crash shutdown', ...lost },
  { state: '57P03', what: 'cannot connect now', ...lost },
  { state: '57P04', what: 'database dropped', ...lost },
  { state: '57P05', what: 'idle session timeout', ...lost },
  { state: '53000', what: 'insufficient resources', ...busy },
  { state: '53100', what: 'disk full', ...busy },
  { state: '53200', what: 'out of memory', ...busy },
  { state: '53300', what: 'too many connections', ...busy },
  { state: '57014', what: 'statement timeout', ...busy },
  { state: '58030', what: 'I/O error', ...busy },
  { state: '40001', what: 'serialization failure', ...conflict },
  { state: '40P01', what: 'deadlock', ...conflict },
  { state: '55P03', what: 'lock timeout', ...conflict },
  { state: '22003', what: 'number out of range', ...rows },
  { state: '23505', what: 'unique violation', ...rows },
  { state: '23514', what: 'check violation', ...rows },
  { state: '54000', what: 'program limit', ...rows },
  { state: 'P0001', what: 'raised by a trigger', ...rows },
  { state: 'XX001', what: 'damaged row', ...rows },
  { state: '42501', what: 'permission denied', ...bug },
  { state: '42703', what: 'unknown column', ...bug },
  { state: 'XX000', what: 'internal error', ...bug },
];

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('It succeeded.'),
    (error: unknown) => error,
  );
}

suite('errors of the database', () => {
  let db: Database;

  before(async () => {
    const database = await cloneDatabase();
    // One connection, so that every statement reuses it unless it was dropped.
    db = new Database({ url: database.url, applicationName: 'test', connectionsAtMost: 1 });
    atEnd(async () => {
      await db.close();
      await database.drop();
    });
    await db.sql.run`create table thing (id integer primary key)`;
    await db.sql.run`
      create function fail(state text) returns integer language plpgsql as $$
        begin raise exception 'as a test' using errcode = state; end $$`;
  });

  const processId = () => db.sql.one((row) => readInteger(row, 'pid'))`select pg_backend_pid() as pid`;

  /** Rows above 0 are written; a row of 0 raises the state. */
  function insertOrFail(state: string, sizes: number[]): BatchOf<number, void> {
    return {
      name: `fail ${state}`,
      atomic: true,
      async execute(sql, ids) {
        sizes.push(ids.length);
        const things = ids.map((id) => ({ id }));
        await sql.run`
          insert into thing select case when id = 0 then fail(${state}) else id end
            from ${given(things, { id: 'integer' })}`;
        return ids.map(() => undefined);
      },
    };
  }

  for (const { state, what, away, dropped, tries, rows: rowsAtFault } of meanings) {
    // Guarantee: a failover or an overload gives 503, never 500 and never a fault of the row; a connection to a server
    // that is going away is not reused, although its rollback succeeds.
    test(`${state} ${what}, in a transaction`, async () => {
      const before = await processId();
      let tried = 0;
      const error = await errorOf(
        db.atomic(async (sql) => {
          tried += 1;
          await sql.run`select fail(${state})`;
        }),
      );
      assert.equal(error instanceof DatabaseAway, away);
      assert.equal(isAboutRows(error), rowsAtFault);
      assert.equal(tried, tries);
      assert.equal((await processId()) !== before, dropped);
    });

    test(`${state} ${what}, in one statement`, async () => {
      const error = await errorOf(db.sql.run`select fail(${state})`);
      assert.equal(error instanceof DatabaseAway, away);
      assert.equal(isAboutRows(error), rowsAtFault);
    });

    // Guarantee: a batch is split only where that can help; otherwise all its callers fail immediately.
    test(`${state} ${what}, among the rows of a set`, async () => {
      await db.sql.run`truncate thing`;
      const sizes: number[] = [];
      const statement = insertOrFail(state, sizes);
      const results = await Promise.allSettled([1, 2, 0, 4].map((id) => db.batch(statement, id)));
      const refused = results.filter((result) => result.status === 'rejected').length;
      assert.equal(refused, rowsAtFault ? 1 : 4);
      assert.equal(Math.min(...sizes), rowsAtFault ? 1 : 4);
      const stored = await db.sql.many((row) => readInteger(row, 'id'))`select id from thing`;
      assert.equal(stored.length, rowsAtFault ? 3 : 0);
    });
  }

  // Guarantee: a full queue says nothing about the rows that it refused.
  test('a full queue', async () => {
    const full = () => Promise.reject(new Unavailable('service_unavailable'));
    const error = await errorOf(db.atomic(full));
    assert.ok(error instanceof Unavailable);
    assert.equal(isAboutRows(error), false);
  });

  // Guarantee: a migration that changes a table's columns costs a running node one retry, not every later one.
  test('a prepared statement whose result changed', async () => {
    const read = () => db.atomic((sql) => sql.many((row) => row)`select * from thing`);
    await read();
    await db.sql.run`alter table thing add column another text`;
    await assert.rejects(read(), DatabaseAway);
    await read();
  });
});
