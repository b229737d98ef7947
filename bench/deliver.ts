// Deliveries against a bare HTTP loop to the same receiver. Ours claims from the outbox, signs twice (RS256 and HMAC),
// sends, reads the response and writes the delivery log; the loop only posts. Rounds alternate; the ratio is the median
// of the ratios within each round.

import { startChild } from './support/child.ts';
import { median } from './support/figures.ts';
import { openBenchDatabase } from './support/postgres.ts';

const rounds = 5;
const perRound = 3_000;
const merchants = 20;
const atOnce = 16;
const goal = 0.4;

interface Rate {
  readonly perSecond: number;
}

export async function measureDeliver(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const receiver = await startChild<{ port: number }, object, { count: number }>(
      new URL('./deliver/receiver.ts', import.meta.url),
      {},
    );
    closing.unshift(() => receiver.child.end());
    const url = `http://127.0.0.1:${receiver.ready.port}/notifications`;
    const options = {
      dataDir: `${database.folder}/deliver`,
      databaseUrl: await database.create('deliver'),
      url,
      merchants,
    };
    const ours = await startChild<{ body: string }, { count: number }, Rate>(
      new URL('./deliver/sender.ts', import.meta.url),
      options,
    );
    closing.unshift(() => ours.child.end());
    const peer = { url, body: ours.ready.body, atOnce };
    const bare = await startChild<object, { count: number }, Rate>(new URL('./deliver/bare.ts', import.meta.url), peer);
    closing.unshift(() => bare.child.end());
    for (const side of [bare.child, ours.child]) await side.ask({ count: 1_000 });
    const seen: { bare: number; ours: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const loop = await bare.child.ask({ count: perRound });
      const delivered = await ours.child.ask({ count: perRound });
      seen.push({ bare: loop.perSecond, ours: delivered.perSecond });
    }
    const { count } = await receiver.child.ask({});
    return report(seen, count);
  } finally {
    for (const close of closing) await close();
  }
}

function report(seen: readonly { bare: number; ours: number }[], received: number): boolean {
  const sent = 2 * (1_000 + rounds * perRound);
  const ratio = median(seen.map((round) => round.ours / round.bare));
  const met = ratio >= goal && received === sent;
  process.stdout.write(`
Deliveries to one receiver, ${rounds} rounds of ${perRound}, ${merchants} merchants

  a bare HTTP loop, ${atOnce} at once   ${Math.round(median(seen.map((round) => round.bare)))} a second
  Grosz, signed and logged        ${Math.round(median(seen.map((round) => round.ours)))} a second

  ${ratio >= goal ? 'met    ' : 'NOT MET'}  at least ${goal} of the bare loop   ${ratio.toFixed(2)}
  ${received === sent ? 'met    ' : 'NOT MET'}  each arrived once               ${received} of ${sent}
`);
  return met;
}
