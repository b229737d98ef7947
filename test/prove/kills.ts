// Acknowledged writes after kill -9: the real service and its PostgreSQL are repeatedly killed and restarted under a
// load of creates and payments. What was acknowledged must be there; everything else must be resolved; and the bank's
// record, the ledger and the responses must agree.

import { constants, publicEncrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import { patientTimes, readText } from '../../src/database/index.ts';
import { openDatabase, openService } from '../../src/open.ts';
import { pause } from '../../src/runtime/index.ts';
import { findProblems } from '../support/invariants.ts';
import {
  aDataDir,
  embeddedUrl,
  postmasterOf,
  quietPort,
  type Running,
  runGrosz,
  startGrosz,
  untilGone,
} from '../support/process.ts';
import { Seeded } from '../support/seeded.ts';
import { type Answer, ask, NoAnswer } from '../support/service.ts';
import { installWatch } from '../support/watch.ts';
import { figureText, isOver, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalWrites = 1_000_000;
const goalKills = 50;
const clients = 24;

/** The responses that clients got. */
interface Answered {
  /** Transactions whose creation was acknowledged. */
  readonly created: Set<string>;
  /** Those whose payment was acknowledged with success. */
  readonly paid: Set<string>;
  /** Unexpected responses: anything but success, 409 for a key in use, and 503. */
  readonly odd: string[];
}

type Victim = 'service' | 'database' | 'both';
const victims: readonly Victim[] = ['service', 'database', 'both'];

export interface KillsSeen {
  readonly writes: number;
  readonly kills: number;
  readonly missing: readonly string[];
  readonly problems: readonly string[];
  readonly odd: readonly string[];
  readonly open: number;
  /** How long payments in progress at a killed service stood still, if measured. */
  readonly stoppedMilliseconds: number | undefined;
}

class Site {
  readonly dataDir = aDataDir();
  readonly answered: Answered = { created: new Set(), paid: new Set(), odd: [] };
  readonly draw: Seeded;
  url = '';
  port = 0;
  running: Running | undefined;
  #token = '';
  #card = '';
  #stopped = false;
  #keys = 0;

  constructor(seed: string) {
    this.draw = new Seeded(seed);
  }

  get environment() {
    return { DATA_DIR: this.dataDir, PORT: String(this.port), LOG_LEVEL: 'warn' };
  }

  async start(): Promise<void> {
    if (this.port === 0) this.port = await quietPort();
    this.url = `http://127.0.0.1:${this.port}`;
    this.running = startGrosz(['start'], this.environment);
    await this.running.until(/Ctrl-C stops it/);
    const { merchant } = JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8'));
    const body = { client_id: merchant.clientId, client_secret: merchant.clientSecret };
    this.#token = (await ask(this.url, 'POST', '/oauth/auth', { body })).body.access_token;
    this.#card ||= await this.#encryptCard();
  }

  async #encryptCard(): Promise<string> {
    const { body } = await this.get('/cards/public-key');
    const key = { key: body.publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    return publicEncrypt(key, Buffer.from('4111111111111111|12/39|123')).toString('base64');
  }

  get(path: string): Promise<Answer> {
    return ask(this.url, 'GET', path, { token: this.#token });
  }

  post(path: string, body: object): Promise<Answer> {
    this.#keys += 1;
    const headers = { 'idempotency-key': `load-${this.#keys}` };
    return ask(this.url, 'POST', path, { token: this.#token, body, headers });
  }

  /** One client: creates and pays until it is stopped; a lost connection is not a response. */
  async #client(onAnswer: () => void): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#order(onAnswer);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        // The service or the database is gone: ignore it and try again.
        if (this.#stopped) return;
      }
    }
  }

  async #order(onAnswer: () => void): Promise<void> {
    const inOne = this.draw.chance(0.2);
    const pay = this.draw.chance(0.5)
      ? { groupId: 150, blikPaymentData: { blikToken: '777123' } }
      : { channelId: 53, cardPaymentData: { card: this.#card } };
    const order = { amount: 10.01, description: 'Order', ...(inOne ? { pay } : {}) };
    const made = this.#record(await this.post('/transactions', order), onAnswer);
    if (!made || inOne || this.draw.chance(0.3)) return;
    this.#record(await this.post(`/transactions/${made}/pay`, pay), onAnswer);
  }

  #record({ status, body, text }: Answer, onAnswer: () => void): string | undefined {
    if (status !== 200) {
      if (status !== 503) this.answered.odd.push(`${status} ${text}`);
      return undefined;
    }
    this.answered.created.add(body.transactionId);
    if (body.status === 'paid') this.answered.paid.add(body.transactionId);
    onAnswer();
    return body.transactionId;
  }

  /** Loads until this many writes were acknowledged, then kills; everything in flight is lost. */
  async loadAndKill(writes: number, victim: Victim): Promise<number> {
    this.#stopped = false;
    let answers = 0;
    let reached: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const working = Array.from({ length: clients }, () =>
      this.#client(() => {
        answers += 1;
        if (answers === writes) reached();
      }),
    );
    await enough;
    const postmaster = postmasterOf(this.dataDir) ?? 0;
    if (victim !== 'database') this.running?.kill('SIGKILL');
    if (victim !== 'service') process.kill(postmaster, 'SIGKILL');
    this.#stopped = true;
    await Promise.all(working);
    if (victim !== 'database') await this.running?.ended;
    if (victim !== 'service') await untilGone(postmaster);
    return answers;
  }

  /** Waits until the service responds again, after only its database was killed. */
  async untilBack(): Promise<void> {
    while ((await this.get('/transactions?limit=1')).status !== 200) await pause(20);
  }
}

/** Runs the rounds and compares the records at the end. */
export async function killAndCompare(
  { kills, writes, seed, measure = false }: { kills: number; writes: number; seed: string; measure?: boolean },
  onRound: (round: number, writes: number) => boolean = () => true,
): Promise<KillsSeen> {
  const site = new Site(seed);
  await site.start();
  await installWatch(embeddedUrl(site.dataDir));
  let done = 0;
  let answers = 0;
  while (done < kills) {
    const victim = victims[done % victims.length] ?? 'service';
    answers += await site.loadAndKill(Math.ceil(writes / kills), victim);
    if (victim === 'database') await site.untilBack();
    else await site.start();
    done += 1;
    if (!onRound(done, answers)) break;
  }
  const stoppedMilliseconds = measure ? await untilGoesOn(site) : undefined;
  const moved = await site.post('/sandbox/clock', { advance: 'PT30M' });
  if (moved.status !== 200) throw new Error(`The clock could not be moved: ${moved.text}`);
  const shown = await listAll(site);
  await site.running?.stop();
  return { writes: answers, kills: done, odd: site.answered.odd, stoppedMilliseconds, ...(await compare(site, shown)) };
}

const looksEveryMilliseconds = 100;
const writesBeforeMeasure = 200;

/** Kills the service once more under load; returns how long it takes until every payment in progress was looked up. */
async function untilGoesOn(site: Site): Promise<number> {
  await site.loadAndKill(writesBeforeMeasure, 'service');
  const killedAt = performance.now();
  const client = new pg.Client({ connectionString: embeddedUrl(site.dataDir) });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>("select id from charge where state = 'sent'");
    const ids = rows.map(({ id }) => id);
    await site.start();
    for (;;) {
      const left = await client.query("select from charge where state = 'sent' and id = any($1)", [ids]);
      if (left.rowCount === 0) return ids.length === 0 ? 0 : performance.now() - killedAt;
      await pause(looksEveryMilliseconds);
    }
  } finally {
    await client.end();
  }
}

/** Every transaction by the API, page by page. */
async function listAll(site: Site): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const { body } = await site.get(`/transactions?limit=100&page=${page}`);
    for (const { transactionId, status } of body.transactions.list) shown.set(transactionId, status);
    if (body.transactions.list.length < 100) return shown;
  }
}

