// A second vendor, made with the `openssl` command alone, and what a service has that knows no vendor at all.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { money } from '../../src/kernel/index.ts';
import { systemRandom } from '../../src/runtime/index.ts';
import { mintToken, openVendor } from '../../src/simulators/index.ts';
import { hashOfIdentifier } from '../../src/wallet/index.ts';
import { type OpensslVendor, openOpensslVendor } from '../support/openssl.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { aFolder, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { aRequest, payWallet, uploadCertificate, walletConfig } from '../support/wallet.ts';

const identifier = 'merchant.com.example.app';
const isThere = spawnSync('openssl', ['version']).status === 0;

const payload = JSON.stringify({
  applicationPrimaryAccountNumber: '5555555555554444',
  applicationExpirationDate: '991231',
  currencyCode: '985',
  transactionAmount: 1_001,
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eciIndicator: '02' },
});

const liveWallet = readConfig({ MODE: 'sandbox' }).wallet;

/** The channel as the merchant sees it. */
async function isAvailable(service: Service, { token }: TestMerchant): Promise<boolean> {
  const { body } = await service.ask('GET', '/transactions/channels', { token });
  return body.channels.find(({ id }: { id: string }) => id === '75').available;
}

suite('a second vendor', { skip: isThere ? false : 'there is no openssl command here' }, () => {
  let vendor: OpensslVendor;
  let roots: string;

  before(async () => {
    vendor = openOpensslVendor();
    roots = join(await aFolder(), 'roots.pem');
    await writeFile(roots, vendor.rootPem);
  });
  after(() => vendor.close());

  async function aServiceNow(config: Parameters<typeof aService>[0]): Promise<Service> {
    const service = await aService(config);
    // The command takes the time of the machine, a little later than this.
    service.world.wall.set(Temporal.Now.instant().add({ seconds: 30 }).toString());
    return service;
  }

  // Guarantee: with its root in WALLET_ROOTS and a certificate made from our signing request, tokens of any vendor pay,
  // next to those of the sandbox and in live mode, where nothing else is set up.
  for (const mode of ['sandbox', 'live'] as const) {
    test(`its tokens pay in ${mode} mode`, async () => {
      const config = mode === 'live' ? { mode, wallet: { ...liveWallet, roots } } : walletConfig({ roots });
      const service = await aServiceNow({ config });
      const merchant = await aMerchant(service);
      assert.equal(await isAvailable(service, merchant), mode === 'sandbox');
      const { id, csr } = await aRequest(service, merchant, identifier);
      assert.equal(await isAvailable(service, merchant), mode === 'sandbox', 'a request alone opens nothing');
      const certificate = vendor.issueProcessing(csr, identifier);
      const uploaded = await uploadCertificate(service, merchant, id, certificate);
      assert.equal(uploaded.status, 200, uploaded.text);
      assert.equal(await isAvailable(service, merchant), true);
      for (const options of [[], ['-stream']]) {
        const token = vendor.mint(payload, certificate, identifier, ...options);
        const paid = await payWallet(service, merchant, await aTransaction(service, merchant), token);
        assert.equal(paid.status, 200, paid.text);
        assert.equal(paid.body.status, 'paid');
        const again = await payWallet(service, merchant, await aTransaction(service, merchant), token);
        assert.deepEqual(faultsOf(again), ['payment_failed walletPayPaymentData']);
      }
      await service.ask('POST', `/wallet/certificates/${id}/revoke`, { token: merchant.token, body: {} });
      assert.equal(await isAvailable(service, merchant), mode === 'sandbox');
      await checkInvariants(service.world);
    });
  }

  // Guarantee: and only with its root.
  test('its tokens are refused by a service without its root', async () => {
    const service = await aServiceNow({ config: walletConfig() });
    const merchant = await aMerchant(service);
    const { id, csr } = await aRequest(service, merchant, identifier);
    const certificate = vendor.issueProcessing(csr, identifier);
    assert.equal((await uploadCertificate(service, merchant, id, certificate)).status, 200);
    const token = vendor.mint(payload, certificate, identifier);
    const refused = await payWallet(service, merchant, await aTransaction(service, merchant), token);
    assert.deepEqual(faultsOf(refused), ['payment_failed walletPayPaymentData']);
  });
});

suite('a live service where no vendor is set up', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ config: { mode: 'live', wallet: liveWallet } });
    merchant = await aMerchant(service);
  });

  // Guarantee: the channel is shown as not available, and every way to pay with it says so and starts nothing.
  test('channel 75 is not available, and is refused', async () => {
    assert.equal(await isAvailable(service, merchant), false);
    const { token } = merchant;
    const create = (pay: object) =>
      service.ask('POST', '/transactions', { token, body: { amount: 10.01, description: 'Order', pay } });
    const refused = ['not_valid pay.channelId'];
    assert.deepEqual(faultsOf(await create({ channelId: 75 })), refused);
    assert.deepEqual(faultsOf(await create({ channelId: 75, walletPayPaymentData: 'AAAA' })), refused);
    const id = await aTransaction(service, merchant);
    const paid = await payWallet(service, merchant, id, 'AAAA');
    assert.deepEqual(faultsOf(paid), ['not_valid channelId']);
    assert.equal(paid.body.errors[0].errorMessage, 'Wallet payments are not set up for this account.');
    const { body } = await service.ask('GET', `/transactions/${id}`, { token });
    assert.equal(body.status, 'pending');
  });

  // Guarantee: a token of the vendor that a sandbox with the same key would have pays nothing.
  test('a certificate of the simulated vendor is no way in', async () => {
    const vendor = openVendor(Buffer.from('any seed'));
    const { id, csr } = await aRequest(service, merchant, identifier);
    const now = service.world.wall.now();
    const certificate = vendor.issueProcessing(csr, identifier, now) ?? '';
    assert.equal((await uploadCertificate(service, merchant, id, certificate)).status, 200);
    const token = mintToken(vendor, {
      amount: money(1_001n, 'PLN'),
      card: { number: '4111111111111111', expires: '391231' },
      signedAt: now,
      publicKey: vendor.leaf.publicKey,
      merchantIdentifierHash: hashOfIdentifier(identifier),
      random: systemRandom(),
    });
    const paid = await payWallet(service, merchant, await aTransaction(service, merchant), token);
    assert.deepEqual(faultsOf(paid), ['not_valid channelId']);
  });

  test('nothing of the simulated vendor and device is there', async () => {
    assert.equal(service.rooms.devices, undefined);
    for (const path of [
      '/sandbox/wallet/tokens',
      '/sandbox/wallet/certificates',
      '/wallet/device/session',
      '/wallet/device/payment',
    ])
      assert.equal((await service.ask('POST', path, { token: merchant.token, body: {} })).status, 404, path);
    assert.equal((await service.ask('GET', '/wallet/device.js')).status, 404);
    assert.deepEqual(service.rooms.wallet.scripts, []);
    assert.deepEqual([service.rooms.wallet.setup.roots, service.rooms.wallet.setup.hosts()], [[], []]);
  });
});
