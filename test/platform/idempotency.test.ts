// Idempotency keys while the database is away, and repeats that arrive during a run.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { Database, DatabaseAway } from '../../src/database/index.ts';
import { type Answer, type Idempotency, openIdempotency } from '../../src/http/index.ts';
import { later } from '../../src/runtime/index.ts';
import { Gate, gatedDatabase } from '../support/gate.ts';
import { aMerchant, aService, atEnd, type Service } from '../support/service.ts';
import { aSilentProxy, type SilentProxy } from '../support/silent-proxy.ts';

const done: Answer = { status: 200, body: 'done' };
/** Longer than any machine takes. */
const patient = 60_000;

let service: Service;
let accountId: string;

before(async () => {
  service = await aService();
  accountId = (await aMerchant(service)).id;
});

function requestOf(key: string) {
  return { accountId, key, method: 'POST', path: '/x', body: {} };
}

/** The work of a request that always passes its check. */
function only(perform: () => Promise<Answer>) {
  return { check: () => undefined, perform };
}

function keysOf(db: Database, waitMilliseconds?: number): Idempotency {
  const { wall, random, vault } = service.world;
  return openIdempotency({ db, wall, random, vault, ...(waitMilliseconds === undefined ? {} : { waitMilliseconds }) });
}

suite('the database is away', () => {
  let proxy: SilentProxy;
  let db: Database;

  before(async () => {
    proxy = await aSilentProxy(service.world.databaseUrl);
    db = new Database({ url: proxy.url, applicationName: 'cut' });
    atEnd(() => db.close());
  });

  // The lease clock does not move: a key that can be claimed again was released.
  async function takesAgain(key: string): Promise<void> {
    const other = keysOf(service.world.db, patient);
    const again = await other.run(requestOf(key), ({ resumed }) => {
      assert.equal(resumed, true);
      return only(async () => done);
    });
    assert.deepEqual(again, { ...done, replayed: false });
  }

  /** A run that fails because the database went away; `back` brings it back. */
  async function failAway(keys: Idempotency, key: string): Promise<{ back: () => void }> {
    const cuts: (() => void)[] = [];
    const failed = keys.run(requestOf(key), () =>
      only(async () => {
        cuts.push(proxy.cut());
        await db.sql.run`select`;
        return done;
      }),
    );
    await assert.rejects(failed, DatabaseAway);
    return { back: () => cuts.forEach((back) => void back()) };
  }

  // Guarantee: a key whose run failed while the database was away is free as soon as the database is back.
  test('a run that fails gives its key back later', async () => {
    const cutOff = keysOf(db);
    const { back } = await failAway(cutOff, 'outage');
    const impatient = keysOf(service.world.db, 0).run(requestOf('outage'), () => only(async () => done));
    await assert.rejects(impatient, { code: 'request_in_progress' });
    back();
    await takesAgain('outage');
    await cutOff.close();
  });

  // Guarantee: the same for a key that was written without the process knowing.
  test('a key that was written without the process knowing', async () => {
    const { sql } = service.world.db;
    await sql.run`
      create function hold_key() returns trigger language plpgsql as $$
      begin
        if new.key = 'unheard' then perform pg_advisory_xact_lock_shared(7); end if;
        return new;
      end $$`;
    await sql.run`create trigger held before insert on idempotency_key for each row execute function hold_key()`;
    const holder = new pg.Client({ connectionString: service.world.databaseUrl });
    await holder.connect();
    atEnd(() => holder.end());
    await holder.query('select pg_advisory_lock(7)');
    const cutOff = keysOf(db);
    const failed = assert.rejects(
      cutOff.run(requestOf('unheard'), () => only(async () => done)),
      DatabaseAway,
    );
    const waits = () => sql.run`select from pg_locks where locktype = 'advisory' and not granted`;
    while ((await waits()) === 0);
    const back = proxy.cut();
    await failed;
    await holder.query('select pg_advisory_unlock(7)');
    const written = () => sql.run`select from idempotency_key where key = 'unheard'`;
    while ((await written()) === 0);
    back();
    await takesAgain('unheard');
    await cutOff.close();
  });

  // Guarantee: a process that stops does not wait for a database that is away.
  test('closing while it is away', async () => {
    const cutOff = keysOf(db);
    const { back } = await failAway(cutOff, 'closing');
    let isAway = true;
    const closed = cutOff.close().then(() => isAway);
    // Only so that a close that waits ends: it is told by the assertion.
    const cancel = later(5_000, () => {
      isAway = false;
      back();
    });
    assert.equal(await closed, true, 'it waited for the database');
    cancel();
    back();
  });
});

suite('a repeat during a run', () => {
  // Guarantee: a repeat waits a moment for the run and gets its response.
  test('it gets the response', async () => {
    const { db } = service.world;
    const [running, looked] = [new Gate(), new Gate()];
    const first = keysOf(db).run(requestOf('waiting'), () =>
      only(async () => {
        await running.pass();
        return done;
      }),
    );
    await running.reachedBy(first);
    const watched = gatedDatabase(db, { after: looked }, 'idempotency look');
    const repeat = keysOf(watched, patient).run(requestOf('waiting'), () => {
      throw new Error('It must not run.');
    });
    await looked.reachedBy(repeat);
    running.open();
    assert.deepEqual(await first, { ...done, replayed: false });
    looked.open();
    assert.deepEqual(await repeat, { ...done, replayed: true });
  });

  // Guarantee: however many wait, none of them holds a connection.
  test('it holds no connection', async () => {
    const db = new Database({ url: service.world.databaseUrl, applicationName: 'small', connectionsAtMost: 2 });
    atEnd(() => db.close());
    const keys = keysOf(db, patient);
    const running = new Gate();
    const work = () =>
      only(async () => {
        await running.pass();
        return done;
      });
    const first = keys.run(requestOf('crowd'), work);
    await running.reachedBy(first);
    const repeats = Array.from({ length: 50 }, () => keys.run(requestOf('crowd'), work));
    for (let asked = 0; asked < 100; asked += 1) await db.atomic((sql) => sql.run`select`);
    const isFree = () => db.connections().waiting === 0 && db.connections().idle === db.connections().total;
    while (!isFree()) await service.world.db.sql.run`select`;
    running.open();
    const answers = await Promise.all([first, ...repeats]);
    assert.deepEqual(
      answers.map(({ replayed }) => replayed),
      [false, ...repeats.map(() => true)],
    );
  });
});
