// Who sits at this machine. Pure.

import type { IncomingHttpHeaders } from 'node:http';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
/** What proxies add: then the request came from elsewhere, whatever its Host says. */
const forwarding = /^(x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether a request was made on this machine, to a service for this machine alone. Under another name a stranger's site,
 * whose name leads here, could read the response; through a proxy anybody could.
 */
export function isLocal(baseUrl: string, headers: IncomingHttpHeaders): boolean {
  return (
    loopback.test(new URL(baseUrl).host) &&
    loopback.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => forwarding.test(name))
  );
}
