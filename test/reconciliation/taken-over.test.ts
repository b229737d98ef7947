// Runs and decisions at the same time: a run that was taken for dead and lives, an operator who decides while a run compares.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { HandleCallback } from '../../src/acquirer/index.ts';
import { readInteger } from '../../src/database/index.ts';
import { reconcile } from '../../src/reconciliation/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { inWords } from '../support/findings.ts';
import { Gate } from '../support/gate.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { handleCallback } from '../support/rooms.ts';
import { findingsOf } from '../support/verify.ts';

/** The lock under which records are appended. */
const chainLock = 7261508116n;

suite('at the same time', () => {
  let here: Reconciling;
  beforeEach(async () => {
    here = await aReconciling();
  });

  /** A run whose statement waits at a gate. */
  function aRun(gate: Gate) {
    const { world, bank } = here;
    const statement = async (request: Parameters<typeof bank.statement>[0]) => {
      await gate.pass();
      return bank.statement(request);
    };
    const acquirer = new Proxy(bank, {
      get: (target, name) => (name === 'statement' ? statement : Reflect.get(target, name)),
    });
    const nodes = { self: null, isDead: () => false };
    return reconcile({ ...world, acquirers: acquirersOf(world, acquirer), nodes, applyResult: async () => undefined });
  }

  // Guarantee: the merchant bears what the line of a dispute is in the end, whatever a run that froze tells of it late.
  test('a run that was taken over tells an old amount of a dispute', async () => {
    const { bank, world, merchant } = here;
    const chargeKey = await here.pay();
    bank.say('dispute', 'dp', 2_000n, { chargeKey });
    world.clock.advance({ hours: 1 });
    const gate = new Gate();
    const applyResult: HandleCallback = async (acquirer, callback) => {
      await gate.pass();
      await handleCallback(world, callback, acquirer);
    };
    const nodes = { self: null, isDead: () => false };
    const frozen = reconcile({ ...world, nodes, applyResult });
    await gate.reachedBy(frozen);
    world.wall.advance({ seconds: 46 });
    bank.say('dispute', 'dp', 500n, { chargeKey });
    await here.compare();
    await here.decide('dp', { capturedMinor: 500n });
    await here.compare();
    gate.open();
    await frozen;
    assert.equal(await here.balanceOf(`merchant:${merchant.id}:available`), -1_500n);
    assert.equal(await here.balanceOf('dispute:payable'), 0n);
    assert.deepEqual(inWords(await findingsOf(world)), []);
  });

  async function untilWaiting(count: number): Promise<void> {
    const waiting = () =>
      here.world.db.sql.one((row) => readInteger(row, 'waiting'))`
        select count(*)::integer as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await waiting()) < count);
  }

  // Guarantee: what two runs find at the same time is booked once, because only one of them is a run.
  test('a run that was taken over books nothing more', async () => {
    const { bank, world } = here;
    const key = await here.pay();
    bank.say('capture', key, 500n);
    await here.compare();
    await here.decide(key, { capturedMinor: 500n });
    bank.say('capture', key, 2_000n);
    world.clock.advance({ hours: 1 });

    const [early, late] = [new Gate(), new Gate()];
    const first = aRun(early);
    await early.reachedBy(first);
    world.wall.advance({ seconds: 46 });
    const second = aRun(late);
    await late.reachedBy(second);
    await world.db.atomic(async (sql) => {
      await sql.run`select pg_advisory_xact_lock(${chainLock})`;
      late.open();
      await untilWaiting(1);
      early.open();
      await Promise.race([first, untilWaiting(2)]);
    });
    const [one, other] = await Promise.all([first, second]);
    assert.deepEqual([one?.why?.code, other?.state], ['taken_over', 'differs']);
    assert.equal(await here.balanceOf('acquirer:simulator:receivable'), 2_000n);
    assert.equal(await here.balanceOf('expense:loss'), 0n);
  });

  // Guarantee: a payout that an operator books while a run compares is booked once, and the run ends.
  test('a payout is decided while a run compares it', async () => {
    const { bank, world } = here;
    await here.pay();
    bank.say('payout', 'payout-1', 3_000n);
    assert.deepEqual((await here.compare()).found, 1);
    await here.pay();
    world.clock.advance({ hours: 1 });
    world.wall.advance({ minutes: 2 });
    const gate = new Gate();
    const run = aRun(gate);
    await gate.reachedBy(run);
    // The decision holds its difference and waits for the chain; the run comes to the payout and waits for the difference.
    const { decision } = await world.db.atomic(async (sql) => {
      await sql.run`select pg_advisory_xact_lock(${chainLock})`;
      const decision = here.decide('payout-1', { capturedMinor: 3_000n });
      await untilWaiting(1);
      gate.open();
      await untilWaiting(2);
      return { decision };
    });
    const [isDecided, made] = await Promise.all([decision, run]);
    assert.deepEqual([isDecided, made?.state], [true, 'agreed']);
    assert.equal(await here.balanceOf('bank:client'), 3_000n);
    assert.equal((await here.compare()).state, 'agreed');
  });
});
