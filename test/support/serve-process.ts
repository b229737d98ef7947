// A real process that serves the API, with the batch limits given by a test. It is there to be killed.

import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { BatchLimits } from '../../src/database/index.ts';
import { openService } from '../../src/open.ts';
import { startLoop } from '../../src/runtime/index.ts';
import { SandboxClock } from '../../src/sandbox/index.ts';

const batchLimits = JSON.parse(process.argv[2] ?? '') as BatchLimits;
const config = readConfig(process.env);
const { tools, rooms } = await openService(config, config.databaseUrl ?? '', { name: 'serve', batchLimits });
const { clock } = tools;
await rooms.nodes.start(() => undefined);
// Like `grosz serve`, only more often: a process whose clock is behind the others would date its work before theirs.
if (clock instanceof SandboxClock) {
  startLoop(
    20,
    () => clock.refresh(tools.db),
    () => undefined,
  );
}
const app = await build(tools, rooms);
process.stdout.write(`serves ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
