import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openLog, type Work } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { tick } from './index.ts';

const metrics = { workDone: { inc: () => undefined }, workFailed: { inc: () => undefined } };
const tools = { log: openLog({ level: 'silent' }), metrics } as unknown as Tools;

/** A work with so many items due; each item it does is told to `then`. */
function aWork(name: string, due: number, then: () => void = () => undefined): Work & { add(): void } {
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
  // Guarantee: once the engine reports that it is idle, nothing that was due is left.
  test('what one work makes due for another that had nothing is done in the same tick', async () => {
    const last = aWork('last', 0);
    const middle = aWork('middle', 0, last.add);
    const first = aWork('first', 3, middle.add);
    const works = [last, middle, first];
    assert.equal(await tick(tools, works), 9);
    assert.equal(await tick(tools, works), 0);
  });

  // Guarantee: one work that fails does not stop the others, and does not keep the engine busy forever.
  test('a work that fails', async () => {
    const broken: Work = {
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
