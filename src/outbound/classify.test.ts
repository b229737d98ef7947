// The kind of an address at both ends of every range, and just outside of it.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AddressKind, classify } from './classify.ts';
import { allowed, checkAddress, type OutboundPolicy, readAddress } from './policy.ts';

/** The first and the last address of a range, with the kinds of their neighbors outside. */
type Range = readonly [first: string, last: string, kind: AddressKind, before: string, after: string];

// As IANA's special-purpose registries have them, not as the code computes them.
const ranges: readonly Range[] = [
  ['0.0.0.0', '0.255.255.255', 'special', '', '1.0.0.0 public'],
  ['10.0.0.0', '10.255.255.255', 'private', '9.255.255.255 public', '11.0.0.0 public'],
  ['100.64.0.0', '100.127.255.255', 'special', '100.63.255.255 public', '100.128.0.0 public'],
  ['127.0.0.0', '127.255.255.255', 'loopback', '126.255.255.255 public', '128.0.0.0 public'],
  ['169.254.0.0', '169.254.255.255', 'special', '169.253.255.255 public', '169.255.0.0 public'],
  ['172.16.0.0', '172.31.255.255', 'private', '172.15.255.255 public', '172.32.0.0 public'],
  ['192.0.0.0', '192.0.0.255', 'special', '191.255.255.255 public', '192.0.1.0 public'],
  ['192.0.2.0', '192.0.2.255', 'special', '192.0.1.255 public', '192.0.3.0 public'],
  ['192.31.196.0', '192.31.196.255', 'special', '192.31.195.255 public', '192.31.197.0 public'],
  ['192.52.193.0', '192.52.193.255', 'special', '192.52.192.255 public', '192.52.194.0 public'],
  ['192.88.99.0', '192.88.99.255', 'special', '192.88.98.255 public', '192.88.100.0 public'],
  ['192.168.0.0', '192.168.255.255', 'private', '192.167.255.255 public', '192.169.0.0 public'],
  ['192.175.48.0', '192.175.48.255', 'special', '192.175.47.255 public', '192.175.49.0 public'],
  ['198.18.0.0', '198.19.255.255', 'special', '198.17.255.255 public', '198.20.0.0 public'],
  ['198.51.100.0', '198.51.100.255', 'special', '198.51.99.255 public', '198.51.101.0 public'],
  ['203.0.113.0', '203.0.113.255', 'special', '203.0.112.255 public', '203.0.114.0 public'],
  ['224.0.0.0', '239.255.255.255', 'special', '223.255.255.255 public', '240.0.0.0 special'],
  ['240.0.0.0', '255.255.255.255', 'special', '239.255.255.255 special', ''],
  ['::1', '::1', 'loopback', ':: special', '::2 special'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', 'special', '', ''],
  ['2000::', '2000:ffff::', 'public', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff special', ''],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'special', '2000:ffff::1 public', '2001:200:: public'],
  ['2001:db8::', '2001:db8:ffff::', 'special', '2001:db7:ffff:: public', '2001:db9:: public'],
  ['2002::', '2002:ffff::', 'special', '2001:ffff:: public', '2003:: public'],
  ['2620:4f:8000::', '2620:4f:8000:ffff::', 'special', '2620:4f:7fff:: public', '2620:4f:8001:: public'],
  ['3fff::', '3fff:fff::', 'special', '3ffe:ffff:: public', '3fff:1000:: public'],
  ['3fff:1000::', '3fff:ffff::', 'public', '', '4000:: special'],
  ['fc00::', 'fdff:ffff::', 'private', 'fbff:ffff:: special', 'fe00:: special'],
  ['fe80::', 'febf:ffff::', 'special', '', ''],
  ['ff00::', 'ffff::', 'special', '', ''],
];

suite('classify', () => {
  // Guarantee: no address of a special range is taken for a public one, and no public one is refused.
  for (const [first, last, kind, before, after] of ranges) {
    test(`${first} to ${last}: ${kind}`, () => {
      assert.deepEqual([classify(first), classify(last)], [kind, kind]);
      for (const [address, expected] of [before, after].map((text) => text.split(' '))) {
        if (address) assert.equal(classify(address), expected, address);
      }
    });
  }

  test('an IPv4 address in IPv6 is what it is in IPv4', () => {
    for (const [address, kind] of [
      ['::ffff:8.8.8.8', 'public'],
      ['::ffff:7f00:1', 'loopback'],
      ['::ffff:10.0.0.1', 'private'],
      ['::ffff:169.254.169.254', 'special'],
      ['::fffe:8.8.8.8', 'special'],
    ] as const) {
      assert.equal(classify(address), kind, address);
    }
  });

  test('what is no address, or has a zone, is special', () => {
    for (const address of ['', 'localhost', '1.2.3', '1.2.3.4.5', '2606:4700::1%eth0', '::1%lo', 'g::']) {
      assert.equal(classify(address), 'special', address);
    }
  });
});

suite('which URLs are allowed', () => {
  const strict: OutboundPolicy = { allowHttp: false, allowPrivate: false };
  const http: OutboundPolicy = { allowHttp: true, allowPrivate: false };
  const open: OutboundPolicy = { allowHttp: true, allowPrivate: true };
  const withPorts: OutboundPolicy = { ...http, ports: [9443] };
  const long = (length: number) => `https://shop.example.com/${'x'.repeat(length - 25)}`;
  const label = (length: number) => 'a'.repeat(length);
  const nameOf = (length: number) => `${`${label(49)}.`.repeat(5)}${label(length - 250)}`;

  // Guarantee: a refusal does not depend on who asks, only on the text and the policy.
  for (const [policy, text, expected] of [
    [strict, 'https://shop.example.com/n?a=1', undefined],
    [strict, 'https://shop.example.com:443/', undefined],
    [strict, 'https://shop.example.com:8443/', undefined],
    [strict, 'https://shop.example.com:444/', 'port'],
    [strict, 'https://shop.example.com:80/', 'port'],
    [strict, 'http://shop.example.com/', 'scheme'],
    [strict, 'ftp://shop.example.com/', 'scheme'],
    [http, 'http://shop.example.com/', undefined],
    [http, 'http://shop.example.com:80/', undefined],
    [http, 'http://shop.example.com:8080/', undefined],
    [http, 'http://shop.example.com:8443/', 'port'],
    [http, 'ftp://shop.example.com/', 'scheme'],
    [http, 'https://shop.example.com:8080/', 'port'],
    [withPorts, 'https://shop.example.com:9443/', undefined],
    [withPorts, 'https://shop.example.com:9444/', 'port'],
    [open, 'http://localhost:1234/', undefined],
    [open, 'http://127.0.0.1:1234/', undefined],
    [open, 'http://169.254.169.254/', 'not_public'],
    [strict, 'https://user@shop.example.com/', 'credentials'],
    [strict, 'https://shop.example.com/a@b', undefined],
    [strict, 'https:shop.example.com/', 'unreadable'],
    [strict, 'https:///shop.example.com/', 'unreadable'],
    [strict, 'HTTPS://SHOP.EXAMPLE.COM/', undefined],
    [strict, ' https://shop.example.com/', 'unreadable'],
    [strict, 'https://shop.example.com\\@evil.example.com/', 'unreadable'],
    [strict, 'https://shop.example.com/a\tb', 'unreadable'],
    [strict, 'no URL', 'unreadable'],
    [strict, long(2_048), undefined],
    [strict, long(2_049), 'unreadable'],
    [strict, 'https://8.8.8.8/', undefined],
    [strict, 'https://10.0.0.1/', 'not_public'],
    [strict, 'https://0x7f.1/', 'not_public'],
    [strict, 'https://[2606:4700::1111]/', undefined],
    [strict, 'https://[::1]/', 'not_public'],
    [strict, 'https://shop/', 'not_public'],
    [strict, 'https://shop.local/', 'not_public'],
    [strict, 'https://local/', 'not_public'],
    [strict, 'https://local.example.com/', undefined],
    [strict, 'https://notlocal.com/', undefined],
    [strict, 'https://xlocal/', 'not_public'],
    [strict, 'https://shop.example.com./', undefined],
    [strict, 'https://shop.local./', 'not_public'],
    [strict, 'https://shop..example.com/', 'unreadable'],
    [strict, 'https://.example.com/', 'unreadable'],
    [open, 'http://./', 'unreadable'],
    [open, `http://${nameOf(253)}/`, undefined],
    [open, `http://${nameOf(254)}/`, 'unreadable'],
  ] as const) {
    test(`${text.slice(0, 60)}: ${expected ?? 'allowed'}`, () => {
      assert.equal(checkAddress(text, policy), expected);
      assert.equal(checkAddress(text, { ...policy }), expected, 'not from the cache of another policy');
    });
  }

  for (const name of 'localhost localdomain internal intranet private corp home lan test invalid example onion alt arpa'.split(
    ' ',
  )) {
    test(`no name below ${name} is public`, () =>
      assert.equal(checkAddress(`https://a.${name}/`, strict), 'not_public'));
  }

  test('where a request goes', () => {
    const expected = { refusal: undefined, origin: 'https://shop.example.com', path: '/n?a=1' };
    assert.deepEqual(readAddress('https://shop.example.com:443/n?a=1#b', strict), expected);
    assert.deepEqual(readAddress('https://shop.example.com:443/n?a=1#b', strict), expected, 'from the cache');
  });

  // Guarantee: a shop's address is read once, and a thousand of them are kept, of those that may be one.
  test('addresses are remembered', () => {
    const { parse } = URL;
    let parsed = 0;
    URL.parse = (...given) => {
      parsed += 1;
      return parse.apply(URL, given);
    };
    try {
      const policy: OutboundPolicy = { ...strict };
      const askedBy = (...texts: string[]) => {
        parsed = 0;
        for (const text of texts) readAddress(text, policy);
        return parsed;
      };
      const shop = (number: number) => `https://shop.example.com/${number}`;
      assert.equal(askedBy(shop(0), shop(0)), 1);
      assert.equal(askedBy(...Array.from({ length: 1_000 }, (_, index) => shop(index))), 999);
      assert.equal(askedBy(shop(0), shop(999)), 0, 'it is full');
      assert.equal(askedBy(shop(1_000), shop(0)), 2, 'one more clears it');
      assert.equal(askedBy(long(2_048), long(2_048)), 1);
      const kept = shop(1_000);
      for (let count = 0; count < 1_500; count += 1) readAddress(`${long(2_049)}${count}`, policy);
      assert.equal(askedBy(kept), 0, 'what is too long takes no place');
    } finally {
      URL.parse = parse;
    }
  });

  test('a refusal says only that', () => {
    assert.deepEqual(readAddress('https://10.0.0.1/', strict), { refusal: 'not_public' });
  });

  test('addresses that a name led to', () => {
    const kinds = ['8.8.8.8', '127.0.0.1', '10.0.0.1', '169.254.1.1'];
    assert.deepEqual(
      kinds.map((address) => allowed(address, strict)),
      [true, false, false, false],
    );
    assert.deepEqual(
      kinds.map((address) => allowed(address, open)),
      [true, true, true, false],
    );
  });
});
