// Mutants of wallet: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const walletMutants: readonly Mutant[] = [
  {
    file: 'src/wallet/token/use.ts',
    line: 'return [...rows.map(liveOf), ...(own && isLive(own, now) ? [own.certificate] : [])];',
    instead: 'return [...rows.map(liveOf), ...(own ? [own.certificate] : [])];',
    bug: "the service's own certificate opens tokens after its end",
    tests: { 'test/wallet/own-identifier.test.ts': ['400: a web token after the end of the certificate'] },
  },
  {
    file: 'src/wallet/token/use.ts',
    line: 'if (use?.transactionId === transactionId) return use;',
    instead: 'if (use) return use;',
    bug: "a token used for another transaction gets that one's response",
    tests: { 'test/wallet/pay-wallet.test.ts': ['twenty concurrent transactions with one token: one is paid'] },
  },
  {
    file: 'src/wallet/token/payment.ts',
    line: "if (fields.transactionAmount !== Number(expected.minor)) fail('amount');",
    instead: "if (Number(fields.transactionAmount) > Number(expected.minor)) fail('amount');",
    bug: 'a token for less pays the whole amount',
    tests: { 'test/wallet/pay-wallet.test.ts': ['400 payment_failed: a token for another amount'] },
  },
  {
    file: 'src/wallet/token/signature.ts',
    line: "if (ageMilliseconds > driftAtMostMilliseconds) fail('signed_too_early');",
    instead: '',
    bug: 'an old token pays',
    tests: { 'src/wallet/token/open.test.ts': ['step 10: signed 301 seconds ago', 'step 10: signed a year ago'] },
  },
  {
    file: 'src/wallet/token/signature.ts',
    line: "if (!verifies('sha256', covered, leaf.key, signer.signature)) fail('signature');",
    instead: '',
    bug: 'a token needs no signature',
    tests: {
      'src/wallet/token/open.test.ts': ['step 9: signed by another key', 'step 9: signed with the tag of the field'],
    },
  },
  {
    file: 'src/wallet/token/signature.ts',
    line: "return hash('sha256', Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData]), 'buffer');",
    instead: "return hash('sha256', Buffer.concat([ephemeralPublicKey, data, applicationData]), 'buffer');",
    bug: 'a token gets a new id and pays again',
    tests: {
      'src/wallet/token/open.test.ts': [
        'a token gives the device card, the cryptogram and its id',
        'BER with indefinite lengths, strings in pieces and attributes in another order',
      ],
    },
  },
  {
    file: 'src/wallet/token/chain.ts',
    line: "if (!signers.some(({ certificate }) => isValidAt(certificate, at))) fail('root_not_valid_now');",
    instead: '',
    bug: 'an expired root is trusted',
    tests: { 'src/wallet/token/open.test.ts': ['an expired root is not trusted'] },
  },
  {
    file: 'src/wallet/token/envelope.ts',
    line: "if (json.split('\"').length - 1 !== 2 * strings) fail('unexpected_keys');",
    instead: '',
    bug: 'a token with a key twice is read',
    tests: { 'src/wallet/token/open.test.ts': ['step 1: key twice', 'step 1: header twice'] },
  },
  {
    file: 'src/wallet/certificates/check.ts',
    line: "...(certificate.publicKey.equals(requested.publicKey) ? [] : ['other_key' as const]),",
    instead: '',
    bug: 'a certificate for another key is activated',
    tests: { 'test/wallet/certificates.test.ts': ['400: every mismatch is named'] },
  },
  {
    file: 'src/wallet/certificates/keep.ts',
    line: 'if ((await countCertificates(sql, merchantId)) >= certificatesAtMost) {',
    instead: 'if ((await countCertificates(sql, merchantId)) > certificatesAtMost) {',
    bug: 'an account has one certificate more than allowed',
    tests: { 'test/wallet/certificates.test.ts': ['400 too_many: 20 at most, also by 26 at once'] },
  },
  {
    file: 'src/wallet/certificates/keep.ts',
    line:
      "if (row.status === 'revoked')\n" +
      "      refuseFault({ ...notValid('certificate', 'certificate_revoked'), devMessage: 'Create a new request.' });",
    instead: '',
    bug: 'a revoked certificate is activated again',
    tests: { 'test/wallet/certificates.test.ts': ['400: a revoked one takes no certificate'] },
  },
  {
    file: 'src/wallet/store.ts',
    line: "where merchant_id = ${merchantId} and status = 'active' and expires_at > ${now}",
    instead: "where merchant_id = ${merchantId} and status = 'active'",
    bug: 'an expired certificate opens tokens',
    tests: { 'test/wallet/certificates.test.ts': ['an expired certificate opens no token'] },
  },
  {
    file: 'src/wallet/store.ts',
    line: 'select * from wallet_domain where merchant_id = ${merchantId} and domain_name = ${domainName}`;',
    instead: 'select * from wallet_domain where domain_name = ${domainName}`;',
    bug: "a page of another merchant's domain starts a session",
    tests: {
      'test/wallet/init-session.test.ts': [
        '403: a domain that is not registered, is removed, or is registered by another merchant',
      ],
    },
  },
  {
    file: 'src/wallet/domains/register.ts',
    line: 'await lockAccount(sql, merchant.id);',
    instead: '',
    bug: 'many registrations at once exceed the limit',
    tests: { 'test/wallet/domains.test.ts': ['400 too_many: 100 domains at most, also by 130 at once'] },
  },
  {
    file: 'src/wallet/session/validation-url.ts',
    line: "if (!isHostName(host) || !hosts.some((known) => known.host === host)) return { fault: 'host' };",
    instead: "if (!isHostName(host)) return { fault: 'host' };",
    bug: 'a merchant makes us call any host with our certificate',
    tests: {
      'src/wallet/session/validation-url.test.ts': [
        '"https://evil.example/": host',
        '"https://gateway.vendor.example.evil.example/": host',
      ],
    },
  },
  {
    file: 'src/wallet/setup.ts',
    line: 'if (Temporal.Instant.compare(identity.identityExpiresAt, now) < 0)',
    instead: 'if (Temporal.Instant.compare(identity.identityExpiresAt, now) > 0)',
    bug: 'a node that starts with an expired identity offers the wallet',
    tests: {
      'src/wallet/setup.test.ts': [
        'an expired certificate (processing): started without wallet payments on the web',
        'an expired certificate (identity): started without wallet payments on the web',
      ],
    },
  },
  {
    file: 'src/wallet/token/use.ts',
    line: 'return use?.merchantId === merchantId && use.fingerprint === used.fingerprint ? use : undefined;',
    instead: 'return use?.merchantId === merchantId ? use : undefined;',
    bug: 'another token that was given the same id gets the response of the first',
    tests: {
      'test/wallet/pay-wallet.test.ts': ['400 payment_failed: another token with the id of one that has paid'],
    },
  },
];
