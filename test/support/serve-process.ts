// A real process that serves the API, with the limits of joined writes that a test gives it. It is there to be killed.

import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { type BatchLimits, startLoop } from '../../src/platform/index.ts';
import { SandboxClock } from '../../src/sandbox/index.ts';

const batchLimits = JSON.parse(process.argv[2] ?? '') as BatchLimits;
const config = readConfig(process.env);
const { tools, rooms } = await openService(config, config.databaseUrl ?? '', { name: 'serve', batchLimits });
const { clock } = tools;
// As `grosz serve` does, only sooner: a process that goes by an older time than the others dates what it does before theirs.
if (clock instanceof SandboxClock) {
  startLoop(
    20,
    () => clock.refresh(tools.db),
    () => undefined,
  );
}
const app = await build(tools, rooms);
process.stdout.write(`serves ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
