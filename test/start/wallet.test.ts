// grosz wallet: domains, certificates, and in the sandbox what the vendor and its devices do, next to a running service.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { faultText, runLine } from '../../src/command/line.ts';
import { badKinds } from '../../src/simulators/index.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { aDataDir, type Ended, type Environment, runGrosz } from '../support/process.ts';
import { aReceiver } from '../support/receiver.ts';
import { aFolder, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { payWallet, walletConfig } from '../support/wallet.ts';

const identifier = 'merchant.com.example.app';
const unknownId = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';

suite('grosz wallet', () => {
  let service: Service;
  let merchant: TestMerchant;
  let environment: Environment;
  let folder: string;

  before(async () => {
    service = await aService({ config: walletConfig() });
    const { databaseUrl, bankFile, vaultKey, wall } = service.world;
    // Commands have the time of the machine.
    wall.set(Temporal.Now.instant().toString());
    merchant = await aMerchant(service);
    folder = await aFolder();
    environment = {
      DATABASE_URL: databaseUrl,
      BANK_FILE: bankFile,
      VAULT_KEYS: `test:${Buffer.from(vaultKey).toString('base64')}`,
      DATA_DIR: aDataDir(),
      ALLOW_PRIVATE_CALLBACKS: 'true',
    };
  });

  /** In this process, because starting another one takes longer than all the rest. */
  async function grosz(...args: string[]): Promise<Pick<Ended, 'code' | 'stdout' | 'stderr'>> {
    let stdout = '';
    const print = (text: string) => {
      stdout += `${text}\n`;
    };
    const ask = async () => '';
    const surroundings = { environment: { MODE: 'sandbox', ...environment }, print, ask, ended: Promise.resolve() };
    return runLine(['wallet', ...args], surroundings).then(
      () => ({ code: 0, stdout, stderr: '' }),
      (error: unknown) => ({ code: 1, stdout, stderr: `${faultText(error)}\n` }),
    );
  }
  /** What a command prints that must succeed. */
  async function printed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await grosz(...args);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return stdout;
  }
  async function assertRefused(sentence: RegExp, ...args: string[]): Promise<void> {
    const { code, stdout, stderr } = await grosz(...args);
    assert.deepEqual([code, stdout], [1, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
  }

  // Guarantee: an operator registers, checks and removes the domains of a merchant.
  test('domains add, list, check and remove', async () => {
    const receiver = await aReceiver();
    const { host } = new URL(receiver.url);
    assert.equal(await printed('domains', 'add', merchant.id, host.toUpperCase()), `Registered: ${host}\n`);
    assert.match(await printed('domains', 'list', merchant.id), new RegExp(`^${host}  since 20\\S+Z\n$`));
    receiver.answer = { status: 404, body: '' };
    const failed = await grosz('domains', 'check', merchant.id, host);
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /^failed {2}found +The server answered 404/m);
    assert.match(failed.stderr, /^The domain cannot start wallet sessions yet\.\n$/);
    receiver.answer = { status: 200, body: (await service.ask('GET', '/wallet/domain-association')).text };
    assert.equal((await printed('domains', 'check', merchant.id, host)).match(/^passed /gm)?.length, 7);
    assert.equal(await printed('domains', 'remove', merchant.id, host), `Removed: ${host}\n`);
    assert.equal(await printed('domains', 'list', merchant.id), '');
  });

  // Guarantee: the whole mobile path can be walked without the real vendor: the token that comes out of it pays.
  test('certificates request, upload, list and revoke; issue; token', async () => {
    const [csr, certificate] = [join(folder, 'app.csr'), join(folder, 'app.pem')];
    const requested = await printed('certificates', 'request', merchant.id, identifier, '--out', csr);
    const [, id = ''] = /^(\w{26}) {2}requested {2}\S+app\.csr\n$/.exec(requested) ?? [];
    assert.match(await readFile(csr, 'utf8'), /^-----BEGIN CERTIFICATE REQUEST-----\n[^-]+-----END [^-]+-----\n$/);
    assert.equal(await printed('issue', csr, identifier, '--out', certificate), `Issued: ${certificate}\n`);
    assert.match(
      await printed('certificates', 'upload', merchant.id, id, certificate),
      new RegExp(`^${id}  active     ${identifier}  until 20\\S+Z\n$`),
    );
    assert.match(await printed('certificates', 'list', merchant.id), new RegExp(`^${id}  active `));
    const token = (await printed('token', merchant.id, '10.01', '--merchant-identifier', identifier)).trim();
    service.world.wall.set(Temporal.Now.instant().toString());
    const paid = await payWallet(service, merchant, await aTransaction(service, merchant), token);
    assert.equal(paid.body.status, 'paid', paid.text);
    assert.match(await printed('certificates', 'revoke', merchant.id, id), new RegExp(`^${id}  revoked `));
    await assertRefused(
      /^There is no active certificate of this identifier\.\n$/,
      ...['token', merchant.id, '10.01', '--merchant-identifier', identifier],
    );
    await checkInvariants(service.world);
  });

  // Guarantee: without --out, requests and certificates are printed as they are, so that they can be piped.
  test('request and issue print PEM', async () => {
    const csr = await printed('certificates', 'request', merchant.id, identifier);
    assert.match(csr, /^-----BEGIN CERTIFICATE REQUEST-----\n[^-]+-----END CERTIFICATE REQUEST-----\n$/);
    await writeFile(join(folder, 'printed.csr'), csr);
    const certificate = await printed('issue', join(folder, 'printed.csr'), identifier);
    assert.match(certificate, /^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/);
  });

  // Guarantee: tokens as a web page gets them, with the card that the bank is to see, and bad ones by name.
  test('token --card and --bad', async () => {
    const declined = (await printed('token', merchant.id, '10.01', '--card', 'declined')).trim();
    const bad = (await printed('token', merchant.id, '10.01', '--bad', badKinds.at(-1)?.name ?? '')).trim();
    service.world.wall.set(Temporal.Now.instant().toString());
    const id = await aTransaction(service, merchant);
    assert.equal((await payWallet(service, merchant, id, declined)).body.result, 'failed');
    assert.deepEqual(faultsOf(await payWallet(service, merchant, id, bad)), ['payment_failed walletPayPaymentData']);
    await assertRefused(
      /There is no such kind of bad token\. Send one of: /,
      'token',
      merchant.id,
      '10.01',
      '--bad',
      'x',
    );
  });

  // Guarantee: the same as a process of its own.
  test('as a process', async () => {
    const listed = await runGrosz(['wallet', 'domains', 'list', merchant.id], environment);
    assert.deepEqual([listed.code, listed.stdout, listed.stderr], [0, '', '']);
    const refused = await runGrosz(['wallet', 'token', merchant.id], environment);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^Expected AMOUNT\. See: grosz wallet --help\n$/);
  });

  // Guarantee: every mistake is a sentence and exit code 1.
  const missing = '/no/such/file';
  for (const [sentence, ...args] of [
    [/^Missing or unknown action\. Usage: grosz wallet /, ''],
    [/^Missing or unknown action\. Usage: grosz wallet domains\|/, 'toString'],
    [/^Missing or unknown action\. Usage: grosz wallet domains list\|add\|remove\|check /, 'domains', 'toString'],
    [/^Missing or invalid account id\./, 'domains', 'list'],
    [/^There is no account 01K9/, 'domains', 'list', unknownId],
    [/^Expected DOMAIN\./, 'domains', 'add', 'MERCHANT'],
    [/^Must be a host name/, 'domains', 'add', 'MERCHANT', 'https://shop.example.com/'],
    [/^This account has no such domain or certificate\./, 'domains', 'remove', 'MERCHANT', 'none.example.com'],
    [/^This account has no such domain or certificate\./, 'domains', 'check', 'MERCHANT', 'none.example.com'],
    [/^"a b" is not a merchant identifier\./, 'certificates', 'request', 'MERCHANT', 'a b'],
    [/^\/no\/such\/file cannot be read\./, 'certificates', 'upload', 'MERCHANT', unknownId, missing],
    [/^"x" is not the id of a certificate\./, 'certificates', 'revoke', 'MERCHANT', 'x'],
    [/^This account has no such domain or certificate\./, 'certificates', 'revoke', 'MERCHANT', unknownId],
    [/^\/no\/such\/file cannot be read\./, 'issue', missing, identifier],
    [/^AMOUNT must be a number above 0/, 'token', 'MERCHANT', '0'],
    [/^--card must be one of approved, declined/, 'token', 'MERCHANT', '1', '--card', 'gold'],
  ] as const) {
    test(`refused: ${args.join(' ')}`, () =>
      assertRefused(sentence, ...args.map((word) => (word === 'MERCHANT' ? merchant.id : word))));
  }
});
