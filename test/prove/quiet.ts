// False alarms: two nodes under a mixed load, a bank with faults, nodes that are killed; meanwhile the books are verified and
// compared with the bank again and again. Nothing is wrong, so nothing may be named.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idsFrom, pause, systemClock, systemRandom } from '../../src/runtime/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { cloneDatabase } from '../support/database.ts';
import { aDataDir, type Environment, quietPort, type Running, runGrosz, startGrosz } from '../support/process.ts';
import { Seeded } from '../support/seeded.ts';
import { ask, atEnd, NoAnswer } from '../support/service.ts';
import { figureText, isOver, type ProveOptions, type Seen } from './figure.ts';

const goalMinutes = 60;
const clients = 6;
/** A node is killed after so many rounds of checks. */
const roundsPerKill = 3;
/** Everything is verified, and not only what changed, after so many rounds. */
const roundsPerWhole = 5;
const settledTries = 120;
const settledPauseMilliseconds = 1_000;

/** None of them makes the bank's record differ from what it was asked for. */
const faults: Faults = {
  lostAnswer: { probability: 0.1, seed: 1 },
  lostRequest: { probability: 0.1, seed: 2 },
  duplicateCallback: { probability: 0.3, seed: 3 },
  lateCallback: { probability: 0.05, seed: 4, seconds: 20 },
  reorderedCallbacks: { probability: 0.1, seed: 5, seconds: 5 },
  slow: { probability: 0.1, seed: 6, seconds: 1 },
  waitingRefund: { probability: 0.2, seed: 7, seconds: 5 },
  refusedRefund: { probability: 0.1, seed: 8 },
};

interface Account {
  readonly token: string;
  readonly posId: string;
  readonly sellers: readonly string[];
}

interface Node {
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly url: string;
  running: Running;
}

async function startNode(words: readonly string[], environment: Environment, url: string): Promise<Node> {
  const running = startGrosz(words, environment);
  for (let tries = 0; tries < settledTries; tries += 1) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (ready?.status === 200) return { words, environment, url, running };
    await pause(settledPauseMilliseconds);
  }
  throw new Error(`grosz ${words} did not become ready.`);
}

