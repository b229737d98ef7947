// Every request gets a response in time. Each wait of the database has a limit of its own (db/times.ts), but a request
// that meets one slow row after another would wait for their sum. So the whole is bounded here: when the time is over
// the response is 503, and what was begun goes on, as after a lost connection. The time that others take, the bank or a
// merchant's server, does not count; their calls have limits of their own.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Unavailable } from '../kernel/index.ts';
import { laterIfAlive } from './loop.ts';

/** A second less than promised (docs/operations.md): a busy process is late too. */
const answerMilliseconds = 19_000;
const looksAgainMilliseconds = 250;

/** What a request waited for others. */
interface Elsewhere {
  calls: number;
  since: number;
  milliseconds: number;
}

const waiting = new AsyncLocalStorage<Elsewhere>();

/** Rejects with 503 when the time is over. The work itself goes on; `onLate` gets how it ended. */
export function answeredInTime<T>(
  startedAt: number,
  work: () => Promise<T>,
  onLate: (ended: Promise<unknown>) => void,
  milliseconds = answerMilliseconds,
): Promise<T> {
  const elsewhere: Elsewhere = { calls: 0, since: 0, milliseconds: 0 };
  const working = waiting.run(elsewhere, work);
  return new Promise((resolve, reject) => {
    const look = () => {
      const left = startedAt + milliseconds + elsewhere.milliseconds - performance.now();
      if (elsewhere.calls > 0 || left > 0) {
        cancel = laterIfAlive(Math.max(left, looksAgainMilliseconds), look);
        return;
      }
      onLate(working);
      reject(new Unavailable('service_unavailable', 'It took too long. What was requested may still be carried out.'));
    };
    let cancel = laterIfAlive(Math.max(0, startedAt + milliseconds - performance.now()), look);
    working.then(resolve, reject).finally(() => cancel());
  });
}

/** A call to somebody else: its time is not that of the request. */
export async function elsewhere<T>(call: () => Promise<T>): Promise<T> {
  const request = waiting.getStore();
  if (!request) return call();
  if (request.calls === 0) request.since = performance.now();
  request.calls += 1;
  try {
    return await call();
  } finally {
    request.calls -= 1;
    if (request.calls === 0) request.milliseconds += performance.now() - request.since;
  }
}
