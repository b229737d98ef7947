// `npm run prove`: all figures of the project, each with its goal and what was seen.
//
//   npm run prove                        the counts of the goals, at most two hours
//   npm run prove -- --scale 0.05        a twentieth of them, for a quick look
//   npm run prove -- fuzz kills          some of them
//   npm run prove -- --minutes 30        ends each figure early when its share of the time is over
//   npm run prove -- --seed tuesday      other draws

import { parseArgs } from 'node:util';
import { openTestServer } from '../support/server.ts';
import { closeAll } from '../support/service.ts';
import type { Seen } from './figure.ts';
import { type Figure, figures } from './figures.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '120' },
    seed: { type: 'string', default: 'prove' },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function positive(name: 'scale' | 'minutes'): number {
  const number = Number(values[name]);
  if (!(number > 0)) throw new Error(`--${name} must be a number above zero.`);
  return number;
}

function chooseFigures(): readonly Figure[] {
  const names = positionals;
  if (names.length === 0) return figures;
  const unknown = names.filter((name) => !figures.some((figure) => figure.name === name));
  if (unknown.length > 0)
    throw new Error(`There is no figure ${unknown}. There are: ${figures.map(({ name }) => name)}`);
  return figures.filter(({ name }) => names.includes(name));
}

/** A figure that fails counts as not met; the others still run. */
async function proveOne(figure: Figure, scale: number, milliseconds: number): Promise<Seen[]> {
  const started = performance.now();
  print(`${figure.name} ...`);
  try {
    return await figure.prove({
      scale,
      seed: values.seed,
      until: started + milliseconds,
      print: (text) => print(`  ${figure.name}: ${text}`),
    });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print(text);
    return [{ figure: figure.name, goal: 'an answer', seen: text.split('\n', 1)[0] ?? '', met: false }];
  } finally {
    await closeAll();
    print(`  ${figure.name}: ${Math.round((performance.now() - started) / 1_000)} s`);
  }
}

function printTable(rows: readonly Seen[]): void {
  const lines = [
    ['figure', 'goal', 'seen', ''],
    ...rows.map(({ figure, goal, seen, met }) => [figure, goal, seen, met ? 'met' : 'NOT MET']),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  print('');
  for (const line of lines)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

async function main(): Promise<boolean> {
  const [scale, minutes, chosen] = [positive('scale'), positive('minutes'), chooseFigures()];
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const server = await openTestServer();
  process.env.TEST_DATABASE_URL = server.url;
  try {
    const rows: Seen[] = [];
    for (const figure of chosen) {
      rows.push(...(await proveOne(figure, scale, (minutes * 60_000 * figure.weight) / weights)));
    }
    printTable(rows);
    return rows.every(({ met }) => met);
  } finally {
    await server.stop();
  }
}

main().then(
  (met) => process.exit(met ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
