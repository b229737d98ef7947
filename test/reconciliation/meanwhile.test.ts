// What is settled while a run compares it: the run reads rows first, and what is booked for them later.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { Callback } from '../../src/acquirer/index.ts';
import { type Database, readText, type Sql } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { reconcile } from '../../src/reconciliation/index.ts';
import { inWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { handleCallback } from '../support/rooms.ts';
import { findingsOf } from '../support/verify.ts';

/** A database that does something after each transaction that compared the statement's lines with rows. */
function readingLines(db: Database, then: () => Promise<void>): Database {
  const bound = <T extends object>(target: T, name: string | symbol) => {
    const own = Reflect.get(target, name, target);
    return typeof own === 'function' ? own.bind(target) : own;
  };
  const watched = (sql: Sql, seen: () => void) =>
    new Proxy(sql, {
      get: (target, name) => {
        if (name !== 'many') return bound(target, name);
        return (read: Parameters<Sql['many']>[0]) => {
          const query = target.many(read);
          return (strings: TemplateStringsArray, ...values: unknown[]) => {
            if (strings.some((part) => part.includes('as booked_minor'))) seen();
            return query(strings, ...values);
          };
        };
      },
    });
  const atomic: Database['atomic'] = async (work) => {
    let isRead = false;
    const seen = () => {
      isRead = true;
    };
    const done = await db.atomic((sql) => work(watched(sql, seen)));
    if (isRead) await then();
    return done;
  };
  return new Proxy(db, { get: (target, name) => (name === 'atomic' ? atomic : bound(target, name)) });
}

suite('settled while it is compared', () => {
  let here: Reconciling;
  beforeEach(async () => {
    here = await aReconciling();
  });

  /** A run in which the bank's answer arrives after the first look at the rows. */
  async function aRunWith(late: Callback) {
    const { world } = here;
    let isLate = true;
    const db = readingLines(world.db, async () => {
      if (isLate) await handleCallback(world, late);
      isLate = false;
    });
    const nodes = { self: null, isDead: () => false };
    world.clock.advance({ hours: 1 });
    const run = await reconcile({ ...world, db, nodes, applyResult: (_, result) => handleCallback(world, result) });
    assert.equal(isLate, false);
    return [run?.state, run?.found, run?.applied, await here.parked(), inWords(await findingsOf(world))];
  }
  const agreed = ['agreed', 0, 0, [], []];

  // Guarantee: nothing is named that is not wrong, whenever a result arrives.
  test('a capture', async () => {
    here.bank.answers = 'unknown';
    const key = await here.pay();
    here.bank.say('capture', key, 2_000n);
    const result = { kind: 'approved', amount: money(2_000n, 'PLN') } as const;
    assert.deepEqual(await aRunWith({ kind: 'charge', key, result }), agreed);
  });

  test('a refund', async () => {
    const { bank, service, merchant, world } = here;
    await fund(service, merchant, 10_000n);
    const chargeKey = await here.pay();
    const id = await world.db.sql.one((row) => readText(row, 'id'))`
      select transaction_id as id from charge where id = ${chargeKey}`;
    bank.answers = 'unknown';
    const key = await aRefund(service, merchant, id, { amount: 5 });
    await here.moveRefunds();
    bank.say('refund', key, 500n, { chargeKey });
    assert.deepEqual(await aRunWith({ kind: 'refund', key, result: { kind: 'approved' } }), agreed);
  });
});