async function compare(site: Site, shown: ReadonlyMap<string, string>) {
  const { created, paid } = site.answered;
  const missing = [
    ...[...created].filter((id) => !shown.has(id)).map((id) => `transaction ${id} was answered and is gone`),
    ...[...paid].filter((id) => shown.get(id) !== 'paid').map((id) => `payment of ${id} was answered and is gone`),
  ];
  const verified = await runGrosz(['verify'], site.environment);
  const config = { ...readConfig(site.environment, { MODE: 'sandbox' }), logLevel: 'silent' };
  const database = await openDatabase(config);
  try {
    const service = await openService(config, database.url, { name: 'check', times: patientTimes });
    try {
      const { bank, tools } = service;
      if (!bank) throw new Error('There is no bank to ask.');
      const problems = await findProblems({ ...tools, bank });
      if (verified.code !== 0) problems.push(verified.stderr);
      const open = await tools.db.sql.many((row) => readText(row, 'id'))`
        select id from charge where state in ('sent', 'waiting', 'unknown')`;
      return { missing, problems, open: open.length };
    } finally {
      await service.close();
    }
  } finally {
    await database.stop();
  }
}

/** The figure: acknowledged writes missing after kill -9 of PostgreSQL or of the service. */
export async function proveKills(options: ProveOptions): Promise<Seen[]> {
  // A smaller run keeps relatively more kills: they are what matters.
  const kills = Math.max(3, Math.round(goalKills * Math.sqrt(options.scale)));
  const seen = await killAndCompare(
    { kills, writes: scaled(goalWrites, options), seed: options.seed, measure: true },
    (round, writes) => {
      options.print(`kill ${round} of ${kills}, ${figureText(writes)} writes answered`);
      return !isOver(options);
    },
  );
  const wrong = seen.missing.length;
  const notes = [...seen.missing, ...seen.problems, ...seen.odd].slice(0, 10);
  for (const note of notes) options.print(`  ${note}`);
  return [
    {
      figure: 'acknowledged writes missing after kill -9 of PostgreSQL or of the service',
      goal: `0 of ${figureText(goalWrites)} over ${goalKills} kills`,
      seen: `${wrong} of ${figureText(seen.writes)} over ${seen.kills} kills`,
      met: wrong === 0 && seen.problems.length === 0,
    },
    {
      figure: 'differences between bank, books and answers after those kills; payments left undecided',
      goal: '0; 0',
      seen: `${seen.problems.length}; ${seen.open}`,
      met: seen.problems.length === 0 && seen.open === 0,
    },
    {
      figure: 'time until payments that a killed service had in hand go on',
      goal: 'at most 20 s',
      seen: `${Math.ceil((seen.stoppedMilliseconds ?? 0) / 1_000)} s`,
      met: seen.stoppedMilliseconds !== undefined && seen.stoppedMilliseconds <= 20_000,
    },
    {
      figure: 'answers other than success and 503 during those kills',
      goal: '0',
      seen: String(seen.odd.length),
      met: seen.odd.length === 0,
    },
  ];
}
