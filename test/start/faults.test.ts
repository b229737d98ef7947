// What prevents `grosz` from starting: one clear message each, exit code 1, and nothing changed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from '../../src/version.ts';
import { runHere } from '../support/command.ts';
import { emptyDatabase, urlOf } from '../support/database.ts';
import { aDataDir, type Ended, type Environment, quietPort, runGrosz } from '../support/process.ts';
import { atEnd } from '../support/service.ts';

/** Exit code 1, nothing on standard output, and no stack in the message. */
function assertRefused({ code, stdout, stderr }: Ended, message: RegExp | string, printed = ''): void {
  assert.equal(code, 1, stderr);
  assert.equal(stdout, printed);
  assert.doesNotMatch(stderr, /^\s+at /m);
  if (typeof message === 'string') assert.equal(stderr, `${message}\n`);
  else assert.match(stderr, message);
}

suite('settings', { concurrency: 3 }, () => {
  // Guarantee: an operator can fix all settings in one round.
  test('all bad settings are listed together', async () => {
    const ended = await runGrosz(['serve'], {
      DATA_DIR: aDataDir(),
      PORT: 'abc',
      MODE: 'test',
      BASE_URL: 'pay.example.com',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      DATABASE_CONNECTIONS: '1',
      VAULT_KEYS: 'short',
      LOG_LEVEL: 'loud',
      REQUESTS_PER_SECOND: '-5',
      TRUST_PROXY: 'yes',
    });
    assertRefused(ended, /^These settings are wrong:\n/);
    const lines = ended.stderr.trim().split('\n').slice(1);
    const named = lines.map((line) => line.trim().split(' ')[0]).sort();
    assert.deepEqual(named, [
      'BASE_URL',
      'DATABASE_CONNECTIONS',
      'DATABASE_URL',
      'LOG_LEVEL',
      'MODE',
      'PORT',
      'REQUESTS_PER_SECOND',
      'TRUST_PROXY',
      'VAULT_KEYS',
    ]);
    assert.ok(!ended.stderr.includes('hunter2'), 'a password is not repeated');
  });

  /** The first of each kind runs as a process, which shows that a process says and does the same. */
  const asProcesses = ['an unreachable database', 'an unknown option', 'verify without an installation'];
  const runnerOf = (name: string) => (asProcesses.includes(name) ? runGrosz : runHere);

  // Guarantee: each of these is one message that says what to do.
  const cases: readonly [string, readonly string[], Environment, RegExp | string][] = [
    ['a port out of range', ['serve'], { PORT: '65536' }, /PORT must be a whole number from 1 to 65535, not "65536"/],
    [
      'live without database and keys',
      ['serve'],
      { MODE: 'live' },
      /MODE=live needs DATABASE_URL[\s\S]*MODE=live needs VAULT_KEYS/,
    ],
    [
      'an address of another machine',
      ['serve'],
      { HOST: '192.0.2.1' },
      'HOST 192.0.2.1 is not an address of this machine.',
    ],
    [
      'an unreachable database',
      ['serve'],
      { DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/shop' },
      /^Cannot reach the database at 127\.0\.0\.1:1\/shop: .*ECONNREFUSED.*\. Check DATABASE_URL\.\n$/,
    ],
    [
      'an unreachable database, migrate',
      ['migrate'],
      { DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/shop' },
      /^Cannot reach the database/,
    ],
    [
      'a database that does not exist',
      ['serve'],
      { DATABASE_URL: urlOf('no_such_database') },
      /^Cannot reach the database .*"no_such_database" does not exist/,
    ],
    [
      'a wrong password',
      ['serve'],
      { DATABASE_URL: urlOf('postgres').replace(/:[^:@]+@/, ':hunter2@') },
      /^Cannot reach the database .*password authentication failed/,
    ],
    [
      '--fresh with a database of the operator',
      ['start', '--fresh'],
      { DATABASE_URL: urlOf('postgres') },
      /^--fresh empties the data folder, not DATABASE_URL/,
    ],
    [
      'wrong settings of the simulated bank, all at once',
      ['bank'],
      { MODE: 'sandboks', LOG_LEVEL: 'nonsense', ACQUIRER_SECRET: 'k1:short' },
      /^ACQUIRER_SECRET must be id:secret, .*\nLOG_LEVEL must be one of trace, .*, not "nonsense"\.\nMODE must be one of sandbox, live, not "sandboks"\.\n$/,
    ],
    ['an unknown command', ['dance'], {}, /^Unknown command "dance"\. See: grosz help\n$/],
    ['a misspelled command', ['verfy'], {}, /^Unknown command "verfy"\. Did you mean grosz verify\?\n$/],
    ['an unknown option', ['start', '--loud'], {}, /^Unknown option --loud\. See: grosz start --help\n$/],
    ['a misspelled option', ['start', '--frech'], {}, /^Unknown option --frech\. Did you mean --fresh\? See: .*\n$/],
    [
      'an amount below zero',
      ['parked', 'decide', 'ID', 'seen', '-80'],
      {},
      /^Amounts .* have no minus sign\. See: .*\n$/,
    ],
    ['an option without its value', ['merchant', 'create', '--name'], {}, /^--name needs a value\. See: .*\n$/],
    ['an option with a value too many', ['start', '--fresh=1'], {}, /^--fresh takes no value\. See: .*\n$/],
  ];
  for (const [name, args, environment, message] of cases) {
    test(name, async () => {
      const port = String(await quietPort());
      const ended = await runnerOf(name)(args, { DATA_DIR: aDataDir(), PORT: port, ...environment });
      assertRefused(ended, message);
      assert.ok(!ended.stderr.includes('hunter2'), 'a password is not repeated');
    });
  }

  // Guarantee: no command ignores a word, because whoever wrote it meant something by it.
  for (const args of [
    ['serve', 'now'],
    ['verify', 'all'],
    ['bank', 'fast'],
    ['parked', 'list', 'x'],
    ['clock', 'advance', 'P1D', 'P2D'],
    ['merchant', 'list', 'x'],
    ['merchant', 'show', 'x', 'y'],
    ['user', 'block', 'a@example.com', 'b@example.com'],
    ['refund', 'show', 'x', 'y'],
    ['pos', 'list', 'x', 'y'],
    ['wallet', 'token', 'x', '1.00', 'y'],
    ['help', 'user', 'list'],
  ]) {
    test(`a word too many: ${args.join(' ')}`, async () => {
      const [command = '', surplus = ''] = [args[0], args.at(-1)];
      const ended = await runHere(args, { DATA_DIR: aDataDir() });
      const help = command === 'help' ? 'grosz help' : `grosz ${command} --help`;
      assertRefused(ended, `Unexpected argument "${surplus}". See: ${help}`);
    });
  }

  // Guarantee: an account where only an option names it is told how.
  test('a word too many: user list ID', async () => {
    const ended = await runHere(['user', 'list', '01K9Z4M7Q1T4W7A0B2C5E8F9GH'], { DATA_DIR: aDataDir() });
    const advice = 'For the users of an account: grosz user list --account 01K9Z4M7Q1T4W7A0B2C5E8F9GH';
    assertRefused(ended, `Unexpected argument "01K9Z4M7Q1T4W7A0B2C5E8F9GH". ${advice}`);
  });

  // Guarantee: a command that only looks creates nothing.
  for (const args of [
    ['verify'],
    ['parked'],
    ['merchant', 'list'],
    ['merchant', 'show', 'nope'],
    ['pos', 'list', 'x'],
  ]) {
    const name = `${args.join(' ')} without an installation`;
    test(name, async () => {
      const folder = join(aDataDir(), 'none');
      const ended = await runnerOf(name)(args, { DATA_DIR: folder, MODE: 'sandbox' });
      assertRefused(ended, /^There is no data folder .*none\. Set DATA_DIR or DATABASE_URL/);
      assert.ok(!existsSync(folder));
    });
  }

  // Guarantee: a port in use is detected before anything is created.
  test('a port in use', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const bound = server.address();
        resolve(typeof bound === 'object' && bound ? bound.port : 0);
      });
    });
    atEnd(async () => void server.close());
    const dataDir = aDataDir();
    const ended = await runGrosz(['start'], { DATA_DIR: dataDir, PORT: String(port) });
    assertRefused(ended, `Port ${port} is in use. Set PORT to a free one: PORT=3100 npm start`, 'Starting Grosz.\n');
    assert.deepEqual(readdirSync(dataDir), []);
  });

  test('a data folder that is a file', async () => {
    const file = join(aDataDir(), 'file');
    writeFileSync(file, '');
    const ended = await runHere(['start'], { DATA_DIR: file, PORT: String(await quietPort()) });
    assertRefused(ended, /^The data folder .*file cannot be /);
  });

  // Guarantee: nothing is encrypted with an invalid key, and the operator is told what to do.
  test('a vault key that is cut off', async () => {
    const dataDir = aDataDir();
    writeFileSync(join(dataDir, 'vault.key'), 'c2hvcnQ=');
    const ended = await runHere(['start'], { DATA_DIR: dataDir, PORT: String(await quietPort()) });
    const printed = `Starting the database in ${dataDir}.\nStarting the service.\n`;
    assertRefused(ended, /vault\.key contains no key\. Restore it from a backup\.\n$/, printed);
    assert.equal(readFileSync(join(dataDir, 'vault.key'), 'utf8'), 'c2hvcnQ=');
  });

  // Guarantee: a node does not run on a schema of another version.
  test('a database without the schema, and one of a newer version', async () => {
    const database = await emptyDatabase();
    atEnd(() => database.drop());
    const environment = { DATABASE_URL: database.url, DATA_DIR: aDataDir(), PORT: String(await quietPort()) };
    assertRefused(
      await runHere(['serve'], environment),
      /^The database lacks \d+ migration\(s\)\. Run: grosz migrate\n$/,
    );
    assertRefused(await runHere(['work'], environment), /^The database lacks/);
    assertRefused(await runHere(['merchant', 'list'], environment), /^The database lacks/);
  });
});

