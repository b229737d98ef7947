// Classifies IP addresses. Notifications are sent only to public unicast addresses.

import { BlockList, isIP } from 'node:net';

export type AddressKind = 'public' | 'loopback' | 'private' | 'special';

type Subnet = readonly [address: string, bits: number];

const loopback: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

/** Private networks: RFC 1918 and unique local addresses. */
const privateUse: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
];

/** Other ranges in IANA's special-purpose registries. Refused even where private addresses are allowed. */
const special: readonly Subnet[] = [
  ['0.0.0.0', 8], // this network
  ['100.64.0.0', 10], // carrier-grade NAT
  ['169.254.0.0', 16], // link-local, including cloud metadata services
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarking
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an embedded IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

/** Public IPv6 unicast is allocated only from here: everything else (`::`, NAT64, link-local, multicast) is refused. */
const globalUnicast: readonly Subnet[] = [['2000::', 3]];
/** IPv4-mapped IPv6: classified as the IPv4 address. */
const mapped: readonly Subnet[] = [['::ffff:0:0', 96]];

function listOf(subnets: readonly Subnet[], family: 4 | 6): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) {
    if (isIP(address) === family) list.addSubnet(address, bits, `ipv${family}`);
  }
  return list;
}

const lists = {
  4: { loopback: listOf(loopback, 4), private: listOf(privateUse, 4), special: listOf(special, 4) },
  6: { loopback: listOf(loopback, 6), private: listOf(privateUse, 6), special: listOf(special, 6) },
};
const globalUnicastList = listOf(globalUnicast, 6);
const mappedList = listOf(mapped, 6);

/** The kind of a literal address; `special` if it cannot be parsed or has a zone id. */
export function classify(address: string): AddressKind {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return within(4, address, 'ipv4') ?? 'public';
  if (family !== 6) return 'special';
  // A BlockList matches mapped addresses against its IPv4 rules by itself.
  if (mappedList.check(address, 'ipv6')) return within(4, address, 'ipv6') ?? 'public';
  return within(6, address, 'ipv6') ?? (globalUnicastList.check(address, 'ipv6') ? 'public' : 'special');
}

function within(family: 4 | 6, address: string, spelling: 'ipv4' | 'ipv6'): AddressKind | undefined {
  const kinds = lists[family];
  if (kinds.loopback.check(address, spelling)) return 'loopback';
  if (kinds.private.check(address, spelling)) return 'private';
  return kinds.special.check(address, spelling) ? 'special' : undefined;
}
