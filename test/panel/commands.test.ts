// What commands of grosz change is in the audit log.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText, readTextOrNull } from '../../src/database/index.ts';
import { runHere } from '../support/command.ts';
import { inWords } from '../support/findings.ts';
import { aPerson } from '../support/panel.ts';
import { aPaidTransaction, passTime } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { aFolder, aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('commands in the audit log', () => {
  let service: Service;
  let merchant: TestMerchant;
  let environment: Record<string, string>;

  before(async () => {
    service = await aService();
    const { world } = service;
    merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    environment = {
      DATABASE_URL: world.databaseUrl,
      VAULT_KEYS: `test:${Buffer.from(world.vaultKey).toString('base64')}`,
      DATA_DIR: await aFolder(),
      BANK_FILE: world.bankFile,
    };
  });

  interface Entry {
    readonly action: string;
    readonly target: string;
    readonly details: string;
    readonly accountId: string | null;
    readonly outcome: string | null;
  }
  const entries = () =>
    service.world.db.sql.many(
      (row): Entry => ({
        action: readText(row, 'action'),
        target: readText(row, 'target'),
        details: readText(row, 'details'),
        accountId: readTextOrNull(row, 'account_id'),
        outcome: readTextOrNull(row, 'ended'),
      }),
    )`
      select entry.*, ended.outcome as ended
        from audit_entry as entry left join audit_entry as ended on ended.of_position = entry.position
       where entry.of_position is null and entry.email = 'command_line' order by entry.position`;

  /** Runs a command and returns the entries that it made, and what it printed. */
  async function run(...args: string[]): Promise<{ made: Entry[]; printed: string; errors: string }> {
    const before = (await entries()).length;
    const { stdout, stderr } = await runHere(args, environment);
    return { made: (await entries()).slice(before), printed: stdout, errors: stderr };
  }
  async function checkMakes(action: string, accountId: string | null, ...args: string[]): Promise<string> {
    const { made, printed, errors } = await run(...args);
    const [entry, ...others] = made;
    assert.ok(entry && others.length === 0, `${args.join(' ')}: ${made.length} entries. ${errors}`);
    assert.deepEqual([entry.action, entry.accountId, entry.outcome], [action, accountId, 'ok'], errors);
    return printed;
  }

  // Guarantee: nobody becomes an operator without a trace.
  test('grosz user', async () => {
    const { id } = merchant;
    await checkMakes('create_user', id, 'user', 'create', '--account', id, '--email', 'ewa@example.com');
    for (const role of ['read-only', 'read_only']) {
      const made = await run('user', 'create', '--account', id, '--email', `${role}@example.com`, '--role', role);
      assert.match(made.printed, /^Created read_only/, made.errors);
    }
    await checkMakes('create_user', null, 'user', 'create', '--operator', '--email', 'olga@example.com');
    const [entry] = (await entries()).slice(-1);
    assert.equal(entry?.target, 'grosz user create');
    assert.deepEqual(JSON.parse(entry?.details ?? ''), { operator: true, email: 'olga@example.com' });
    // Guarantee: a language that nobody offers is not taken for English.
    for (const [language, code] of [
      ['pl', 0],
      ['xx', 1],
    ] as const) {
      const args = ['user', 'create', '--account', id, '--email', `${language}@example.com`, '--language', language];
      const made = await runHere(args, environment);
      assert.equal(made.code, code, made.stderr);
      if (code === 1) assert.match(made.stderr, /^--language must be one of: en, pl\./);
    }
    await checkMakes('make_link', id, 'user', 'link', 'ewa@example.com');
    await checkMakes('block_user', id, 'user', 'block', 'ewa@example.com');
    await checkMakes('unblock_user', id, 'user', 'unblock', 'ewa@example.com');
    const refused = await run('user', 'create', '--operator', '--email', 'olga@example.com');
    assert.deepEqual(
      refused.made.map(({ action, outcome }) => [action, outcome]),
      [['create_user', 'user_exists']],
    );
  });

  test('grosz merchant and grosz pos', async () => {
    const made = JSON.parse(
      await checkMakes('P86', null, 'merchant', 'create', '--name', 'Shop', '--email', 'shop@example.com'),
    );
    await checkMakes('P88', made.id, 'merchant', 'set', made.id, '--fee-percent', '1.5');
    await checkMakes('P96', made.id, 'merchant', 'set', made.id, '--mails', 'paid');
    const credential = JSON.parse(await checkMakes('P66', made.id, 'merchant', 'credential', made.id));
    await checkMakes('P67', made.id, 'merchant', 'rotate', credential.clientId);
    await checkMakes('P68', made.id, 'merchant', 'drop', credential.clientId);
    await checkMakes('P69', made.id, 'merchant', 'revoke', credential.clientId);
    const again = await run('merchant', 'revoke', credential.clientId);
    assert.deepEqual([again.made[0]?.outcome, again.errors.includes('already revoked')], ['refused', true]);
    const posId = (await checkMakes('P78', made.id, 'pos', 'add', made.id, '--name', 'Till')).trim();
    await checkMakes('P79', made.id, 'pos', 'set', posId, '--active', 'off');
    const secrets = [made.clientSecret, made.securityCode, made.webhookSecret, credential.clientSecret];
    const written = JSON.stringify(await entries());
    assert.ok(secrets.every((secret) => !written.includes(secret)));
  });

  test('grosz wallet, refund, parked, reconcile, clock', async () => {
    const { id } = merchant;
    await checkMakes('W2', id, 'wallet', 'domains', 'add', id, 'shop.example.com');
    await checkMakes('W3', id, 'wallet', 'domains', 'remove', id, 'shop.example.com');
    const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant, {}));
    await checkMakes('F1', id, 'refund', 'hold', refundId);
    await checkMakes('F2', id, 'refund', 'release', refundId);
    const { made } = await run('parked', 'decide', refundId, 'not-captured');
    assert.deepEqual(
      made.map(({ action, outcome }) => [action, outcome]),
      [['P90', 'refused']],
    );
    await checkMakes('P111', null, 'reconcile');
    const route = await checkMakes('P121', null, 'route', 'add', '--acquirer', 'simulator', '--merchant', id);
    await checkMakes('P122', null, 'route', 'remove', route.split(' ')[0] ?? '');
    await checkMakes('S2', null, 'clock', 'advance', 'PT1S');
  });

  // Guarantee: reading leaves no entries.
  test('commands that only read', async () => {
    const { id } = merchant;
    const reading = [
      ['merchant', 'list'],
      ['merchant', 'show', id],
      ['pos', 'list', id],
      ['user', 'list'],
      ['parked', 'list'],
      ['route', 'list'],
      ['wallet', 'domains', 'list', id],
      ['clock'],
      ['verify'],
    ];
    for (const args of reading) assert.deepEqual((await run(...args)).made, [], args.join(' '));
    // Customer service reads why a payer has no refund.
    const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant, {}));
    service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
    await passTime(service.world, { seconds: 10 });
    service.world.bank.setFaults({});
    const { made, printed } = await run('refund', 'show', refundId);
    assert.deepEqual(made, []);
    assert.match(printed, /BLIK_incorrect.*\n {2}declined by the bank: the bank [a-z]/);
  });

  // Guarantee: the panel shows the result of a verification, wherever it ran.
  test('grosz verify, in the panel', async () => {
    // The command is a process of its own, with the machine's clock.
    service.world.wall.set(Temporal.Now.instant().round('second').toString());
    const operator = await aPerson(service, 'operator', null);
    const lastOf = async () => (await operator.ask('GET', '/panel/api/operator/verify')).body.last;
    const { printed, errors } = await run('verify');
    assert.match(printed, /^The books are correct/, errors);
    const right = await lastOf();
    assert.deepEqual([right.startedBy, right.problems], ['command_line', []]);
    assert.notEqual(right.endedAt, null);
    const wrong = await run('verify', '--head', `ledger:1:${'0'.repeat(64)}`);
    const { problems } = await lastOf();
    assert.ok(
      problems.length > 0 && inWords(problems).every((problem) => wrong.errors.includes(problem)),
      wrong.errors,
    );
    // A typo must not read like an attack only.
    assert.match(wrong.errors, /\nWhat --head names may be mistyped, or of another installation\. .*\n$/);
  });
});
