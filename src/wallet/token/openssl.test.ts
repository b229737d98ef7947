// Tokens of a vendor made with the `openssl` command alone.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { openOpensslVendor } from '../../../test/support/openssl.ts';
import { accepted, liveCertificate, merchantIdentifier, open, rootsOf } from '../../../test/support/wallet-tokens.ts';
import { systemClock } from '../../runtime/index.ts';

const isThere = spawnSync('openssl', ['version']).status === 0;

suite('a vendor of openssl', { skip: isThere ? false : 'there is no openssl command here' }, () => {
  const vendor = openOpensslVendor();
  after(() => vendor.close());
  let certificate = '';
  const issue = (csr: string) => {
    certificate = vendor.issueProcessing(csr, merchantIdentifier);
    return certificate;
  };
  // It is issued after this line has read the clock.
  const ours = liveCertificate(issue, merchantIdentifier, systemClock.now().add({ minutes: 1 }));
  const payload = JSON.stringify({
    applicationPrimaryAccountNumber: '5555555555554444',
    applicationExpirationDate: '991231',
    currencyCode: '985',
    transactionAmount: 1_000,
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eciIndicator: '02' },
  });
  const mint = (...options: readonly string[]) => vendor.mint(payload, certificate, merchantIdentifier, ...options);
  const check = () => ({ roots: rootsOf(vendor.rootPem), certificates: [ours], receivedAt: systemClock.now() });

  // Guarantee: the service accepts tokens of any vendor whose root is configured, not only those of its own simulator.
  for (const [name, ...options] of [
    ['as it signs by itself'],
    ['BER with indefinite lengths', '-stream'],
    ['the signer named by its key', '-keyid'],
    ['without capabilities', '-nosmimecap'],
    ['the root along with it', '-certfile', 'chain.pem'],
  ] as const) {
    test(`a token: ${name}`, () => {
      const { payment } = accepted(mint(...options), check());
      assert.equal(payment.network, 'Mastercard');
      assert.equal(payment.deviceNumber.reveal(), '5555555555554444');
      assert.equal(payment.cryptogram.reveal(), 'Af9x/QwAA/DjmU65oyc1MAABAAA=');
      assert.equal(payment.eci, '02');
    });
  }

  // Guarantee: and only those.
  test('a token whose root is not pinned', () => {
    const { roots: _, ...rest } = check();
    const result = open(mint(), rest);
    assert.ok(result.outcome === 'refused' && result.reason === 'root_not_pinned');
  });

  for (const [name, reason, ...options] of [
    ['no attributes', 'content_type', '-noattr'],
    ['SHA-512', 'digest_algorithm', '-md', 'sha512'],
    ['no certificates of the signer', 'number_of_certificates', '-nocerts'],
    ['content attached', 'not_detached', '-nodetach'],
  ] as const) {
    test(`a token that must be refused: ${name}`, () => {
      const result = open(mint(...options), check());
      assert.ok(result.outcome === 'refused');
      assert.equal(result.reason, reason);
    });
  }
});
