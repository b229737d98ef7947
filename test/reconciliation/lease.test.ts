// The lease of a run: as long as its process works nobody takes it over, and afterwards somebody does.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readInstant, readInteger } from '../../src/database/index.ts';
import type { Run } from '../../src/reconciliation/model.ts';
import { inRun, startRun, withLease } from '../../src/reconciliation/run.ts';
import type { ReconciliationTools } from '../../src/reconciliation/tools.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';

const looksAtMost = 500;

suite('the lease of a run', () => {
  let here: Reconciling;
  let tools: ReconciliationTools;
  let run: Run;
  beforeEach(async () => {
    here = await aReconciling();
    tools = { ...here.world, nodes: { self: null, isDead: () => false }, applyResult: async () => undefined };
    const started = await startRun(tools, {});
    assert.ok(started);
    run = started;
  });
  const isFree = async () => (await startRun(tools, {})) !== undefined;
  const leaseUntil = () =>
    here.world.db.sql.one((row) => readInstant(row, 'lease_until'))`
      select lease_until from reconciliation_run where id = ${run.id}`;

  // Guarantee: a run whose process works is not taken over, however long a page takes.
  test('is extended while it works, and not afterwards', async (context) => {
    const { wall } = here.world;
    context.mock.timers.enable({ apis: ['setTimeout'] });
    await withLease(tools, run, async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        wall.advance({ seconds: 40 });
        const expected = wall.now().add({ seconds: 45 });
        context.mock.timers.tick(10_000);
        let until = await leaseUntil();
        for (let looks = 0; looks < looksAtMost && !until.equals(expected); looks += 1) until = await leaseUntil();
        assert.deepEqual(until, expected);
        assert.equal(await isFree(), false);
      }
    });
    wall.advance({ seconds: 46 });
    context.mock.timers.tick(10_000);
    assert.equal(await isFree(), true);
  });

  // Guarantee: what a run writes is written before another takes it over, or not at all.
  test('is not taken while something is written', async () => {
    const order: string[] = [];
    const taking = () =>
      here.world.db.sql.one((row) => readInteger(row, 'waiting'))`
        select count(*)::integer as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
    let other: Promise<unknown> = Promise.resolve();
    await inRun(tools, run, async () => {
      here.world.wall.advance({ seconds: 46 });
      other = startRun(tools, {}).then(() => order.push('taken over'));
      while (order.length === 0 && (await taking()) === 0);
      order.push('written');
    });
    await other;
    assert.deepEqual(order, ['written', 'taken over']);
    await assert.rejects(
      inRun(tools, run, async () => undefined),
      { why: { code: 'taken_over', parameters: {} } },
    );
  });

  // Guarantee: a run that died is taken over within a minute, and not before its lease ends.
  test('ends after 45 seconds', async () => {
    const { wall } = here.world;
    wall.advance({ seconds: 45 });
    assert.equal(await isFree(), false);
    wall.advance({ seconds: 1 });
    assert.equal(await isFree(), true);
  });
});
