// Places merchants with a heavy-tailed volume on shards and prints the load of the hottest one, as a multiple of the
// mean: by the hash of the merchant and by size (the largest first, each on the least loaded shard), both also with the
// largest merchants split. A simulation: it measures no service.

import { drawsOf, median, say } from './support/figures.ts';

const merchants = 10_000;
const shardCounts = [4, 16, 64];
/** Volume of the merchant of rank r: r to the power of minus this. 1: the first has a tenth of everything. */
const exponents = [0.8, 1, 1.2];
/** A merchant with more than this share of a shard's mean load is split into pieces that have at most this. */
const pieceOfShard = 0.1;
const times = 200;
const splitAtMost = 2;

interface Placed {
  readonly byHash: number[];
  readonly split: number[];
}

function volumesOf(exponent: number): number[] {
  const volumes = Array.from({ length: merchants }, (_, rank) => (rank + 1) ** -exponent);
  const all = volumes.reduce((sum, volume) => sum + volume, 0);
  return volumes.map((volume) => volume / all);
}

/** The largest merchants in equal pieces that are small enough; the others as they are. */
function piecesOf(volumes: readonly number[], shards: number): number[] {
  return volumes.flatMap((volume) => {
    const pieces = Math.ceil(volume / (pieceOfShard / shards));
    return Array.from({ length: pieces }, () => volume / pieces);
  });
}

/** The hottest of the shards, as a multiple of the mean, when `place` chooses the shard. */
function hottest(volumes: readonly number[], shards: number, place: (loads: readonly number[]) => number): number {
  const loads = Array.from({ length: shards }, () => 0);
  for (const volume of volumes) {
    const shard = place(loads);
    loads[shard] = (loads[shard] ?? 0) + volume;
  }
  return Math.max(...loads) * shards;
}

function leastLoaded(loads: readonly number[]): number {
  return loads.indexOf(Math.min(...loads));
}

function placeManyTimes(volumes: readonly number[], shards: number): Placed {
  const draw = drawsOf(shards);
  const byHash = (loads: readonly number[]) => Math.floor(draw() * loads.length);
  const pieces = piecesOf(volumes, shards);
  const placed: Placed = { byHash: [], split: [] };
  for (let time = 0; time < times; time += 1) {
    placed.byHash.push(hottest(volumes, shards, byHash));
    placed.split.push(hottest(pieces, shards, byHash));
  }
  return placed;
}

function figures(values: readonly number[]): string {
  return `${median(values).toFixed(2)} (${Math.max(...values).toFixed(2)})`;
}

export async function measureShards(): Promise<boolean> {
  process.stdout.write(
    `The hottest shard as a multiple of the mean: ${merchants.toLocaleString('en')} merchants, median (worst) of ` +
      `${times} placements\n\n` +
      `  ${'shards'.padStart(6)} ${'largest merchant'.padStart(17)} ${'by hash'.padStart(15)} ` +
      `${'largest split'.padStart(15)} ${'pieces'.padStart(12)} ${'by size'.padStart(8)} ${'split, by size'.padStart(15)}\n`,
  );
  const seen: number[] = [];
  for (const exponent of exponents) {
    const volumes = volumesOf(exponent);
    for (const shards of shardCounts) {
      const { byHash, split } = placeManyTimes(volumes, shards);
      const many = volumes.filter((volume) => volume > pieceOfShard / shards).length;
      const pieces = piecesOf(volumes, shards).sort((one, other) => other - one);
      const bySize = [volumes, pieces].map((sizes) => hottest(sizes, shards, leastLoaded).toFixed(2));
      seen.push(median(split));
      process.stdout.write(
        `  ${String(shards).padStart(6)} ${`${((volumes[0] ?? 0) * 100).toFixed(1)} %`.padStart(17)} ` +
          `${figures(byHash).padStart(15)} ${figures(split).padStart(15)} ` +
          `${`${many} into ${pieces.length - merchants + many}`.padStart(12)} ${bySize[0]?.padStart(8)} ${bySize[1]?.padStart(15)}\n`,
      );
    }
  }
  const worst = Math.max(...seen);
  process.stdout.write('\nGoals\n\n');
  return say(worst <= splitAtMost, `with the largest split, at most ${splitAtMost} times the mean`, worst.toFixed(2));
}
