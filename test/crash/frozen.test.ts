// PostgreSQL stops responding: its processes are stopped, or its commits wait for a standby that is gone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import pg from 'pg';
import { pause } from '../../src/runtime/index.ts';
import { aDataDir, embeddedUrl, postmasterOf, quietPort, startGrosz } from '../support/process.ts';
import { type Answer, ask, atEnd } from '../support/service.ts';

interface Site {
  readonly url: string;
  readonly dataDir: string;
  readonly token: string;
}

async function aSite(): Promise<Site> {
  const dataDir = aDataDir();
  const port = await quietPort();
  const running = startGrosz(['start'], { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' });
  await running.until(/Ctrl-C stops it/);
  const url = `http://127.0.0.1:${port}`;
  const { merchant } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const body = { client_id: merchant.clientId, client_secret: merchant.clientSecret };
  const token = (await ask(url, 'POST', '/oauth/auth', { body })).body.access_token;
  return { url, dataDir, token };
}

const inSql = async <T extends pg.QueryResultRow>(site: Site, ...texts: string[]): Promise<T[]> => {
  const client = new pg.Client({ connectionString: embeddedUrl(site.dataDir) });
  await client.connect();
  try {
    let rows: T[] = [];
    for (const text of texts) ({ rows } = await client.query<T>(text));
    return rows;
  } finally {
    await client.end();
  }
};

/** Stops the server and all its children; returns a function that resumes them. */
function freeze({ dataDir }: Site): () => void {
  const server = postmasterOf(dataDir) ?? 0;
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number);
  const pids = [server, ...children];
  const signalProcess = (signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal);
  };
  signalProcess('SIGSTOP');
  let frozen = true;
  const thaw = () => {
    if (frozen) signalProcess('SIGCONT');
    frozen = false;
  };
  atEnd(async () => thaw());
  return thaw;
}

/** Commits wait for a standby that is not there; reads work. */
async function loseStandby(site: Site): Promise<() => Promise<unknown>> {
  const reload = 'select pg_reload_conf()';
  await inSql(site, "alter system set synchronous_standby_names = 'absent'", reload);
  return () => inSql(site, 'alter system reset synchronous_standby_names', reload);
}

interface Timed extends Answer {
  readonly milliseconds: number;
}

async function timed(site: Site, method: string, path: string, key?: string): Promise<Timed> {
  const beganAt = performance.now();
  const answer = await ask(site.url, method, path, {
    token: site.token,
    ...(method === 'POST' ? { body: { amount: 1, description: 'Order' } } : {}),
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  });
  return { ...answer, milliseconds: performance.now() - beganAt };
}

const create = (site: Site, key: string) => timed(site, 'POST', '/transactions', key);

/** Repeats the request until it has this status; returns after how many milliseconds that was. */
async function untilStatus(ask: () => Promise<Timed>, status: number): Promise<number> {
  const beganAt = performance.now();
  while ((await ask()).status !== status) await pause(50);
  return performance.now() - beganAt;
}

const stillMilliseconds = 12_000;
const writers = 12;

/** Writers that continue until the time is over, each with one order; returns all their responses. */
async function writeFor(site: Site, milliseconds: number): Promise<Timed[]> {
  const endsAt = performance.now() + milliseconds;
  const answers: Timed[] = [];
  const writer = async (name: number) => {
    while (performance.now() < endsAt) {
      answers.push(await create(site, `order-${name}`));
      await pause(200);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, name) => writer(name)));
  return answers;
}

// At once: each is on its own server and spends its time waiting.
suite('PostgreSQL that is frozen', { concurrency: 2 }, () => {
  for (const [name, stop] of [
    ['the server is frozen', async (site: Site) => freeze(site)],
    ['the synchronous standby is gone', loseStandby],
  ] as const) {
    // Guarantee: while the database is frozen every request gets a response within 20 s, 503 with Retry-After, and
    // /health/ready reports it; once it continues, writes work within 5 s, and nothing is lost or duplicated.
    test(name, async () => {
      const site = await aSite();
      assert.equal((await create(site, 'before')).status, 200);
      assert.equal((await timed(site, 'GET', '/health/ready')).status, 200);
      const resume = await stop(site);
      const stoppedAt = performance.now();
      const writing = writeFor(site, stillMilliseconds);
      await untilStatus(() => timed(site, 'GET', '/health/ready'), 503);
      assert.ok(performance.now() - stoppedAt < 10_000, 'ready must tell within 10 s');
      const answers = await writing;
      const longest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
      assert.ok(longest < 20_000, `a request took ${longest} ms`);
      const statuses = new Set(answers.map(({ status }) => status));
      assert.deepEqual([...statuses], [503]);
      for (const { headers } of answers) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal((await timed(site, 'GET', '/health/ready')).status, 503);
      assert.equal((await timed(site, 'GET', '/health/live')).status, 200);
      await resume();
      const backAfter = await untilStatus(() => create(site, 'back'), 200);
      assert.ok(backAfter < 5_000, `writes were back after ${backAfter} ms`);
      assert.ok((await untilStatus(() => timed(site, 'GET', '/health/ready'), 200)) < 5_000);
      for (let name = 0; name < writers; name += 1) {
        const settledAfter = await untilStatus(() => create(site, `order-${name}`), 200);
        assert.ok(settledAfter < 5_000, `the key of order ${name} was free after ${settledAfter} ms`);
      }
      const [row] = await inSql<{ count: number }>(site, 'select count(*)::integer as count from transaction');
      assert.equal(row?.count, writers + 2);
    });
  }
});
