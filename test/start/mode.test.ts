// MODE: always required, stored in the database at the first start, and never changed afterwards.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { runHere } from '../support/command.ts';
import { emptyDatabase } from '../support/database.ts';
import { aDataDir, type Environment, quietPort, runGrosz, startGrosz } from '../support/process.ts';
import { atEnd } from '../support/service.ts';

/** `serve` runs as a process, which shows that a process says and does the same. */
const runnerOf = ([name]: readonly string[]) => (name === 'serve' ? runGrosz : runHere);

suite('MODE', () => {
  let environment: Environment;
  let live: Environment;

  before(async () => {
    const database = await emptyDatabase();
    atEnd(() => database.drop());
    environment = {
      DATABASE_URL: database.url,
      DATA_DIR: aDataDir(),
      PORT: String(await quietPort()),
      VAULT_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      ACQUIRER_URL: 'http://127.0.0.1:9',
      ACQUIRER_SECRET: `k1:${'s'.repeat(32)}`,
      MODE: 'sandbox',
    };
    live = { ...environment, MODE: 'live', BASE_URL: 'https://pay.example.com' };
    assert.equal((await runHere(['migrate'], environment)).code, 0);
  });

  // Guarantee: a forgotten MODE never turns a service with a real acquirer into a sandbox.
  for (const args of [['serve'], ['work'], ['migrate'], ['verify'], ['merchant', 'list'], ['clock']]) {
    test(`grosz ${args.join(' ')} refuses to run without it`, async () => {
      const { code, stdout, stderr } = await runnerOf(args)(args, { ...environment, MODE: '' });
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(stderr, 'These settings are wrong:\n  MODE must be set to sandbox or live.\n');
    });
  }

  // Guarantee: what was created in one mode is never used in the other.
  test('a database keeps the mode of its first start', async () => {
    const first = startGrosz(['serve'], environment);
    await first.until(/Grosz is listening/);
    await first.stop();
    for (const args of [['serve'], ['work'], ['merchant', 'list']]) {
      const { code, stdout, stderr } = await runnerOf(args)(args, live);
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(stderr, 'This database was set up with MODE=sandbox. MODE=live needs a separate database.\n');
    }
    assert.equal((await runHere(['merchant', 'list'], environment)).code, 0);
  });

  // Guarantee: no sandbox tool starts in live mode.
  for (const [args, message] of [
    [['start'], /^start runs the demo\./],
    [['bank'], /^There is no simulated bank in live mode\.\n$/],
  ] as const) {
    test(`grosz ${args.join(' ')} refuses live mode`, async () => {
      const { code, stdout, stderr } = await runnerOf(args)(args, live);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, message);
    });
  }
});
