// Returns of unmatched captures that are held, and promises of the bank: what was said first does not decide later.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { moveRefunds } from '../support/rooms.ts';
import { aWorld, type Service, serve } from '../support/service.ts';
import { StatementBank } from '../support/statement-bank.ts';
import { listTotals } from '../support/verify.ts';

suite('held returns and promises', () => {
  let service: Service;
  let bank: StatementBank;
  let begun: Temporal.Instant;
  beforeEach(async () => {
    const world = await aWorld();
    bank = new StatementBank(() => world.clock.now());
    service = await serve({ ...world, acquirers: acquirersOf(world, bank) });
    begun = world.clock.now().subtract({ seconds: 1 });
  });

  async function reconcileAfter(hours: number, from?: Temporal.Instant) {
    service.world.clock.advance({ hours });
    service.world.wall.advance({ minutes: 2 });
    const run = await service.rooms.reconciliation.reconcile(from ? { from } : {});
    return { state: run?.state, found: run?.found, open: run?.open };
  }
  async function decide(decision: { capturedMinor: bigint } | 'not-captured'): Promise<boolean> {
    const item = (await service.rooms.reconciliation.parked.list()).at(-1);
    return service.rooms.reconciliation.parked.decide(item?.id ?? '', decision);
  }
  async function moveAll(): Promise<void> {
    for (let moved = 1; moved > 0; ) moved = await moveRefunds(service.world);
  }
  /** An unmatched capture whose return gets no answer until it is held. */
  async function holdReturn(minor: bigint): Promise<void> {
    bank.say('capture', 'stray', minor);
    await reconcileAfter(1);
    bank.answers = 'unknown';
    await decide({ capturedMinor: minor });
    for (let tries = 0; tries < 60; tries += 1) {
      await moveAll();
      service.world.clock.advance({ hours: 2 });
    }
    assert.deepEqual(await outgoing(), [`held ${minor}`]);
  }
  const outgoing = () =>
    service.world.db.sql.many((row) => `${readText(row, 'state')} ${row.amount_minor}`)`
      select state, amount_minor from outgoing_refund order by id`;
  async function balanceOf(account: string): Promise<bigint> {
    return (await listTotals(service.world.db.sql)).find((total) => total.account === account)?.minor ?? 0n;
  }

  for (const [name, first, second] of [
    ['downwards', 9_999n, 1_111n],
    ['upwards', 1_111n, 9_999n],
  ] as const) {
    // Guarantee: the payer gets what the operator decided last, not what an earlier try would have sent.
    test(`a held return of a capture that the bank amends ${name}`, async () => {
      await holdReturn(first);
      bank.say('capture', 'stray', second);
      await reconcileAfter(1, begun);
      bank.answers = 'approved';
      assert.equal(await decide({ capturedMinor: second }), true);
      await moveAll();
      assert.deepEqual(await outgoing(), [`canceled ${first}`, `done ${second}`]);
      assert.equal(await balanceOf('payer:unallocated'), 0n);
    });
  }

  // Guarantee: an operator who took a return back may decide to send it after all.
  test('a held return that was taken back is sent again under another key', async () => {
    await holdReturn(1_111n);
    assert.equal(await decide('not-captured'), true);
    await reconcileAfter(73, begun);
    bank.answers = 'approved';
    assert.equal(await decide({ capturedMinor: 1_111n }), true);
    await moveAll();
    assert.deepEqual(await outgoing(), ['canceled 1111', 'done 1111']);
  });

  // Guarantee: a promise is kept when the bank says so, not when its line has left the period.
  test('a promise about an unmatched capture is asked for', async () => {
    bank.say('capture', 'stray', 1_111n);
    await reconcileAfter(1);
    await reconcileAfter(24);
    await reconcileAfter(24);
    service.world.clock.advance({ hours: 20 });
    assert.equal(await decide('not-captured'), true);
    await reconcileAfter(3);
    await reconcileAfter(24);
    const { state, open } = await reconcileAfter(24);
    assert.deepEqual({ state, open }, { state: 'differs', open: 1 });
  });
});
