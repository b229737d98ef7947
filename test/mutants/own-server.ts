// Runs a command on a PostgreSQL of its own, with the schema of this folder: for mutants of the schema.

import { spawnSync } from 'node:child_process';
import { openTestServer } from '../support/server.ts';

const postgres = await openTestServer();
try {
  const env = { ...process.env, TEST_DATABASE_URL: postgres.url };
  const { status } = spawnSync(process.execPath, process.argv.slice(2), { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
} finally {
  await postgres.stop();
}
