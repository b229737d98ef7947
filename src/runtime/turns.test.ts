import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nextTurn } from './loop.ts';
import { mapInTurns, Turns, type Weight } from './turns.ts';

function work(milliseconds: number): void {
  const began = performance.now();
  while (performance.now() - began < milliseconds) {}
}

/** Requests that arrive in one turn; counts the turns until all are done, and records their order. */
async function arrive(turns: Turns, weights: readonly Weight[], milliseconds: number) {
  const order: string[] = [];
  let [turn, done] = [0, 0];
  const perTurn = new Map<number, number>();
  const heavyPerTurn = new Map<number, number>();
  const one = async (weight: Weight, index: number) => {
    const waits = turns.enter(weight);
    if (waits) await waits;
    work(milliseconds);
    order.push(`${weight} ${index}`);
    perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
    if (weight === 'heavy') heavyPerTurn.set(turn, (heavyPerTurn.get(turn) ?? 0) + 1);
    done += 1;
  };
  const all = weights.map(one);
  while (done < weights.length) {
    await nextTurn();
    turn += 1;
  }
  await Promise.all(all);
  return { order, perTurn: [...perTurn.values()], heavyPerTurn: [...heavyPerTurn.values()] };
}

suite('turns of the event loop', () => {
  // Guarantee: requests that take no time never wait.
  test('those that are quick go on at once', () => {
    const turns = new Turns();
    for (let index = 0; index < 10; index += 1) assert.equal(turns.enter('light'), undefined);
  });

  // Guarantee: a turn works for some ten milliseconds, however many requests came in it, and all are answered in order.
  test('many that take long are shared among turns', async () => {
    const { order, perTurn } = await arrive(
      new Turns(),
      Array.from({ length: 20 }, () => 'light' as const),
      4,
    );
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, index) => `light ${index}`),
    );
    // The counter may take two turns for one.
    assert.ok(Math.max(...perTurn) <= 8 && perTurn.length >= 4, perTurn.join());
  });

  // Guarantee: of those that are heavy each has a turn of its own, and the light ones do not wait for them.
  test('one that is heavy per turn', async () => {
    const weights = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'heavy' : 'light') as Weight);
    const { order, heavyPerTurn } = await arrive(new Turns(), weights, 1);
    assert.ok(Math.max(...heavyPerTurn) <= 2, heavyPerTurn.join());
    const lights = order.filter((name) => name.startsWith('light'));
    assert.equal(lights.length, 6);
    assert.ok(order.lastIndexOf(lights.at(-1) ?? '') < order.indexOf('heavy 4'), order.join());
  });

  // Guarantee: thousands of rows are read in order, and others have their turn meanwhile.
  test('what is mapped in turns', async () => {
    const others = new Set<number>();
    let mapped = 0;
    const mapping = mapInTurns(
      Array.from({ length: 40 }, (_, index) => index),
      (index) => {
        work(1);
        mapped += 1;
        return index * 2;
      },
    );
    for (let turn = 0; mapped < 40 && turn < 1_000; turn += 1) {
      others.add(mapped);
      await nextTurn();
    }
    assert.deepEqual(
      await mapping,
      Array.from({ length: 40 }, (_, index) => index * 2),
    );
    assert.ok(others.size >= 4, [...others].join());
    assert.deepEqual(await mapInTurns([], (item) => item), []);
  });
});
