// Commands on a database of another acquirer, run without its settings: looking leaves nothing behind.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { openService } from '../../src/open.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { runHere } from '../support/command.ts';
import { gated } from '../support/gate.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aFolder, aMerchant, atEnd, aWorld, type Service, serve } from '../support/service.ts';

const warning =
  'Warning: This database has charges of stripe, but ACQUIRERS does not name it. Use the settings of the service.\n';

suite('commands without the settings of the service', () => {
  let service: Service;
  let environment: Record<string, string>;

  before(async () => {
    const world = await aWorld();
    const stripe = { ...gated(world.bank, {}), name: 'stripe' };
    service = await serve({ ...world, acquirers: acquirersOf(world, stripe) });
    const merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant);
    const folder = await aFolder();
    environment = {
      DATABASE_URL: world.databaseUrl,
      VAULT_KEYS: `test:${Buffer.from(world.vaultKey).toString('base64')}`,
      DATA_DIR: folder,
      BANK_FILE: join(folder, 'bank.sqlite'),
    };
  });

  const accounts = () =>
    service.world.db.sql.many((row) => readText(row, 'name'))`
      select name from ledger_account where name like 'acquirer:%' order by name`;
  const ofStripe = ['acquirer:stripe:receivable', 'acquirer:stripe:suspense'];

  async function checkUntouched(): Promise<void> {
    assert.deepEqual(await accounts(), ofStripe);
    assert.equal(existsSync(environment.BANK_FILE ?? ''), false);
    const { count } = await service.world.db.sql.one((row) => ({ count: readText(row, 'count') }))`
      select count(*)::text as count from reconciliation_run where acquirer <> 'stripe'`;
    assert.equal(count, '0');
  }

  // Guarantee: a database is never made one of the simulated bank, or of a wrong address, by a command that looks.
  for (const [words, expected] of [
    [['acquirer', 'list'], `${warning}simulator  takes new charges, not used yet\n  every method and amount\n`],
    [
      ['acquirer', 'test', 'simulator'],
      `${warning}ok   simulated: It is the simulated bank of this process: there is nothing to test.\n`,
    ],
    [
      ['acquirer', 'test'],
      `${warning}ok   simulated: It is the simulated bank of this process: there is nothing to test.\n`,
    ],
    [['route', 'list'], `${warning}No routes: new charges go to simulator.\n`],
    [['clock']],
    [['parked']],
    [['verify']],
    [['merchant', 'list']],
    [['pos', 'list']],
    [['user', 'list']],
    [['wallet', 'domains', 'list', 'nobody']],
    [['refund', 'show', 'nothing']],
  ] as const) {
    test(`grosz ${words.join(' ')}`, async () => {
      const { stdout } = await runHere(words, environment);
      if (expected !== undefined) assert.equal(stdout, expected);
      await checkUntouched();
    });
  }

  test('grosz acquirer list with the address of another acquirer', async () => {
    const http = { ACQUIRER_URL: 'http://127.0.0.1:9', ACQUIRER_SECRET: `main:${'s'.repeat(40)}` };
    const { stdout } = await runHere(['acquirer', 'list'], { ...environment, ...http });
    assert.match(stdout, /^Warning: .*\nhttp {2}takes new charges, not used yet, acquirer in the ledger/);
    await checkUntouched();
  });

  // Guarantee: what was never used here has no statement to compare with.
  test('grosz reconcile', async () => {
    for (const words of [['reconcile'], ['reconcile', '--acquirer', 'simulator']]) {
      const { code, stdout, stderr } = await runHere(words, environment);
      assert.deepEqual([code, stdout], [1, warning], stderr);
      assert.match(stderr, /^This database has nothing of simulator to compare\./);
      await checkUntouched();
    }
  });

  // Guarantee: the service takes what it is told to take.
  test('the service itself opens it', async () => {
    const { databaseUrl } = service.world;
    const config = { ...service.world.config, bankFile: environment.BANK_FILE ?? '' };
    const vaultKeys = [{ id: 'test', key: service.world.vaultKey }];
    const opened = await openService({ ...config, vaultKeys, logLevel: 'silent' }, databaseUrl, { name: 'serve' });
    atEnd(() => opened.close());
    assert.deepEqual(await accounts(), ['acquirer:simulator:receivable', 'acquirer:simulator:suspense', ...ofStripe]);
    assert.equal(existsSync(config.bankFile), true);
    const { stdout } = await runHere(['acquirer', 'list'], environment);
    assert.equal(stdout, `${warning}simulator  takes new charges\n  every method and amount\n`);
  });
});
