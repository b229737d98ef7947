// Tokens that must be accepted, and every kind of bad one.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import {
  accepted,
  anOrder,
  aToken,
  liveCertificate,
  open,
  ours,
  receivedAt,
  rootsOf,
  vendor,
} from '../../../test/support/wallet-tokens.ts';
import { money } from '../../kernel/index.ts';
import { badKinds, mintBadToken } from '../../simulators/wallet/kinds/index.ts';
import { openVendor } from '../../simulators/wallet/vendor.ts';
import { tokenFaults } from './faults.ts';

suite('tokens that are accepted', () => {
  // Guarantee: a valid token gives what the acquirer needs, and what must be stored against replays.
  test('a token gives the device card, the cryptogram and its id', () => {
    const { payment, used, certificateId } = accepted(aToken());
    assert.equal(payment.network, 'Visa');
    assert.equal(payment.deviceNumber.reveal(), '4111111111111111');
    assert.equal(payment.expiry, '07/31');
    assert.equal(Buffer.from(payment.cryptogram.reveal(), 'base64').length, 20);
    assert.equal(payment.eci, '5');
    assert.match(used.walletTransactionId, /^[0-9a-f]{64}$/);
    assert.match(used.fingerprint, /^[0-9a-f]{64}$/);
    assert.equal(certificateId, ours.certificateId);
  });

  // Guarantee: real devices send BER; we read what the standard allows.
  test('BER with indefinite lengths, strings in pieces and attributes in another order', () => {
    const order = anOrder({ encoding: 'ber' });
    const token = aToken(order);
    const { signature } = JSON.parse(Buffer.from(token, 'base64').toString());
    assert.equal(Buffer.from(signature, 'base64')[1], 0x80);
    accepted(token);
  });

  // Guarantee: apps may bind their own data to a token.
  test('application data', () => {
    accepted(aToken({ applicationData: Buffer.alloc(32, 9) }));
    accepted(aToken({ applicationData: Buffer.alloc(32, 9), encoding: 'ber' }));
  });

  test('the root of the chain along with it', () => {
    const certificates = [vendor.root, vendor.leaf, vendor.intermediate].map(({ certificate }) => certificate);
    accepted(aToken({}, { signed: (parts) => ({ ...parts, certificates }) }));
  });

  // Guarantee: the formatting of a client's JSON does not matter.
  test('slashes escaped, blanks between, the keys in another order', () => {
    accepted(aToken({}, { json: (json) => json.replaceAll('/', '\\/') }));
    accepted(aToken({}, { json: (json) => JSON.stringify(JSON.parse(json), null, 2) }));
    accepted(aToken({}, { object: (token) => Object.fromEntries(Object.entries(token).reverse()) }));
  });

  for (const [number, network] of [
    ['4111111111111111', 'Visa'],
    ['5555555555554444', 'Mastercard'],
    ['2221000000000009', 'Mastercard'],
    ['2720999999999996', 'Mastercard'],
  ] as const) {
    test(`${number.slice(0, 4)}... is ${network}`, () => {
      assert.equal(accepted(aToken({ card: { number, expires: '310731' } })).payment.network, network);
    });
  }

  // Guarantee: 300 seconds are the limit in both directions, and a card is valid on its last day.
  test('the very edge of each limit', () => {
    for (const seconds of [-300, 300]) accepted(aToken({ signedAt: receivedAt.add({ seconds }) }));
    accepted(aToken({ card: { number: '4111111111111111', expires: '260304' } }));
    assert.equal(reasonOf(open(aToken({ card: { number: '4111111111111111', expires: '260303' } }))), 'card_expired');
  });

  // Guarantee: a merchant can replace its certificate without a gap.
  test('several live certificates: the token picks its own', () => {
    const other = liveCertificate((csr) => vendor.issueProcessing(csr, 'merchant.other', receivedAt), 'merchant.other');
    const token = aToken({ publicKey: other.publicKey, merchantIdentifierHash: other.merchantIdentifierHash });
    assert.equal(accepted(token, { certificates: [ours, other] }).certificateId, other.certificateId);
    assert.equal(reasonOf(open(token)), 'unknown_key');
  });

  // Guarantee: two roots with the same name may be pinned while the vendor replaces one.
  test('the second root of the same name', () => {
    const next = openVendor(Buffer.from('the next generation'));
    accepted(aToken(), { roots: rootsOf(`${next.rootPem}${vendor.rootPem}`) });
  });
});

