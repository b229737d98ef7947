// A node that dies at a given edge: any moment around a commit or a request to the bank. Its work stays there forever,
// and its database connections break, as they would with its process.

import type { Acquirer } from '../../src/acquirer/index.ts';
import { Database, type Sql } from '../../src/database/index.ts';
import { acquirersWith } from './acquirers.ts';
import type { TestWorld } from './service.ts';

let nodes = 0;

class Fate {
  readonly #dieAt: number;
  readonly #died = Promise.withResolvers<string>();
  #edges = 0;
  #counts = true;

  constructor(dieAt: number) {
    this.#dieAt = dieAt;
  }

  /** Resolves with the name of the edge at which it died. */
  get died(): Promise<string> {
    return this.#died.promise;
  }

  /** Does something without edges. */
  async spare<T>(work: () => Promise<T>): Promise<T> {
    this.#counts = false;
    const result = await work();
    this.#counts = true;
    return result;
  }

  /** Returns, or never does. After the death nothing continues, wherever it was. */
  async edge(name: string): Promise<void> {
    if (!this.#counts) return;
    this.#edges += 1;
    if (this.#edges === this.#dieAt) this.#died.resolve(name);
    if (this.#edges >= this.#dieAt) await new Promise(() => undefined);
  }

  async around<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.edge(`before ${name}`);
    const result = await work();
    await this.edge(`after ${name}`);
    return result;
  }
}

class MortalDatabase extends Database {
  readonly #fate: Fate;
  /** Database transactions that have begun and not ended, and those of them that wait at their commit. */
  #begun = 0;
  #atCommit = 0;

  constructor(url: string, applicationName: string, fate: Fate) {
    super({ url, applicationName });
    this.#fate = fate;
  }

  override async atomic<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.#fate.edge('before a transaction');
    this.#begun += 1;
    const committing = super.atomic(async (sql) => {
      const done = await work(sql);
      this.#atCommit += 1;
      await this.#fate.edge('before a commit');
      this.#atCommit -= 1;
      return done;
    });
    const result = await committing.finally(() => {
      this.#begun -= 1;
    });
    await this.#fate.edge('after a commit');
    return result;
  }

  /**
   * Whether nothing of a dead node moves any more: one that was about to connect when it died would hold its locks
   * forever.
   */
  get still(): boolean {
    return this.#begun === this.#atCommit;
  }
}

export interface MortalNode {
  readonly world: TestWorld;
  /** Prepares something: the node does not die in it, and its edges are not counted. */
  prepare<T>(work: (world: TestWorld) => Promise<T>): Promise<T>;
  /** Runs the work until it ends or the node dies; returns the edge of its death, or undefined if it survived. */
  live(work: (world: TestWorld) => Promise<unknown>): Promise<string | undefined>;
}

/** Another node on the same database and bank; it dies at its `dieAt`-th edge, counted from 1. */
export function aMortalNode(world: TestWorld, dieAt: number): MortalNode {
  nodes += 1;
  const fate = new Fate(dieAt);
  const name = `mortal ${nodes}`;
  const db = new MortalDatabase(world.databaseUrl, name, fate);
  const mortal = (bank: Acquirer): Acquirer => ({
    name: bank.name,
    ...(bank.offers && { offers: bank.offers }),
    charge: (request) => fate.around('a charge', () => bank.charge(request)),
    refund: (request) => fate.around('a refund', () => bank.refund(request)),
    cancel: (request) => fate.around('a cancel', () => bank.cancel(request)),
    findCharge: (request) => fate.around('a look-up', () => bank.findCharge(request)),
    findRefund: (request) => fate.around('a look-up', () => bank.findRefund(request)),
    statement: (request) => fate.around('a statement', () => bank.statement(request)),
  });
  const of = (on: boolean) =>
    world.acquirers.list.flatMap(({ acquirer, takesNew }) => (takesNew === on ? [mortal(acquirer)] : []));
  return {
    world: { ...world, db, acquirers: acquirersWith({ ...world, db }, of(true), of(false)) },
    prepare(work) {
      return fate.spare(() => work(this.world));
    },
    async live(work) {
      const node = this.world;
      const ended = work(node).then(() => undefined);
      const edge = await Promise.race([fate.died, ended]);
      if (edge !== undefined) await breakConnections(world, name, db);
      const closed = db.close();
      // What the dead node held never ends; a connection that it was only making would keep this process alive.
      if (edge === undefined) await closed;
      return edge;
    },
  };
}

/** What the server does with the connections of a dead process: nothing on them is committed any more. */
async function breakConnections(world: TestWorld, name: string, db: MortalDatabase): Promise<void> {
  const breakAll = () => world.db.sql.run`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${name}`;
  for (let broken = 0; broken < 10_000 && !db.still; broken += 1) await breakAll();
  await breakAll();
}
