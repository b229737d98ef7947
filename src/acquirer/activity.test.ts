import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Activity } from './activity.ts';
import type { Acquirer } from './port.ts';

const aTime = 1_000_000_000;

function anActivity(write: () => Promise<number> = async () => 1) {
  const wall = { milliseconds: aTime };
  const counted: string[] = [];
  const written: unknown[][] = [];
  const tools = {
    sql: {
      run: (_strings: unknown, ...values: unknown[]) => {
        written.push(values);
        return write();
      },
    },
    wall: { now: () => Temporal.Instant.fromEpochMilliseconds(wall.milliseconds) },
    log: { warn: () => undefined },
    metrics: {
      timer: () => ({ observe: (labels: object) => counted.push(Object.values(labels).join(' ')) }),
      counter: () => ({ inc: (labels: object) => counted.push(Object.values(labels).join(' ')) }),
    },
  };
  return { activity: new Activity(tools as never), wall, counted, written };
}

const answering = (kind: string): Acquirer => ({ name: 'bank', charge: async () => ({ kind }) }) as never;
const port = (kind: string): Acquirer => {
  const ask = async () => ({ kind });
  const all = { charge: ask, refund: ask, cancel: ask, findCharge: ask, findRefund: ask, statement: ask };
  return { ...answering(kind), ...all } as never;
};

suite('the activity of an acquirer', () => {
  test('nothing yet', () => {
    const nothing = { requests: 0, failed: 0, medianMilliseconds: null, slowMilliseconds: null };
    assert.deepEqual(anActivity().activity.behaviorOf('bank'), nothing);
  });

  // Guarantee: no answer and an answer that says nothing are failures; a decline is none.
  test('counts how requests end', async () => {
    const { activity, counted } = anActivity();
    for (const kind of ['approved', 'declined', 'notReached', 'unknown'])
      assert.deepEqual(await activity.watch(port(kind)).charge({} as never), { kind });
    const { requests, failed, medianMilliseconds } = activity.behaviorOf('bank');
    assert.deepEqual([requests, failed, typeof medianMilliseconds], [4, 2, 'number']);
    assert.deepEqual(counted, [
      'bank charge approved',
      'bank charge declined',
      'bank charge notReached',
      'bank charge unknown',
    ]);
  });

  test('one that throws is a failure, and throws', async () => {
    const { activity } = anActivity();
    const broken = { ...port('approved'), refund: () => Promise.reject(new Error('broken')) };
    await assert.rejects(activity.watch(broken as never).refund({} as never), /broken/);
    assert.equal(activity.behaviorOf('bank').failed, 1);
  });

  test('forgets what is older than fifteen minutes', async () => {
    const { activity, wall } = anActivity();
    await activity.watch(port('unknown')).findCharge({} as never);
    wall.milliseconds += 15 * 60_000;
    assert.equal(activity.behaviorOf('bank').requests, 1);
    wall.milliseconds += 1;
    assert.equal(activity.behaviorOf('bank').requests, 0);
  });

  // Guarantee: a callback is taken, whether or not its time can be written down.
  test('writes the time of a callback that was taken, once a second', async () => {
    const { activity, wall, written, counted } = anActivity(() => Promise.reject(new Error('away')));
    await activity.callback('bank', 'refused');
    await activity.callback('bank', 'taken');
    await activity.callback('bank', 'taken');
    assert.equal(written.length, 1);
    wall.milliseconds += 1_000;
    await activity.callback('bank', 'taken');
    assert.equal(written.length, 2);
    assert.deepEqual(counted, ['bank refused', 'bank taken', 'bank taken', 'bank taken']);
  });
});
