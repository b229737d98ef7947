// Metrics for /metrics, in Prometheus format.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const gatheredAtMost = 256;
/** Of what may take half a minute. */
const longBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestTimes;
  readonly workDone: Counter<'work'>;
  readonly workFailed: Counter<'work'>;
  readonly workDue: Gauge<'work'>;
  readonly workLag: Gauge<'work'>;
  /** Durations in seconds, with these labels. */
  timer<Label extends string>(name: string, help: string, labels: readonly Label[]): Histogram<Label>;
  counter<Label extends string>(name: string, help: string, labels: readonly Label[]): Counter<Label>;
  /** A gauge that is read on demand; if it cannot be read, it keeps its last value. */
  measure(name: string, help: string, read: () => Promise<number>): void;
  /** The same with several values, by this label. */
  measureEach(gauge: LabeledGauge, read: () => Promise<ReadonlyMap<string, number>>): void;
}

interface LabeledGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

interface RequestTime {
  readonly endpoint: string;
  readonly status: number;
  readonly seconds: number;
}

/**
 * Request times, added to the histogram in bulk: looking up its labels in the middle of each request took three times
 * as long as in a row.
 */
class RequestTimes {
  readonly #gathered: RequestTime[] = [];
  readonly #histogram: Histogram<'endpoint' | 'status'>;

  constructor(registry: Registry) {
    const put = () => this.#put();
    this.#histogram = new Histogram({
      name: 'grosz_http_request_seconds',
      help: 'Time from the head of a request until its answer is sent.',
      labelNames: ['endpoint', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
      collect: put,
    });
  }

  observe(time: RequestTime): void {
    if (this.#gathered.push(time) >= gatheredAtMost) this.#put();
  }

  #put(): void {
    for (const { endpoint, status, seconds } of this.#gathered) {
      this.#histogram.observe({ endpoint, status: String(status) }, seconds);
    }
    this.#gathered.length = 0;
  }
}

/** `connections` of the database by state, read on demand. */
export function openMetrics(connections: () => Readonly<Record<string, number>>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'grosz_' });
  new Gauge({
    name: 'grosz_database_connections',
    help: 'Connections of this process to the database, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
  return {
    registry,
    requests: new RequestTimes(registry),
    ...measures(registry),
    workDone: new Counter({
      name: 'grosz_work_done_total',
      help: 'Items that the engine finished, by work.',
      labelNames: ['work'],
      registers,
    }),
    workDue: new Gauge({
      name: 'grosz_work_due',
      help: 'Items that are due and not done yet, by work.',
      labelNames: ['work'],
      registers,
    }),
    workLag: new Gauge({
      name: 'grosz_work_lag_seconds',
      help: 'How long the oldest due item has waited, by work.',
      labelNames: ['work'],
      registers,
    }),
    workFailed: new Counter({
      name: 'grosz_work_failed_total',
      help: 'Rounds of the engine that failed, by work.',
      labelNames: ['work'],
      registers,
    }),
  };
}

/** A room that is opened again on the same tools replaces its gauge. */
function measures(registry: Registry): Pick<Metrics, 'measure' | 'measureEach' | 'timer' | 'counter'> {
  const registers = [registry];
  return {
    timer(name, help, labels) {
      registry.removeSingleMetric(name);
      return new Histogram({ name, help, labelNames: labels, buckets: longBuckets, registers });
    },
    counter(name, help, labels) {
      registry.removeSingleMetric(name);
      return new Counter({ name, help, labelNames: labels, registers });
    },
    measure(name, help, read) {
      registry.removeSingleMetric(name);
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read().catch(() => undefined);
          if (value !== undefined) this.set(value);
        },
      });
    },
    measureEach({ name, help, label }, read) {
      registry.removeSingleMetric(name);
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const values = await read().catch(() => undefined);
          for (const [each, value] of values ?? []) this.set({ [label]: each }, value);
        },
      });
    },
  };
}
