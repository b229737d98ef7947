// A real process that serves the API and runs the engine, and measures the turns of its event loop.
//
// A turn lasts from one check phase to the next. While it is measured, an immediate is always due, so that no turn waits
// for something to happen. What counts is the CPU time of the main thread: on a busy machine the clock would also count
// the time that other processes had its core.

import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { startEngine } from '../../src/engine/index.ts';
import { openService } from '../../src/open.ts';

const config = readConfig(process.env);
const { tools, rooms } = await openService(config, config.databaseUrl ?? '', { name: 'serve' });
const app = await build(tools, rooms);
startEngine(tools, rooms.works, 1_000);
const url = await app.listen({ host: '127.0.0.1', port: 0 });

let isMeasuring = false;
let longest = 0;
let last = 0;

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function turn(): void {
  const now = cpuMilliseconds();
  longest = Math.max(longest, now - last);
  last = now;
  if (isMeasuring) setImmediate(turn);
}

process.on('message', (message) => {
  if (message === 'begin') {
    isMeasuring = true;
    [longest, last] = [0, cpuMilliseconds()];
    setImmediate(turn);
    process.send?.(0);
    return;
  }
  // What the requests leave behind counts too.
  void rooms.panel.requests.flush().then(() => {
    isMeasuring = false;
    process.send?.(longest);
  });
});
process.on('disconnect', () => process.exit(0));
process.send?.(url);
