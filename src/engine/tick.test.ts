import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openLog, type Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { startEngine, tick } from './index.ts';

const metrics = { workDone: { inc: () => undefined }, workFailed: { inc: () => undefined } };
const tools = { log: openLog({ level: 'silent' }), metrics } as unknown as Tools;

/** A work with this many items due; calls `then` for each item. */
function aWork(name: string, due: number, then: () => void = () => undefined): Work<string> & { add(): void } {
  return {
    name,
    add: () => {
      due += 1;
    },
    async run() {
      if (due === 0) return 0;
      due -= 1;
      then();
      return 1;
    },
  };
}

suite('tick', () => {
  // Guarantee: when the engine reports that it is idle, nothing is due.
  test('what one work makes due for another that had nothing is done in the same tick', async () => {
    const last = aWork('last', 0);
    const middle = aWork('middle', 0, last.add);
    const first = aWork('first', 3, middle.add);
    const works = [last, middle, first];
    assert.equal(await tick(tools, works), 9);
    assert.equal(await tick(tools, works), 0);
  });

  // Guarantee: a work that fails does not stop the others or keep the engine busy forever.
  test('a work that fails', async () => {
    const broken: Work<string> = {
      name: 'broken',
      run: async () => {
        throw new Error('no');
      },
    };
    assert.equal(await tick(tools, [broken, aWork('fine', 4)]), 4);
  });

  test('nothing to do, no works, and a stop', async () => {
    assert.equal(await tick(tools, [aWork('idle', 0)]), 0);
    assert.equal(await tick(tools, []), 0);
    assert.equal(await tick(tools, [aWork('stopped', 5)], { signal: AbortSignal.abort() }), 0);
  });
});

suite('the loop of a work', () => {
  // Guarantee: work that nobody waits for is done in full batches; a few items do not keep a loop busy, and resting
  // loses none.
  test('continues after a full batch and rests after a smaller one', async () => {
    const sets = [10, 10, 3, 10];
    let runs = 0;
    const work: Work<string> = {
      name: 'sets',
      setSize: 10,
      run: async () => {
        const done = sets[runs] ?? 0;
        runs += 1;
        return done;
      },
    };
    const loop = startEngine(tools, [work], 3_600_000);
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await loop.stop();
    assert.equal(runs, 3);
  });
});
