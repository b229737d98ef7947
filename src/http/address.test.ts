import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addressKey, addressOf, readTrustedProxies, type TrustedProxies } from './address.ts';

function trusting(text: string): TrustedProxies {
  const proxies = readTrustedProxies(text);
  assert.ok(proxies, text);
  return proxies;
}

suite('where a request comes from', () => {
  const spoofed = '6.6.6.6, 7.7.7.7, 203.0.113.9';

  // Guarantee: callers cannot choose the address under which they are counted.
  for (const [why, remote, forwarded, proxies, expected] of [
    ['no proxy is trusted', '198.51.100.1', spoofed, '0', '198.51.100.1'],
    ['one proxy: what it added', '10.0.0.1', spoofed, '1', '203.0.113.9'],
    ['two proxies', '10.0.0.1', spoofed, '2', '7.7.7.7'],
    ['more proxies than entries', '10.0.0.1', '203.0.113.9', '5', '203.0.113.9'],
    ['no header', '10.0.0.1', undefined, '1', '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '1', '10.0.0.1'],
    ['a remote outside the networks', '198.51.100.1', spoofed, '10.0.0.0/8', '198.51.100.1'],
    ['a proxy of the network', '10.0.0.1', spoofed, '10.0.0.0/8', '203.0.113.9'],
    ['two proxies of the network', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.1.1.1', '10.0.0.0/8', '203.0.113.9'],
    ['a proxy by its address', '10.0.0.1', spoofed, '10.0.0.1', '203.0.113.9'],
    ['IPv6 networks', 'fd00::7', '2001:db8::1', 'fd00::/8,10.0.0.0/8', '2001:db8::1'],
    ['IPv4 in IPv6 spelling', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '10.0.0.0/8', '203.0.113.9'],
    ['text that is no address', '10.0.0.1', '203.0.113.9, evil', '1', '10.0.0.1'],
    ['15 KB of text', '10.0.0.1', 'x'.repeat(15_000), '1', '10.0.0.1'],
    ['15 KB of commas', '10.0.0.1', ','.repeat(15_000), '1', '10.0.0.1'],
    ['an address with a port', '10.0.0.1', '203.0.113.9:443', '1', '10.0.0.1'],
    ['a zone', 'fe80::1%eth0', undefined, '0', 'fe80::1'],
    ['no remote address', undefined, undefined, '0', ''],
  ] as const) {
    test(why, () => assert.equal(addressOf(remote, forwarded, trusting(proxies)), expected));
  }

  // Guarantee: a customer with a whole IPv6 network has a single limit.
  for (const [address, key] of [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3::8', '1:2:3:0::/64'],
    ['', ''],
  ] as const) {
    test(`${address} counts as ${key}`, () => assert.equal(addressKey(address), key));
  }

  // Guarantee: a mistyped proxy setting is reported at startup.
  for (const text of [
    'true',
    'yes',
    '99',
    '-1',
    '10.0.0.0/33',
    '10.0.0.256',
    'fd00::/129',
    'proxy',
    '10.0.0.1,,',
    '',
  ]) {
    test(`"${text}" is no list of proxies`, () => assert.equal(readTrustedProxies(text), undefined));
  }
});
