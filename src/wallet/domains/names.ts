// Valid domain names of shops.

import { isIP } from 'node:net';
import { isHostName } from '../../outbound/index.ts';

/** Whether a shop can have this name. A developer's machine may have a single-label name, or only an IPv4 address. */
export function isName(host: string, isSandbox: boolean): boolean {
  return isSandbox ? isHostName(host) || isIP(host) === 4 : isHostName(host) && host.includes('.');
}