function reasonOf(result: ReturnType<typeof open>): string {
  return result.outcome === 'accepted' ? 'accepted' : result.reason;
}

suite('tokens that are not accepted', () => {
  // Guarantee: forged, damaged and stale tokens are refused, each by the step meant for it.
  for (const { name, reason, tampering } of badKinds) {
    const step = tokenFaults[reason];
    test(`step ${step}: ${name}`, () => {
      const result = open(aToken({}, tampering(vendor)));
      assert.ok(result.outcome !== 'accepted', 'it was accepted');
      assert.deepEqual([result.step, result.reason], [step, reason]);
      assert.equal(result.outcome, step <= 2 ? 'malformed' : 'refused');
      assert.equal(result.idPrefix === null, step <= 2);
    });
  }

  test('there are at least 45 kinds, each with a name of its own', () => {
    assert.ok(badKinds.length >= 45);
    assert.equal(new Set(badKinds.map(({ name }) => name)).size, badKinds.length);
    assert.equal(mintBadToken(vendor, anOrder(), 'no such kind'), undefined);
    assert.equal(reasonOf(open(mintBadToken(vendor, anOrder(), 'tag damaged') ?? '')), 'decryption');
  });

  // Guarantee: every reason in the list can occur.
  test('every reason has a kind', () => {
    const seen = new Set(badKinds.map(({ reason }) => reason));
    // Not about the token: see below.
    const elsewhere = ['root_not_valid_now'];
    assert.deepEqual(
      Object.keys(tokenFaults).filter((reason) => !seen.has(reason as never) && !elsewhere.includes(reason)),
      [],
    );
  });

  test('an expired root is not trusted', () => {
    const late = Temporal.Instant.from('2074-01-01T00:00:01Z');
    assert.equal(reasonOf(open(aToken({ signedAt: late }), { receivedAt: late })), 'root_not_valid_now');
  });

  test('without roots nothing is accepted', () => {
    assert.equal(reasonOf(open(aToken(), { roots: [] })), 'root_not_pinned');
  });

  test('the expected amount decides, not the token', () => {
    assert.equal(reasonOf(open(aToken(), { expected: money(999n, 'PLN') })), 'amount');
  });
});

suite('replays', () => {
  // Guarantee: a token in another case is the same token, so storing its id is enough.
  test('an id in capitals is the same id', () => {
    const token = aToken();
    const capitals = JSON.parse(Buffer.from(token, 'base64').toString());
    capitals.header.transactionId = capitals.header.transactionId.toUpperCase();
    const again = Buffer.from(JSON.stringify(capitals)).toString('base64');
    assert.notEqual(again, token);
    assert.deepEqual(accepted(again).used, accepted(token).used);
  });

  test('two tokens have two ids', () => {
    assert.notEqual(accepted(aToken()).used.walletTransactionId, accepted(aToken()).used.walletTransactionId);
  });
});

suite('secrets', () => {
  // Guarantee: a logged result contains no number, no cryptogram and no parser message.
  test('results print without them', () => {
    const result = accepted(aToken());
    const printed = `${inspect(result, { depth: 9 })}${JSON.stringify(result)}`;
    assert.ok(!printed.includes('4111111111111111'));
    assert.ok(!printed.includes(result.payment.cryptogram.reveal()));
    const refused = open(aToken({}, { plain: () => Buffer.from('4111111111111111 is no JSON') }));
    assert.deepEqual(Object.keys(refused).sort(), ['claimed', 'idPrefix', 'outcome', 'reason', 'step']);
    assert.ok(refused.outcome !== 'accepted' && refused.claimed);
    assert.deepEqual(Object.keys(refused.claimed), ['walletTransactionId', 'fingerprint']);
    assert.ok(!inspect(refused).includes('4111'));
  });
});
