// Where a merchant session may be requested: configured hosts of the vendor, and nowhere else.

import { type HostAndPort, isHostName } from '../../outbound/index.ts';

export type ValidationUrlFault = 'unreadable' | 'scheme' | 'credentials' | 'host' | 'port';

const charactersAtMost = 2_048;
const httpsPort = 443;

const urlShape = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([/?][\x21-\x7e]*)?$/i;

/**
 * The URL to call, or why it is refused; nothing is resolved or connected. The text itself is compared with the
 * configured hosts before the URL parser sees it: what parsers would repair is refused here.
 */
export function checkValidationUrl(
  text: string,
  hosts: readonly HostAndPort[],
): { readonly url: URL } | { readonly fault: ValidationUrlFault } {
  const [, scheme = '', authority = '', rest = ''] = urlShape.exec(text) ?? [];
  if (text.length > charactersAtMost || scheme === '' || /[\\#]/.test(text)) return { fault: 'unreadable' };
  if (scheme.toLowerCase() !== 'https') return { fault: 'scheme' };
  if (authority.includes('@')) return { fault: 'credentials' };
  const [, host = '', port = String(httpsPort)] = /^([^:]*)(?::(\d*))?$/.exec(authority.toLowerCase()) ?? [];
  if (!isHostName(host) || !hosts.some((known) => known.host === host)) return { fault: 'host' };
  if (!/^[1-9]\d{0,4}$/.test(port) || !hosts.some((known) => known.host === host && known.port === Number(port)))
    return { fault: 'port' };
  const url = URL.parse(`https://${host}:${port}${rest}`);
  return url?.hostname === host && Number(url.port || httpsPort) === Number(port) ? { url } : { fault: 'unreadable' };
}
