// Validation addresses: the configured hosts, and none of the tricks.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { refusedUrls } from '../../../test/support/session-vectors.ts';
import { type HostAndPort, readHosts } from '../../outbound/index.ts';
import { checkValidationUrl } from './validation-url.ts';

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
  for (const [text, fault] of refusedUrls) {
    test(`${JSON.stringify(text.slice(0, 60))}: ${fault}`, () => {
      assert.deepEqual(checkValidationUrl(text, hosts), { fault });
    });
  }

  // Guarantee: the host of one and the port of another configured address are no address together.
  test('a port that belongs to another host', () => {
    const url = 'https://gateway.vendor.example:8443/';
    assert.deepEqual(checkValidationUrl(url, hosts), { fault: 'port' });
  });

  test('a port that is a configured host', () => {
    assert.deepEqual(checkValidationUrl('https://x:gateway.vendor.example/', hosts), { fault: 'host' });
  });

  test('exactly the longest, and one more', () => {
    const start = 'https://gateway.vendor.example/';
    assert.ok('url' in checkValidationUrl(start.padEnd(2_048, 'a'), hosts));
    assert.deepEqual(checkValidationUrl(start.padEnd(2_049, 'a'), hosts), { fault: 'unreadable' });
  });

  for (const port of ['65535', '9']) {
    test(`port ${port}, configured`, () => {
      const url = `https://gateway.vendor.example:${port}/`;
      assert.ok('url' in checkValidationUrl(url, hostsOf(`gateway.vendor.example:${port}`)));
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
