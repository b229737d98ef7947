// A process that carries a refund through and kills itself at the given edge.

import { carryThrough, type Given } from './refund-way.ts';

const { dieAt, ...given } = JSON.parse(process.argv[2] ?? '') as Given & {
  /** Counted from 1. */
  readonly dieAt: number;
};
let edges = 0;

/** Dies here if it is this edge's turn: no handlers, no flush, no rollback. */
async function edge(name: string): Promise<void> {
  edges += 1;
  if (edges !== dieAt) return;
  process.stdout.write(name);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
}

await carryThrough(given, edge);
process.exit(0);
