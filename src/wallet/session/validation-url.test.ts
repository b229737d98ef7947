// Validation addresses: the configured hosts, and none of the tricks.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type HostAndPort, readHosts } from '../../platform/index.ts';
import { checkValidationUrl, type ValidationUrlFault } from './validation-url.ts';

function hostsOf(text: string): readonly HostAndPort[] {
  const hosts = readHosts(text);
  assert.ok(!('fault' in hosts));
  return hosts;
}

const hosts = hostsOf('gateway.vendor.example, cn-gateway.vendor.example:8443,localhost:3001');

suite('addresses that may be asked', () => {
  // Guarantee: what the vendor's script gives is asked as it is.
  for (const [text, expected] of [
    ['https://gateway.vendor.example/session', 'https://gateway.vendor.example/session'],
    ['https://gateway.vendor.example', 'https://gateway.vendor.example/'],
    ['https://gateway.vendor.example:443/session', 'https://gateway.vendor.example/session'],
    ['HTTPS://Gateway.Vendor.Example/Session?a=b', 'https://gateway.vendor.example/Session?a=b'],
    ['https://cn-gateway.vendor.example:8443/session', 'https://cn-gateway.vendor.example:8443/session'],
    ['https://localhost:3001/session', 'https://localhost:3001/session'],
    ['https://gateway.vendor.example/@x', 'https://gateway.vendor.example/@x'],
  ] as const) {
    test(text, () => {
      const result = checkValidationUrl(text, hosts);
      assert.ok('url' in result);
      assert.equal(result.url.href, expected);
    });
  }
});

suite('addresses that are refused', () => {
  // Guarantee: nobody makes the service connect, with its identity, to another place.
  const vectors: readonly (readonly [string, ValidationUrlFault])[] = [
    ['', 'unreadable'],
    ['gateway.vendor.example', 'unreadable'],
    ['https:gateway.vendor.example', 'unreadable'],
    ['https:/gateway.vendor.example', 'unreadable'],
    ['https:\\\\gateway.vendor.example', 'unreadable'],
    [' https://gateway.vendor.example/', 'unreadable'],
    ['https://gateway.vendor.example/ x', 'unreadable'],
    ['https://gateway.vendor.example/\n', 'unreadable'],
    ['ht\ttps://gateway.vendor.example/', 'unreadable'],
    ['https://gateway.vendor.example/#x', 'unreadable'],
    ['https://gateway.vendor.example/\\@evil.example', 'unreadable'],
    ['https://gateway.vendor.example\\.evil.example/', 'unreadable'],
    [`https://gateway.vendor.example/${'x'.repeat(2_048)}`, 'unreadable'],
    ['http://gateway.vendor.example/', 'scheme'],
    ['ftp://gateway.vendor.example/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript://gateway.vendor.example/', 'scheme'],
    ['https://user@gateway.vendor.example/', 'credentials'],
    ['https://user:password@gateway.vendor.example/', 'credentials'],
    ['https://gateway.vendor.example@evil.example/', 'credentials'],
    ['https://evil.example@gateway.vendor.example/', 'credentials'],
    ['https://@gateway.vendor.example/', 'credentials'],
    ['https://evil.example/', 'host'],
    ['https:///gateway.vendor.example/', 'host'],
    ['https://gateway.vendor.example.evil.example/', 'host'],
    ['https://evil-gateway.vendor.example/', 'host'],
    ['https://evil.gateway.vendor.example/', 'host'],
    ['https://gateway.vendor.example./', 'host'],
    ['https://vendor.example/', 'host'],
    ['https://gateway-vendor.example/', 'host'],
    ['https://gateway.vendor.examp1e/', 'host'],
    ['https://gatew\u0430y.vendor.example/', 'host'],
    ['https://gateway\u3002vendor.example/', 'host'],
    ['https://gateway.vendor.e\uff58ample/', 'host'],
    ['https://gateway%2evendor.example/', 'host'],
    ['https://gateway.vendor.example%00.evil.example/', 'host'],
    ['https://gateway.vendor.example\u00ad/', 'host'],
    ['https://127.0.0.1/', 'host'],
    ['https://127.0.0.1:3001/', 'host'],
    ['https://2130706433/', 'host'],
    ['https://0x7f000001/', 'host'],
    ['https://0177.0.0.1/', 'host'],
    ['https://127.1/', 'host'],
    ['https://0/', 'host'],
    ['https://[::1]/', 'host'],
    ['https://[::ffff:127.0.0.1]:3001/', 'host'],
    ['https://169.254.169.254/', 'host'],
    ['https://10.0.0.1/', 'host'],
    ['https://gateway.vendor.example:8443/', 'port'],
    ['https://gateway.vendor.example:444/', 'port'],
    ['https://gateway.vendor.example:/', 'port'],
    ['https://gateway.vendor.example:0443/', 'port'],
    ['https://gateway.vendor.example:65979/', 'port'],
    ['https://gateway.vendor.example:443:443/', 'host'],
    ['https://cn-gateway.vendor.example/', 'port'],
    ['https://localhost/', 'port'],
    ['https://localhost:22/', 'port'],
  ];
  for (const [text, fault] of vectors) {
    test(`${JSON.stringify(text.slice(0, 60))}: ${fault}`, () => {
      assert.deepEqual(checkValidationUrl(text, hosts), { fault });
    });
  }

  test('with no hosts configured everything is', () => {
    assert.deepEqual(checkValidationUrl('https://gateway.vendor.example/', []), { fault: 'host' });
  });
});

suite('WALLET_VALIDATION_HOSTS', () => {
  // Guarantee: an address or a whole URL in the setting is a fault at the start, not a hole.
  for (const text of [
    '',
    'a.example,',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '[::1]',
    'https://a.example',
    'a.example/x',
    'a.example:0',
    'a.example:70000',
    'a.example:1:2',
    '*.example',
    'a..example',
    'a.example.',
    'user@a.example',
  ]) {
    test(`${JSON.stringify(text)} is refused`, () => {
      assert.ok('fault' in readHosts(text));
    });
  }
});
