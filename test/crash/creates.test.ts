// kill -9 of the service and of PostgreSQL under a load of creates: acknowledged transactions are there afterwards. The
// real `start`, the real embedded server with fsync on. CRASH_ROUNDS asks for more kills of each kind than the default
// 3.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import pg from 'pg';
import { pause } from '../../src/runtime/index.ts';
import {
  aDataDir,
  embeddedUrl,
  postmasterOf,
  quietPort,
  type Running,
  startGrosz,
  untilGone,
} from '../support/process.ts';
import { ask } from '../support/service.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 3);
const clients = 16;
/** Number of responses before each kill, and between a kill and the next. */
const answersBetween = 150;

/** Clients that create continuously and record the responses. Each request has its own description. */
class Load {
  readonly acknowledged: string[] = [];
  sent = 0;
  failed = 0;
  readonly #url: string;
  readonly #token: string;
  #running = true;
  readonly #clients: Promise<void>[];
  readonly #waiting = new Set<() => void>();

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
    this.#clients = Array.from({ length: clients }, () => this.#run());
  }

  async #run(): Promise<void> {
    while (this.#running) {
      this.sent += 1;
      const id = await this.#create(`order ${this.sent}`);
      if (id === undefined) {
        this.failed += 1;
        await pause(10);
        continue;
      }
      this.acknowledged.push(id);
      for (const look of this.#waiting) look();
    }
  }

  /** The id, if the whole response arrived; undefined if none did, or it was a 503. */
  async #create(description: string): Promise<string | undefined> {
    const body = { amount: 1.23, description };
    const answer = await ask(this.#url, 'POST', '/transactions', { token: this.#token, body }).catch(() => undefined);
    if (answer?.status === 200) return answer.body.transactionId;
    if (answer) assert.equal(answer.status, 503, answer.text);
    return undefined;
  }

  /** Resolves after this many more responses. */
  answers(more: number): Promise<void> {
    const goal = this.acknowledged.length + more;
    return new Promise((resolve) => {
      const look = () => {
        if (this.acknowledged.length < goal) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
  }
}

suite('kill -9 during a load of creates', () => {
  // Guarantee: a transaction that got a 200 is never lost, and none is created twice.
  test('acknowledged transactions are there afterwards', { timeout: 300_000 + rounds * 30_000 }, async (context) => {
    const dataDir = aDataDir();
    const port = await quietPort();
    const url = `http://127.0.0.1:${port}`;
    async function start(): Promise<Running> {
      const running = startGrosz(['start'], { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' });
      await running.until(/Ctrl-C stops it/);
      return running;
    }

    let running = await start();
    const { merchant } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
    const { body } = await ask(url, 'POST', '/oauth/auth', {
      body: { client_id: merchant.clientId, client_secret: merchant.clientSecret },
    });
    const load = new Load(url, body.access_token);
    // Even if an assertion fails: a load that is not stopped would keep this process alive forever.
    context.after(() => load.stop());

    for (let round = 0; round < rounds; round += 1) {
      await load.answers(answersBetween);
      running.kill('SIGKILL');
      await running.ended;
      running = await start();

      await load.answers(answersBetween);
      const postmaster = postmasterOf(dataDir) ?? 0;
      assert.ok(postmaster > 0);
      process.kill(postmaster, 'SIGKILL');
      await untilGone(postmaster);
    }
    await load.answers(answersBetween);
    await load.stop();

    const client = new pg.Client({ connectionString: embeddedUrl(dataDir) });
    await client.connect();
    const { rows: settings } = await client.query('select current_setting($1) as fsync', ['fsync']);
    const { rows } = await client.query<{ id: string; description: string }>('select id, description from transaction');
    await client.end();
    const there = new Set(rows.map(({ id }) => id));
    const missing = load.acknowledged.filter((id) => !there.has(id));
    context.diagnostic(
      `creates: ${load.acknowledged.length} acknowledged, ${missing.length} missing after ${rounds} kills of the ` +
        `service and ${rounds} of PostgreSQL (${load.failed} requests were not answered with 200)`,
    );
    assert.equal(settings[0].fsync, 'on');
    assert.equal(missing.length, 0, `missing: ${missing.slice(0, 10).join(', ')}`);
    assert.equal(new Set(load.acknowledged).size, load.acknowledged.length);
    assert.equal(new Set(rows.map(({ description }) => description)).size, rows.length, 'none was made twice');
    assert.ok(rows.length <= load.sent);
    assert.equal((await running.stop()).code, 0);
  });
});
