// A payment from end to end: created, paid by BLIK at the simulated bank, booked, and told to a local receiver; against
// creating alone, in the same run on the same service. Rounds alternate.

import type { ServiceGiven, ServiceReady } from './create/service.ts';
import type { Received } from './deliver/receiver.ts';
import { type Child, startChild } from './support/child.ts';
import { median } from './support/figures.ts';
import type { Load, LoadSeen } from './support/load.ts';
import { openBenchDatabase, query } from './support/postgres.ts';

const connections = 64;
const rounds = 4;
const roundMilliseconds = 2_000;
const firstWarmupMilliseconds = 1_500;
const arriveWithinMilliseconds = 60_000;

interface Round {
  readonly created: number;
  readonly paid: number;
  /** Payments a second until the last notification was there. */
  readonly told: number;
}

export async function measurePay(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const receiver = await startChild<{ port: number }, object, Received>(
      new URL('./deliver/receiver.ts', import.meta.url),
      {},
    );
    closing.unshift(() => receiver.child.end());
    const databaseUrl = await database.create('pay');
    const options: ServiceGiven = { name: 'pay', dataDir: `${database.folder}/pay`, databaseUrl, engine: true };
    const service = await startChild<ServiceReady, object, object>(
      new URL('./create/service.ts', import.meta.url),
      options,
    );
    closing.unshift(() => service.child.end());
    const load = await startChild<object, Load, LoadSeen>(new URL('./support/load.ts', import.meta.url), {});
    closing.unshift(() => load.child.end());
    const token = await tokenOf(service.ready);
    const url = `http://127.0.0.1:${receiver.ready.port}/notifications`;
    const fire = (bodies: readonly string[], milliseconds: number) =>
      fireAt(load.child, service.ready.port, token, bodies, milliseconds);
    let paid = 0;
    const seen: Round[] = [];
    await fire(creating, firstWarmupMilliseconds);
    paid += (await fire(paying(url), firstWarmupMilliseconds)).ok;
    await arrived(receiver.child, paid);
    for (let round = 0; round < rounds; round += 1) {
      const created = await fire(creating, roundMilliseconds);
      const start = performance.timeOrigin + performance.now();
      const payments = await fire(paying(url), roundMilliseconds);
      paid += payments.ok;
      const { lastAt } = await arrived(receiver.child, paid);
      seen.push({
        created: created.perSecond,
        paid: payments.perSecond,
        told: payments.ok / ((lastAt - start) / 1_000),
      });
    }
    return report(
      seen,
      paid,
      Number(await query(databaseUrl, "select count(*) from transaction where status = 'paid'")),
    );
  } finally {
    for (const close of closing) await close();
  }
}

const creating = [JSON.stringify({ amount: 12.34, description: 'Order 1024', payer: { email: 'jan@example.com' } })];

function paying(url: string): string[] {
  const pay = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
  const callbacks = { notification: { url } };
  return [
    JSON.stringify({ amount: 12.34, description: 'Order 1024', payer: { email: 'jan@example.com' }, pay, callbacks }),
  ];
}

async function tokenOf({ port, clientId, clientSecret }: ServiceReady): Promise<string> {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const response = await fetch(`http://127.0.0.1:${port}/oauth/auth`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function fireAt(
  load: Child<Load, LoadSeen>,
  port: number,
  token: string,
  bodies: readonly string[],
  milliseconds: number,
): Promise<LoadSeen> {
  const headers = { authorization: `Bearer ${token}` };
  const seen = await load.ask({
    host: '127.0.0.1',
    port,
    path: '/transactions',
    headers,
    bodies,
    connections,
    warmupMilliseconds: 0,
    milliseconds,
  });
  if (seen.notOk > 0) throw new Error(`${seen.notOk} requests were not answered with 200.`);
  return seen;
}

/** Waits until so many notifications were received. */
async function arrived(receiver: Child<object, Received>, count: number): Promise<Received> {
  const until = performance.now() + arriveWithinMilliseconds;
  for (;;) {
    const received = await receiver.ask({});
    if (received.count >= count) return received;
    if (performance.now() > until)
      throw new Error(`${received.count} of ${count} notifications arrived within a minute.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function report(seen: readonly Round[], answered: number, paid: number): boolean {
  const rate = (of: (round: Round) => number) => Math.round(median(seen.map(of)));
  const ratio = (of: (round: Round) => number) => median(seen.map((round) => of(round) / round.created)).toFixed(2);
  const met = answered === paid;
  process.stdout.write(`
Payments from end to end, ${connections} connections, ${rounds} rounds of ${roundMilliseconds / 1_000} s

                                    a second   of creating
  created                           ${String(rate((round) => round.created)).padStart(8)}          1.00
  created, paid and answered        ${String(rate((round) => round.paid)).padStart(8)}          ${ratio((round) => round.paid)}
  until the merchant was told       ${String(rate((round) => round.told)).padStart(8)}          ${ratio((round) => round.told)}

  ${met ? 'met    ' : 'NOT MET'}  payments answered = paid transactions   ${answered} = ${paid}
`);
  return met;
}
