// Credentials and tokens: what is read from a header, and which secret is replaced.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AccountId, type CredentialId, knownId, Refusal } from '../kernel/index.ts';
import {
  formatClientId,
  parseClientId,
  placeForSecret,
  readBasic,
  readBearer,
  requireMarketplace,
  scopeOf,
  timeForSecret,
  tokenLifetime,
} from './rules.ts';

const account = knownId<AccountId>('01ARYZ6S41TSV4RRFFQ69G5FAV');
const credential = knownId<CredentialId>('01ARYZ6S41TSV4RRFFQ69G5FAW');
const token = 'A-z_09'.padEnd(43, 'x');
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

suite('client ids', () => {
  test('are two ULIDs', () => {
    const text = formatClientId(account, credential);
    assert.equal(text, `${account}-${credential}`);
    assert.deepEqual(parseClientId(text), { accountId: account, credentialId: credential });
    for (const wrong of [account, `${account}-`, `-${credential}`, `${text}-x`, `x-${credential}`, `${account}-x`, ''])
      assert.equal(parseClientId(wrong), undefined, wrong);
  });
});

suite('headers', () => {
  // Guarantee: only a whole header of exactly this form is a token.
  for (const [header, expected] of [
    [`Bearer ${token}`, token],
    [`bearer ${token}`, token],
    [`Bearer ${token}x`, undefined],
    [`Bearer ${token.slice(1)}`, undefined],
    [`xBearer ${token}`, undefined],
    [`Bearer ${token} `, undefined],
    [`Bearer ${token.replace('_', '+')}`, undefined],
    [token, undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    test(`${header}: ${expected ? 'a token' : 'none'}`, () => assert.equal(readBearer(header), expected));
  }

  for (const [header, expected] of [
    [basic('id:secret'), { clientId: 'id', clientSecret: 'secret' }],
    [basic('id:secret').replace('Basic', 'basic'), { clientId: 'id', clientSecret: 'secret' }],
    [basic('id:a:b'), { clientId: 'id', clientSecret: 'a:b' }],
    [basic('i%20d:s%3A'), { clientId: 'i d', clientSecret: 's:' }],
    [basic('100%:50%'), { clientId: '100%', clientSecret: '50%' }],
    [basic(':secret'), { clientId: '', clientSecret: 'secret' }],
    [basic('id'), undefined],
    [`x${basic('id:secret')}`, undefined],
    [`${basic('id:secret')} x`, undefined],
    [`${basic('a:b')}====`, undefined],
    ['Basic ', undefined],
    [undefined, undefined],
  ] as const) {
    test(`${header}`, () => assert.deepEqual(readBasic(header), expected));
  }
});

suite('secrets of a credential', () => {
  const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  const placed = (place: number, seconds: number) => ({ place, createdAt: at(seconds) });

  // Guarantee: a new secret replaces the older one, and it is always clear which that is.
  for (const [present, place] of [
    [[], 1],
    [[placed(1, 5)], 2],
    [[placed(2, 5)], 1],
    [[placed(1, 5), placed(2, 6)], 1],
    [[placed(1, 6), placed(2, 5)], 2],
    [[placed(2, 5), placed(1, 6)], 2],
    [[placed(2, 6), placed(1, 5)], 1],
  ] as const) {
    test(`beside ${present.map((one) => `${one.place} of ${one.createdAt}`).join(' and ') || 'none'}: ${place}`, () =>
      assert.equal(placeForSecret(present), place));
  }

  test('its time is later than that of the others, also when the clock went back', () => {
    assert.equal(timeForSecret([], at(9)).toString(), at(9).toString());
    assert.equal(timeForSecret([placed(1, 5)], at(9)).toString(), at(9).toString());
    const later = at(20).add({ milliseconds: 1 }).toString();
    assert.equal(timeForSecret([placed(1, 20), placed(2, 5)], at(9)).toString(), later);
    assert.equal(timeForSecret([placed(1, 5), placed(2, 20)], at(20)).toString(), later);
  });
});

suite('what an account may', () => {
  test('the marketplace is for partners who have it', () => {
    const refusal = (kind: 'partner' | 'merchant', marketplaceEnabled: boolean) => {
      try {
        requireMarketplace({ kind, marketplaceEnabled });
        return undefined;
      } catch (error) {
        return error instanceof Refusal ? error.faults.map(({ code, field }) => `${code}${field}`).join() : error;
      }
    };
    assert.equal(refusal('partner', true), undefined);
    assert.equal(refusal('partner', false), 'access_denied');
    assert.equal(refusal('merchant', true), 'access_denied');
  });

  test('the scope of a token', () => {
    assert.equal(scopeOf({ readOnly: false, operator: false }), 'read write');
    assert.equal(scopeOf({ readOnly: false, operator: true }), 'read write operator');
    assert.equal(scopeOf({ readOnly: true, operator: false }), 'read');
    assert.equal(scopeOf({ readOnly: true, operator: true }), 'read');
    assert.equal(tokenLifetime.total('seconds'), 7_200);
  });
});
