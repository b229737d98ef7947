// The client's IP address; X-Forwarded-For is used only as far as the proxies are trusted.

import { BlockList, isIP } from 'node:net';

/** The number of proxies in front of us, or their networks. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: BlockList };

/** More proxies than any real setup has. */
const hopsAtMost = 16;
const longestAddress = 45;

/** `2`, or `10.0.0.0/8, fd00::/8`; undefined for anything else. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text) <= hopsAtMost ? { hops: Number(text) } : undefined;
  const networks = new BlockList();
  const known = text.split(',').every((part) => addNetwork(networks, part.trim()));
  return known ? { networks } : undefined;
}

function addNetwork(networks: BlockList, text: string): boolean {
  const [, address = '', bits] = /^([0-9a-fA-F:.]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  const widest = family === 6 ? 128 : 32;
  if (family === 0 || Number(bits ?? 0) > widest) return false;
  networks.addSubnet(address, Number(bits ?? widest), family === 6 ? 'ipv6' : 'ipv4');
  return true;
}

/**
 * The nearest address that is not a trusted proxy. Each proxy appends the address of its client to X-Forwarded-For, so
 * the list is read from the end; entries before the last trusted one may be forged.
 */
export function addressOf(remote: string | undefined, forwarded: string | undefined, trusted: TrustedProxies): string {
  let address = plainAddress(remote ?? '') ?? '';
  let end = forwarded?.length ?? 0;
  for (let hop = 0; hop < hopsAtMost && end > 0 && isTrusted(address, hop, trusted); hop += 1) {
    const comma = end > 1 ? (forwarded ?? '').lastIndexOf(',', end - 1) : -1;
    const hopAddress = plainAddress((forwarded ?? '').slice(comma + 1, end));
    if (hopAddress === undefined) break;
    address = hopAddress;
    end = comma;
  }
  return address;
}

function isTrusted(address: string, hop: number, trusted: TrustedProxies): boolean {
  if ('hops' in trusted) return hop < trusted.hops;
  return isIP(address) !== 0 && trusted.networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Without a zone id, and mapped IPv4 as IPv4; undefined if it is not an address. */
function plainAddress(text: string): string | undefined {
  if (text.length > longestAddress * 2) return undefined;
  const [address = ''] = text.trim().split('%', 1);
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}

/** The rate limit key of an address: an IPv4 address or an IPv6 /64, which is what one customer gets. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::', 2);
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}
