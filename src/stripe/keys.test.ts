import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig } from '../config.ts';
import { Secret } from '../kernel/index.ts';
import {
  isOfMode,
  isPublishableKey,
  isRestricted,
  readLoopbackUrl,
  readSecretKey,
  readWebhookSecrets,
} from './keys.ts';

suite('keys', () => {
  test('their shapes', () => {
    for (const text of ['rk_test_12345678', 'sk_live_12345678']) assert.equal(readSecretKey(text)?.reveal(), text);
    for (const text of ['pk_test_12345678', 'rk_test_1', 'rk_other_12345678', 'rk_test_1234 5678', 'xrk_test_12345678'])
      assert.equal(readSecretKey(text), undefined, text);
    assert.ok(isPublishableKey('pk_live_12345678') && !isPublishableKey('sk_live_12345678'));
    assert.ok(!isPublishableKey('xpk_live_12345678') && !isPublishableKey('pk_live_12345678!'));
  });

  // Guarantee: a key that was pasted with something before, behind or twice is refused, not cut.
  test('their lengths and ends', () => {
    const [longest, tooLong] = ['a'.repeat(255), 'a'.repeat(256)];
    assert.ok(readSecretKey(`rk_test_${longest}`) && !readSecretKey(`rk_test_${tooLong}`));
    assert.ok(!readSecretKey('rk_test_12345678!') && !readSecretKey('rk_test_12345678\n'));
    assert.ok(isPublishableKey(`pk_test_${longest}`) && !isPublishableKey(`pk_test_${tooLong}`));
    assert.ok(readWebhookSecrets(`whsec_${longest}`) && !readWebhookSecrets(`whsec_${tooLong}`));
    assert.ok(!readWebhookSecrets('xwhsec_12345678') && !readWebhookSecrets('whsec_12345678 x'));
    assert.ok(!readWebhookSecrets('whsec_12345678,x') && !readWebhookSecrets('x,whsec_12345678'));
  });

  test('a restricted key', () => {
    assert.ok(isRestricted(new Secret('rk_test_12345678')) && !isRestricted(new Secret('sk_test_12345678')));
  });

  test('webhook secrets: one or two, each once', () => {
    const read = (text: string) => readWebhookSecrets(text)?.map((secret) => secret.reveal());
    assert.deepEqual(read('whsec_12345678'), ['whsec_12345678']);
    assert.deepEqual(read('whsec_12345678, whsec_87654321'), ['whsec_12345678', 'whsec_87654321']);
    for (const text of [
      'whsec_1',
      '12345678',
      'whsec_12345678,whsec_12345678',
      'whsec_11111111,whsec_22222222,whsec_33333333',
    ])
      assert.equal(read(text), undefined, text);
  });

  // Guarantee: the key, with which money moves, is sent to this machine or to the provider, to nobody else.
  test('another address: this machine only', () => {
    assert.equal(readLoopbackUrl('http://127.0.0.1:3020/before/'), 'http://127.0.0.1:3020/before');
    for (const text of [
      'http://localhost:1',
      'HTTP://localhost:1',
      'https://127.1.2.3',
      'http://127.1.2.253',
      'http://[::1]:3020',
    ])
      assert.equal(readLoopbackUrl(text), text);
    for (const text of [
      'http://example.com',
      'http://127.0.0.1.example.com',
      'http://notlocalhost',
      'xhttp://127.0.0.1',
      'http://127.0.0.1:99999',
      'http://user@127.0.0.1',
      'http://127.0.0.1/?a',
      'ftp://127.0.0.1',
      'http://10.0.0.1',
      '127.0.0.1',
    ])
      assert.equal(readLoopbackUrl(text), undefined, text);
  });
});

// Guarantee: real money moves with live keys in live mode only, and a sandbox never has one.
suite('keys and modes', () => {
  test('isOfMode', () => {
    assert.ok(isOfMode('rk_test_x', 'sandbox') && isOfMode('pk_live_x', 'live'));
    assert.ok(!isOfMode('rk_test_x', 'live') && !isOfMode('pk_live_x', 'sandbox'));
  });

  const live = {
    MODE: 'live',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgresql://grosz@127.0.0.1/grosz',
    VAULT_KEYS: `k1:${'A'.repeat(43)}=`,
  };
  const of = (kind: string) => ({
    ACQUIRERS: 'stripe',
    STRIPE_SECRET_KEY: `rk_${kind}_12345678`,
    STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
    STRIPE_PUBLISHABLE_KEY: `pk_${kind}_12345678`,
  });

  test('the settings that fit', () => {
    const { stripe, acquirers } = readConfig({ MODE: 'sandbox', ...of('test') });
    assert.equal(stripe?.secretKey.reveal(), 'rk_test_12345678');
    assert.deepEqual([acquirers, stripe?.rawCards], [['stripe'], 'off']);
    assert.equal(readConfig({ ...live, ...of('live') }).stripe?.secretKey.reveal(), 'rk_live_12345678');
    assert.equal(JSON.stringify(stripe).includes('12345678'), true, 'the publishable key is public');
    assert.ok(!JSON.stringify(stripe).includes('rk_test') && !JSON.stringify(stripe).includes('whsec'));
  });

  for (const [name, environment, why] of [
    [
      'a live key in a sandbox',
      { MODE: 'sandbox', ...of('live') },
      /MODE=sandbox needs a test key in STRIPE_SECRET_KEY/,
    ],
    ['a test key in live mode', { ...live, ...of('test') }, /MODE=live needs a live key in STRIPE_SECRET_KEY/],
    ['no webhook secret', { MODE: 'sandbox', ...of('test'), STRIPE_WEBHOOK_SECRET: '' }, /needs STRIPE_WEBHOOK_SECRET/],
    [
      'listed, not set',
      { MODE: 'sandbox', ACQUIRERS: 'stripe' },
      /ACQUIRERS has stripe, which needs STRIPE_SECRET_KEY/,
    ],
    [
      'another address in live mode',
      { ...live, ...of('live'), STRIPE_API_URL: 'http://127.0.0.1:1' },
      /MODE=live refuses STRIPE_API_URL/,
    ],
    [
      'another machine',
      { MODE: 'sandbox', ...of('test'), STRIPE_API_URL: 'http://example.com' },
      /STRIPE_API_URL must be an http or https address of this machine/,
    ],
  ] as const)
    test(`refused: ${name}`, () => assert.throws(() => readConfig(environment), why));
});
