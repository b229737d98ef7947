// How an acquirer behaves: how requests to it end and how long they take, and when it last sent anything. Each process keeps
// its own figures; only the time of the last callback is shared, because one process takes them and others are asked.

import type { Sql } from '../database/index.ts';
import type { Clock, Log, Metrics } from '../runtime/index.ts';
import type { Acquirer } from './port.ts';
import { upsertCallbackAt } from './store.ts';

const windowMilliseconds = 15 * 60_000;
const kept = 2_000;
/** An acquirer that sends a thousand callbacks per second is written down once in this time. */
const writtenEveryMilliseconds = 1_000;

interface Ended {
  readonly at: number;
  readonly milliseconds: number;
  readonly failed: boolean;
}

/** Of the requests of this process in the last fifteen minutes. */
export interface Behavior {
  readonly requests: number;
  /** Without an answer, or with one that says nothing. */
  readonly failed: number;
  /** Of all of them; null without any. */
  readonly medianMilliseconds: number | null;
  /** One in twenty took longer. */
  readonly slowMilliseconds: number | null;
}

const operations = ['charge', 'refund', 'cancel', 'findCharge', 'findRefund', 'statement', 'findToken'] as const;

type Ask = (request: never) => Promise<{ readonly kind: string }>;

interface ActivityTools {
  readonly sql: Sql;
  readonly wall: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'timer' | 'counter'>;
}

export type CallbackEnd = 'taken' | 'refused' | 'later';

export class Activity {
  readonly #tools: ActivityTools;
  readonly #requests: ReturnType<typeof requestsOf>;
  readonly #callbacks: ReturnType<typeof callbacksOf>;
  readonly #ended = new Map<string, Ended[]>();
  readonly #written = new Map<string, number>();

  constructor(tools: ActivityTools) {
    this.#tools = tools;
    this.#requests = requestsOf(tools.metrics);
    this.#callbacks = callbacksOf(tools.metrics);
  }

  /** The same port; what it answers is counted. */
  watch(acquirer: Acquirer): Acquirer {
    const watched = operations.flatMap((operation) => {
      const ask = acquirer[operation]?.bind(acquirer) as Ask | undefined;
      return ask ? [[operation, (request: never) => this.#time(acquirer.name, operation, () => ask(request))]] : [];
    });
    const { name, shown, cardFields } = acquirer;
    return {
      name,
      ...(shown && { shown }),
      ...(cardFields && { cardFields }),
      // Read each time, because offers may change.
      get offers() {
        return acquirer.offers;
      },
      ...Object.fromEntries(watched),
    } as unknown as Acquirer;
  }

  behaviorOf(name: string): Behavior {
    const since = this.#now() - windowMilliseconds;
    const recent = (this.#ended.get(name) ?? []).filter(({ at }) => at >= since);
    const times = recent.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
    return {
      requests: recent.length,
      failed: recent.filter(({ failed }) => failed).length,
      medianMilliseconds: shareOf(times, 0.5),
      slowMilliseconds: shareOf(times, 0.95),
    };
  }

  /** After a callback. One that was taken is written down, for the operator; if that fails, nothing is lost. */
  async callback(name: string, end: CallbackEnd): Promise<void> {
    const { sql, wall, log } = this.#tools;
    this.#callbacks.inc({ acquirer: name, result: end });
    const now = this.#now();
    if (end !== 'taken' || now - (this.#written.get(name) ?? Number.NEGATIVE_INFINITY) < writtenEveryMilliseconds)
      return;
    this.#written.set(name, now);
    try {
      await upsertCallbackAt(sql, name, wall.now());
    } catch (error) {
      log.warn({ err: error, acquirer: name }, 'the time of a callback could not be written down');
    }
  }

  async #time<T extends { readonly kind: string }>(name: string, operation: string, ask: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    let outcome = 'unknown';
    try {
      const answer = await ask();
      outcome = answer.kind;
      return answer;
    } finally {
      const milliseconds = performance.now() - begun;
      this.#requests.observe({ acquirer: name, operation, outcome }, milliseconds / 1_000);
      const ended = this.#ended.get(name) ?? [];
      this.#ended.set(name, ended);
      ended.push({ at: this.#now(), milliseconds, failed: outcome === 'unknown' || outcome === 'notReached' });
      if (ended.length >= 2 * kept) ended.splice(0, ended.length - kept);
    }
  }

  #now(): number {
    return this.#tools.wall.now().epochMilliseconds;
  }
}

function requestsOf(metrics: Pick<Metrics, 'timer'>) {
  const help = 'Time of a request to an acquirer, by operation and outcome.';
  return metrics.timer('grosz_acquirer_request_seconds', help, ['acquirer', 'operation', 'outcome']);
}

function callbacksOf(metrics: Pick<Metrics, 'counter'>) {
  const help = 'Callbacks of acquirers: taken, refused as not genuine or not readable, or asked for again later.';
  return metrics.counter('grosz_acquirer_callbacks_total', help, ['acquirer', 'result']);
}

function shareOf(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value);
}
