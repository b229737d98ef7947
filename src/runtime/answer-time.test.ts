import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { answeredInTime, elsewhere } from './answer-time.ts';
import { later, pause } from './loop.ts';

suite('answeredInTime', () => {
  // A server is kept alive by its connections, this process by nothing else.
  after(later(60_000, () => undefined));

  const inTime = <T>(work: () => Promise<T>, onLate: (ended: Promise<unknown>) => void = () => assert.fail()) =>
    answeredInTime(performance.now(), work, onLate, 30);

  // Guarantee: what ends in time is the response, whatever it is.
  test('in time', async () => {
    assert.equal(await inTime(async () => 7), 7);
    await assert.rejects(
      inTime(() => Promise.reject(new Error('refused'))),
      { message: 'refused' },
    );
  });

  // Guarantee: the response comes in time, the work goes on, and its end is not lost.
  test('too late', async () => {
    const work = Promise.withResolvers<number>();
    const late = Promise.withResolvers<unknown>();
    await assert.rejects(
      inTime(
        () => work.promise,
        (ended) => ended.catch(late.resolve),
      ),
      { name: 'Unavailable', code: 'service_unavailable' },
    );
    work.reject(new Error('after all'));
    assert.equal(((await late.promise) as Error).message, 'after all');
  });

  // Guarantee: the time before it counts, as that of identifying the caller.
  test('begun before', () =>
    assert.rejects(
      answeredInTime(
        performance.now() - 60_000,
        () => new Promise(() => undefined),
        () => undefined,
        30,
      ),
      { code: 'service_unavailable' },
    ));

  // Guarantee: the time that the bank takes is not counted, also if two calls overlap; what follows is.
  test('the time of others', async () => {
    const bank = () => Promise.all([elsewhere(() => pause(60)), elsewhere(() => pause(100))]);
    assert.equal(await inTime(() => bank().then(() => 'paid')), 'paid');
    await assert.rejects(
      inTime(
        () => bank().then(() => new Promise(() => undefined)),
        () => undefined,
      ),
      { code: 'service_unavailable' },
    );
  });

  test('outside of a request', async () => assert.equal(await elsewhere(async () => 7), 7));
});
