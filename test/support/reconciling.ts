// A service whose bank has the statement that a test says, its comparisons, and what an operator decides about them.

import assert from 'node:assert/strict';
import pg from 'pg';
import type { Decision } from '../../src/banking/index.ts';
import { readText } from '../../src/database/index.ts';
import { acquirersOf } from './acquirers.ts';
import { reasonInWords } from './findings.ts';
import { aTransaction, payBlik } from './payments.ts';
import { moveRefunds } from './rooms.ts';
import {
  aMerchant,
  aWorld,
  type Service,
  serve,
  type TestMerchant,
  type TestWorld,
  type WorldOptions,
} from './service.ts';
import { StatementBank } from './statement-bank.ts';
import { listTotals } from './verify.ts';

export interface Reconciling {
  readonly service: Service;
  readonly world: TestWorld;
  readonly bank: StatementBank;
  readonly merchant: TestMerchant;
  /** Before anything was paid. */
  readonly begun: Temporal.Instant;
  /** Pays 20.00; returns the key of the charge. */
  pay(): Promise<string>;
  /** Lets hours pass, then compares; by default the period that the daily run would take. */
  compare(hours?: number, from?: Temporal.Instant, to?: Temporal.Instant): Promise<Compared>;
  /** What is listed as parked about a key, or about anything. */
  parked(key?: string): Promise<string[]>;
  /** Decides the newest listed item about a key. */
  decide(key: string, decision: Decision): Promise<boolean>;
  /** Sends what goes back. */
  moveRefunds(): Promise<void>;
  balanceOf(account: string): Promise<bigint>;
  /** As somebody with full access to the database: without triggers. */
  damage(statement: string): Promise<void>;
}

export interface Compared {
  readonly state: string;
  readonly found: number;
  readonly open: number;
  readonly fromAt: Temporal.Instant;
}

export async function aReconciling(options: WorldOptions = {}): Promise<Reconciling> {
  const base = await aWorld(options);
  const bank = new StatementBank(() => base.clock.now());
  const service = await serve({ ...base, acquirers: acquirersOf(base, bank) } as unknown as TestWorld);
  const merchant = await aMerchant(service);
  const { world } = service;
  const { reconciliation } = service.rooms;
  const listed = async (key?: string) => {
    const own =
      key === undefined
        ? undefined
        : await world.db.sql.many((row) => readText(row, 'id'))`select id from reconciliation_item where key = ${key}`;
    return (await reconciliation.parked.list()).filter(({ id }) => own === undefined || own.includes(id));
  };
  return {
    service,
    world,
    bank,
    merchant,
    begun: world.clock.now().subtract({ seconds: 1 }),
    pay: async () => {
      const id = await aTransaction(service, merchant, { amount: 20 });
      await payBlik(service, merchant, id);
      return world.db.sql.one((row) => readText(row, 'id'))`select id from charge where transaction_id = ${id}`;
    },
    compare: async (hours = 1, from, to) => {
      world.clock.advance({ hours });
      world.wall.advance({ minutes: 2 });
      const run = await reconciliation.reconcile({ from, to });
      assert.ok(run, 'no other run is in progress');
      return { state: run.state, found: run.found, open: run.open, fromAt: run.fromAt };
    },
    parked: async (key) => (await listed(key)).map(({ why }) => reasonInWords(why) ?? ''),
    decide: async (key, decision) => reconciliation.parked.decide((await listed(key)).at(-1)?.id ?? '', decision),
    moveRefunds: async () => {
      while ((await moveRefunds(world)) > 0);
    },
    balanceOf: async (account) =>
      (await listTotals(world.db.sql)).find((total) => total.account === account)?.minor ?? 0n,
    damage: (statement) => damage(world.databaseUrl, statement),
  };
}

async function damage(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const { rowCount } = await client.query(statement);
    assert.equal(rowCount, 1, statement);
  } finally {
    await client.end();
  }
}
