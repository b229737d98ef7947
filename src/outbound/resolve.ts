// Resolves names without the thread pool: a hanging name server must not occupy the threads that sign.

import { Resolver } from 'node:dns/promises';

/** All addresses of a name, IPv4 and IPv6. Rejects if there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const timeoutMilliseconds = 2_500;

/** Uses the system's name servers. It does not read /etc/hosts, so `localhost` is handled here. */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 2 });
  return async (name) => {
    if (/^(.+\.)?localhost\.?$/.test(name)) return ['127.0.0.1', '::1'];
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    // A partial result is discarded: the family that failed may be the one that would have been refused.
    const lost = found.find((one) => one.status === 'rejected' && !isAbsent(one.reason));
    if (lost?.status === 'rejected') throw lost.reason;
    if (addresses.length === 0) throw Object.assign(new Error(`No address for ${name}.`), { code: 'ENOTFOUND' });
    return addresses;
  };
}

/** The name has no address of this family, which is not a failure. */
function isAbsent(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && (reason.code === 'ENODATA' || reason.code === 'ENOTFOUND');
}
