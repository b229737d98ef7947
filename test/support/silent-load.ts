// Merchants who create transactions, each with its key and repeatedly until it gets a response, while the database goes
// silent.

import { readInteger } from '../../src/database/index.ts';
import { startEngine } from '../../src/engine/index.ts';
import { type Answer, aMerchant, aService, atEnd, type Service } from './service.ts';
import { aSilentProxy, type Silence, type SilentProxy } from './silent-proxy.ts';

export interface SilentSeen {
  /** Connections that went silent. */
  readonly silenced: number;
  /** From the silence until the first successful write after it. */
  readonly resumedMilliseconds: number;
  /** Requests, and those that took longer than 20 s. */
  readonly requests: number;
  readonly hanging: number;
  /** Orders that finally succeeded, and existing transactions. */
  readonly orders: number;
  readonly transactions: number;
  /** Statuses other than 200, and how often. */
  readonly others: Readonly<Record<string, number>>;
  /** Works of the engine that did not finish a round after the silence. */
  readonly stalled: readonly string[];
}

const hangsMilliseconds = 20_000;
const clients = 8;
const ordersBefore = 40;
const roundsEveryMilliseconds = 50;

/** Counts what clients see. */
class Watch {
  orders = 0;
  requests = 0;
  hanging = 0;
  resumedAt: number | undefined;
  silentAt: number | undefined;
  readonly others: Record<string, number> = {};
  readonly enough = Promise.withResolvers<void>();

  record(status: number, beganAt: number): void {
    const now = performance.now();
    this.requests += 1;
    if (now - beganAt > hangsMilliseconds) this.hanging += 1;
    if (status !== 200) {
      this.others[status] = (this.others[status] ?? 0) + 1;
      return;
    }
    this.orders += 1;
    if (this.orders === ordersBefore) this.enough.resolve();
    if (this.silentAt !== undefined && beganAt > this.silentAt) this.resumedAt ??= now;
  }
}

/** One order: the same key until it succeeds. */
async function order(service: Service, token: string, key: string, watch: Watch): Promise<void> {
  const body = { amount: 1, description: 'Order' };
  for (;;) {
    const beganAt = performance.now();
    const { status }: Answer = await service.ask('POST', '/transactions', {
      token,
      body,
      headers: { 'idempotency-key': key },
    });
    watch.record(status, beganAt);
    if (status === 200) return;
  }
}

/** Creates transactions, makes every open connection silent, and continues until every client wrote again. */
export async function writeThroughSilence(how: Silence): Promise<SilentSeen> {
  let proxy: SilentProxy | undefined;
  const service = await aService({
    through: async (url) => {
      proxy = await aSilentProxy(url);
      return proxy.url;
    },
  });
  const { token } = await aMerchant(service);
  const watch = new Watch();
  const ended = new Map<string, number>();
  const { works } = service.rooms;
  // Also those that run rarely.
  const watched = works.map(({ everyMilliseconds: _, ...work }) => ({
    ...work,
    run: async () => {
      const done = await work.run();
      ended.set(work.name, performance.now());
      return done;
    },
  }));
  const engine = startEngine(service.world, watched, roundsEveryMilliseconds);
  atEnd(() => engine.stop());

  const client = async (name: number): Promise<void> => {
    for (let count = 1; ; count += 1) {
      const beganAt = performance.now();
      await order(service, token, `${name}-${count}`, watch);
      if (watch.silentAt !== undefined && beganAt > watch.silentAt) return;
    }
  };
  const working = Array.from({ length: clients }, (_, name) => client(name));
  await watch.enough.promise;
  const silenced = proxy?.silence(how) ?? 0;
  watch.silentAt = performance.now();
  const { silentAt } = watch;
  await Promise.all(working);
  const stalled = () => works.map(({ name }) => name).filter((name) => (ended.get(name) ?? 0) < silentAt);
  while (stalled().length > 0 && performance.now() - silentAt < 20_000) await new Promise(setImmediate);
  const transactions = await service.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from transaction`;
  return {
    silenced,
    resumedMilliseconds: (watch.resumedAt ?? Number.POSITIVE_INFINITY) - silentAt,
    requests: watch.requests,
    hanging: watch.hanging,
    orders: watch.orders,
    transactions,
    others: watch.others,
    stalled: stalled(),
  };
}