class Site {
  readonly environment: Environment;
  readonly nodes: Node[] = [];
  #merchant: Account = { token: '', posId: '', sellers: [] };
  #partner: Account = this.#merchant;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** The first node has the demo's accounts; the second one serves and works too. */
  async start(): Promise<void> {
    const [first, second, workPort] = [await quietPort(), await quietPort(), await quietPort()];
    const urlOf = (port: number) => `http://127.0.0.1:${port}`;
    this.nodes.push(await startNode(['start'], { ...this.environment, PORT: String(first) }, urlOf(first)));
    const more = { ...this.environment, PORT: String(second), WORK_PORT: String(workPort) };
    this.nodes.push(await startNode(['serve'], more, urlOf(second)));
    this.nodes.push(await startNode(['work'], more, urlOf(workPort)));
    const demo = JSON.parse(readFileSync(join(this.environment.DATA_DIR ?? '', 'demo.json'), 'utf8'));
    this.#merchant = await this.#accountOf(demo.merchant);
    this.#partner = await this.#accountOf(demo.partner);
    const set = await this.post('/sandbox/faults', this.#merchant, faults);
    if (set.status !== 200) throw new Error(`The faults could not be set: ${set.text}`);
  }

  async #accountOf(client: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly posId: string;
    readonly sellers?: readonly string[];
  }): Promise<Account> {
    const body = { client_id: client.clientId, client_secret: client.clientSecret };
    const { body: answer } = await ask(this.nodes[0]?.url ?? '', 'POST', '/oauth/auth', { body });
    return { token: String(answer.access_token), posId: client.posId, sellers: client.sellers ?? [] };
  }

  post(path: string, account: Account, body: object, turn = 0) {
    const url = this.nodes[turn % 2]?.url ?? '';
    return ask(url, 'POST', path, { token: account.token, body });
  }

  async kill(which: number): Promise<void> {
    const node = this.nodes[which % this.nodes.length];
    if (!node) return;
    node.running.kill('SIGKILL');
    await node.running.ended;
    const again = await startNode(node.words, node.environment, node.url);
    node.running = again.running;
  }

  /** One thing that a merchant, a payer or a partner does; what was answered does not matter here. */
  async act(draw: Seeded): Promise<void> {
    const turn = draw.below(2);
    const what = draw.below(10);
    if (what < 6) return this.#pay(draw, turn);
    if (what < 8) return this.#split(draw, turn);
    await this.#recur(draw, turn);
  }

  async #pay(draw: Seeded, turn: number): Promise<void> {
    const amount = (100 + draw.below(50_000)) / 100;
    const { body: made } = await this.post('/transactions', this.#merchant, { amount, description: 'Order' }, turn);
    const path = `/transactions/${made.transactionId}`;
    const blikToken = draw.chance(0.8) ? '777123' : '111000';
    const { body: paid } = await this.post(
      `${path}/pay`,
      this.#merchant,
      { groupId: 150, blikPaymentData: { blikToken } },
      draw.below(2),
    );
    if (paid.status !== 'paid') return void (await this.post(`${path}/cancel`, this.#merchant, {}, turn));
    if (draw.chance(0.4)) await this.post(`${path}/refunds`, this.#merchant, draw.chance(0.5) ? { amount: 0.5 } : {});
  }

  async #split(draw: Seeded, turn: number): Promise<void> {
    const children = this.#partner.sellers.slice(0, 2).map((id) => ({
      amount: 500 + draw.below(10_000),
      description: 'Part',
      merchant: { id },
      commission: draw.below(100),
      products: [{ externalId: 'tea', name: 'Tea', quantity: 4, unitPrice: 100 }],
    }));
    const order = {
      currency: 'PLN',
      description: 'Cart',
      hiddenDescription: 'cart',
      pos: { id: this.#partner.posId },
      billingAddress: { email: 'payer@example.com', name: 'Jan Nowak' },
      childTransactions: children,
    };
    const { body: made } = await this.post('/marketplace/v1/transaction', this.#partner, order, turn);
    const path = `/marketplace/v1/transaction/${made.transactionId}`;
    await this.post(`${path}/pay`, this.#partner, { blikPaymentData: { blikToken: '777123' } }, draw.below(2));
    const part = { merchantId: this.#partner.sellers[0], amount: 100 + draw.below(300) };
    if (draw.chance(0.4)) await this.post(`${path}/refund`, this.#partner, { childTransactions: [part] });
  }

  async #recur(draw: Seeded, turn: number): Promise<void> {
    const request = {
      id: idsFrom(systemClock, systemRandom()).ulid(),
      description: 'Box',
      payer: { email: 'jan@example.com', name: 'Jan Nowak' },
      schedule: {
        amount: 49.9,
        currency: 'PLN',
        firstChargeDate: systemClock.now().toString({ smallestUnit: 'second' }),
        interval: 1,
        intervalType: 'days',
        ...(draw.chance(0.5) ? { chargeCount: 1 } : {}),
      },
      paymentInstrument: { paymentType: 'card_token', value: draw.chance(0.8) ? 'tok' : 'payer-rejected' },
      callbackUrl: 'http://127.0.0.1:9/none',
    };
    await this.post('/recurring', this.#merchant, request, turn);
  }
}

interface Checked {
  readonly verified: number;
  readonly reconciled: number;
  readonly kills: number;
  /** A machine so busy that a command did not get to its database: it says so, and nothing of the books. */
  readonly unreached: number;
  readonly alarms: readonly string[];
}

const notReached = /^(?:Cannot reach the database|The database is away\.)/;

/** Verifies and reconciles in turn until the time is over; the end of an alarm is what was printed. */
async function checkOn(site: Site, options: ProveOptions): Promise<Checked> {
  const alarms: string[] = [];
  let [verified, reconciled, kills, unreached] = [0, 0, 0, 0];
  /** How many it did: one, if it had a result. */
  const check = async (...words: string[]): Promise<number> => {
    const { code, stderr, stdout } = await runGrosz(words, site.environment);
    if (code === 0) return 1;
    const said = (stderr || stdout).trim();
    options.print(`grosz ${words.join(' ')}: ${said}`);
    if (notReached.test(said)) unreached += 1;
    else alarms.push(said);
    return notReached.test(said) ? 0 : 1;
  };
  for (let round = 1; !isOver(options); round += 1) {
    verified += await check('verify', ...(round % roundsPerWhole === 0 ? [] : ['--since', 'last']));
    reconciled += await check('reconcile');
    if (round % roundsPerKill !== 0) continue;
    await site.kill(kills);
    kills += 1;
    options.print(`${verified} verified, ${reconciled} compared, ${kills} kills, ${alarms.length} alarms`);
  }
  return { verified, reconciled, kills, unreached, alarms };
}

/** The figure: how often verify or reconcile named something although nothing was wrong. */
export async function proveQuiet(options: ProveOptions): Promise<Seen[]> {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  const site = new Site({
    DATABASE_URL: database.url,
    DATA_DIR: aDataDir(),
    RECONCILE_AT: 'off',
    VERIFY_EVERY: '5',
    LOG_LEVEL: 'silent',
  });
  await site.start();
  const begun = performance.now();
  let acts = 0;
  let stopped = false;
  const client = async (index: number) => {
    const draw = new Seeded(`${options.seed} ${index}`);
    while (!stopped) {
      try {
        await site.act(draw);
        acts += 1;
      } catch (error) {
        // A node was killed.
        if (!(error instanceof NoAnswer)) throw error;
        await pause(settledPauseMilliseconds);
      }
    }
  };
  const load = Array.from({ length: clients }, (_, index) => client(index));
  const { verified, reconciled, kills, unreached, alarms } = await checkOn(site, options);
  stopped = true;
  await Promise.all(load);
  const end = await runGrosz(['verify'], site.environment);
  const minutes = (performance.now() - begun) / 60_000;
  return [
    {
      figure: 'alarms of verify and reconcile while nothing is wrong',
      goal: `0 in ${goalMinutes} minutes of mixed load on two nodes with faults`,
      seen: `${alarms.length} in ${minutes.toFixed(1)} minutes: ${figureText(acts)} orders, ${verified} times verified, ${reconciled} times compared, ${kills} kills, ${unreached} times the database was not reached; in the end: ${(end.stderr || end.stdout).trim().split('\n')[0]}`,
      met: alarms.length === 0 && end.code === 0 && acts > 0 && verified > unreached && reconciled > unreached,
    },
  ];
}
