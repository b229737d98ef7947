// Which processes are alive.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Nodes } from '../../src/database/index.ts';
import { aWorld, type TestWorld } from '../support/service.ts';

suite('nodes', () => {
  let world: TestWorld;
  let milliseconds = 0;

  before(async () => {
    world = await aWorld();
  });

  async function aNode(): Promise<Nodes> {
    const node = new Nodes(world.db, world.wall, world.random, () => milliseconds);
    await node.round();
    return node;
  }

  const idOf = ({ self }: Nodes) => self ?? assert.fail('It does not beat.');

  async function pass(seconds: number, ...beating: Nodes[]): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      milliseconds += 1_000;
      for (const node of beating) await node.round();
    }
  }

  // Guarantee: a process is dead three seconds after its last beat, however wrong its clock is, and alive as soon as it
  // beats again.
  test('one that stops', async () => {
    const [watching, other] = [await aNode(), await aNode()];
    await watching.round();
    world.wall.advance({ hours: 5 });
    await pass(10, other, watching);
    assert.equal(watching.isDead(idOf(other)), false);
    await pass(2, watching);
    assert.equal(watching.isDead(idOf(other)), false);
    await pass(1, watching);
    assert.equal(watching.isDead(idOf(other)), true);
    assert.equal(watching.isDead(idOf(watching)), false);
    await pass(1, other, watching);
    assert.equal(watching.isDead(idOf(other)), false);
  });

  // Guarantee: a process that could not look itself, because it was frozen or the database was away, believes nobody
  // dead for that.
  test('one that was away itself', async () => {
    // After a minute the others are remembered, after an hour they would be forgotten.
    for (const away of [60_000, 3_600_000]) {
      const [watching, other] = [await aNode(), await aNode()];
      await watching.round();
      milliseconds += away;
      await watching.round();
      assert.equal(watching.isDead(idOf(other)), false);
      await pass(1, other, watching);
      assert.equal(watching.isDead(idOf(other)), false);
    }
  });

  // Guarantee: of one that it never saw, a process waits three seconds for a beat; one that closed is gone by then.
  test('one that nobody saw', async () => {
    const [watching, other] = [await aNode(), await aNode()];
    const id = idOf(other);
    assert.equal(watching.isDead(id), false);
    await pass(1, other, watching);
    assert.equal(watching.isDead(id), false);
    await other.close();
    await pass(3, watching);
    assert.equal(watching.isDead(id), true);
    assert.equal(
      new Nodes(world.db, world.wall, world.random).isDead(id),
      false,
      'one that does not look knows nothing',
    );
  });

  // Guarantee: rows of dead processes do not pile up; one that was only frozen gets its row back.
  test('rows', async () => {
    const [watching, frozen] = [await aNode(), await aNode()];
    const count = () =>
      world.db.sql.one((row) => Number(row.count))`select count(*) from node where id = ${idOf(frozen)}`;
    await pass(601, watching);
    assert.equal(await count(), 0);
    await pass(1, frozen, watching);
    assert.equal(await count(), 1);
    assert.equal(watching.isDead(idOf(frozen)), false);
  });
});
