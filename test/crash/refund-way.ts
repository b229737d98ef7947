// A refund that is created and carried through, with edges at which whoever does it can die: any moment around a
// commit, a statement of its own, a request to the bank or a mail.

import { openOutgoing } from '../../src/banking/index.ts';
import { readConfig } from '../../src/config.ts';
import { Database, type Sql } from '../../src/database/index.ts';
import { knownId } from '../../src/kernel/index.ts';
import { sendMails } from '../../src/notifications/index.ts';
import { openRefunds } from '../../src/refunds/index.ts';
import { idsFrom, openLog, openVault, systemRandom } from '../../src/runtime/index.ts';
import { openSimulator } from '../../src/simulators/index.ts';
import type { Tools } from '../../src/tools.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { TestClock } from '../support/clock.ts';

export interface Given {
  readonly databaseUrl: string;
  /** What its connections are called. */
  readonly name: string;
  readonly bankFile: string;
  readonly vaultKey: string;
  readonly now: string;
  readonly merchantId: string;
  readonly transactionId: string;
  readonly refundId: string;
}

/** Called at each edge; does not return to who dies there. */
export type Edge = (name: string) => Promise<void>;

type Around = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const aroundWith =
  (edge: Edge): Around =>
  async (name, work) => {
    await edge(`before ${name}`);
    const result = await work();
    await edge(`after ${name}`);
    return result;
  };

class DyingDatabase extends Database {
  readonly #edge: Edge;

  constructor({ databaseUrl, name }: Given, edge: Edge) {
    super({ url: databaseUrl, applicationName: name });
    this.#edge = edge;
    const around = aroundWith(edge);
    const { sql } = this;
    const dying: Sql = {
      ...sql,
      many:
        (read) =>
        (strings, ...values) =>
          around('a statement', () => sql.many(read)(strings, ...values)),
      one:
        (read) =>
        (strings, ...values) =>
          around('a statement', () => sql.one(read)(strings, ...values)),
      maybeOne:
        (read) =>
        (strings, ...values) =>
          around('a statement', () => sql.maybeOne(read)(strings, ...values)),
      run: (strings, ...values) => around('a statement', () => sql.run(strings, ...values)),
    };
    Object.defineProperty(this, 'sql', { value: dying });
  }

  override async atomic<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await super.atomic(async (sql) => {
      await this.#edge('before the work of a commit');
      const done = await work(sql);
      await this.#edge('before a commit');
      return done;
    });
    await this.#edge('after a commit');
    return result;
  }
}

/** Creates the refund, moves it and sends its mail. */
export async function carryThrough(given: Given, edge: Edge): Promise<void> {
  const around = aroundWith(edge);
  const clock = new TestClock(given.now);
  const random = systemRandom();
  const log = openLog({ level: 'silent' });
  const config = readConfig({ MODE: 'sandbox' });
  const bank = openSimulator({ file: given.bankFile, clock, random, log, pagesUrl: 'http://127.0.0.1/bank' });
  const acquirer = {
    name: bank.name,
    charge: bank.charge.bind(bank),
    cancel: bank.cancel.bind(bank),
    findCharge: bank.findCharge.bind(bank),
    findRefund: (request: Parameters<typeof bank.findRefund>[0]) => around('a look-up', () => bank.findRefund(request)),
    refund: (request: Parameters<typeof bank.refund>[0]) => around('the bank', () => bank.refund(request)),
  };
  const mail = { send: () => around('a mail', async () => ({ kind: 'sent' as const })), close: async () => undefined };
  const db = new DyingDatabase(given, edge);
  const acquirers = acquirersOf({ db, wall: clock, log }, { ...acquirer, statement: bank.statement.bind(bank) });
  // Only what refunds and mail use.
  const world = {
    db,
    clock,
    wall: clock,
    ids: idsFrom(clock, random),
    random,
    vault: openVault([{ id: 'test', key: Buffer.from(given.vaultKey, 'base64') }], random),
    acquirers,
    log,
    config,
  } as unknown as Tools;
  const outgoing = openOutgoing(world);
  const refunds = openRefunds(world, { sendsMail: true }, outgoing);

  const merchant = { id: knownId<Parameters<typeof refunds.create>[0]['id']>(given.merchantId) };
  await refunds.create(merchant, knownId(given.transactionId), { kind: 'full' }, knownId(given.refundId));
  clock.advance({ seconds: 5 });
  for (const work of outgoing.works) await work.run();
  await sendMails(world, mail);
  await world.db.close();
  bank.close();
}
