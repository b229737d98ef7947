// The names that shops have.

import { isIP } from 'node:net';
import { isHostName } from '../../platform/index.ts';

/** A name that a shop can have. A developer's machine may have a name of one label, or only an IPv4 address. */
export function isName(host: string, isSandbox: boolean): boolean {
  return isSandbox ? isHostName(host) || isIP(host) === 4 : isHostName(host) && host.includes('.');
}
