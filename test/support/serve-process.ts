// A real process that serves the API, with the limits of joined writes that a test gives it. It is there to be killed.

import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import type { BatchLimits } from '../../src/platform/index.ts';

const batchLimits = JSON.parse(process.argv[2] ?? '') as BatchLimits;
const config = readConfig(process.env);
const { tools, rooms } = await openService(config, config.databaseUrl ?? '', { name: 'serve', batchLimits });
const app = await build(tools, rooms);
process.stdout.write(`serves ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