suite('help', () => {
  const program = fileURLToPath(new URL('../../bin/grosz', import.meta.url));

  const printedBy = async (args: readonly string[]) => (await runHere(args, {})).stdout;

  // Guarantee: the launcher runs on the pinned Node and lists the commands.
  test('grosz --help lists every command, each with its own help', async () => {
    const { status, stdout } = spawnSync(program, ['--help'], { encoding: 'utf8' });
    assert.equal(status, 0);
    const commands = [...stdout.matchAll(/^ {2}(\w+) +\S/gm)].map(([, name = '']) => name);
    for (const name of ['start', 'serve', 'work', 'migrate', 'merchant']) assert.ok(commands.includes(name), name);
    // A process for each would load everything each time; the last lines show that processes print the same.
    for (const name of commands) {
      const help = await printedBy([name, '--help']);
      assert.match(help, new RegExp(`^Usage: grosz ${name}`, 'm'));
      assert.match(help, /^Settings from the environment: grosz help settings$/m);
    }
    const { stdout: settings } = await runGrosz(['help', 'settings'], {});
    assert.match(settings, /^ {2}PORT +port of the HTTP server/m);
    const { code, stdout: help, stderr } = await runGrosz(['verify', '--help'], {});
    assert.deepEqual([code, help, stderr], [0, await printedBy(['verify', '--help']), '']);
    assert.equal(await printedBy(['help', 'verify']), help);
  });

  test('grosz --version', async () => {
    assert.equal((await runGrosz(['--version'], {})).stdout, `${version}\n`);
  });
});
