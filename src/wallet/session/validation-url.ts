// Where a merchant session may be asked for: hosts of the vendor, from configuration, and nowhere else.

import { isIP } from 'node:net';

export interface ValidationHost {
  readonly host: string;
  readonly port: number;
}

export type ValidationUrlFault = 'unreadable' | 'scheme' | 'credentials' | 'host' | 'port';

const charactersAtMost = 2_048;
const hostShape = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
const portShape = /^[1-9]\d{0,4}$/;
const httpsPort = 443;

/** A name, never an address: 127.0.0.1 in any of its spellings ends in a number, as no name does. */
function isName(host: string): boolean {
  return hostShape.test(host) && isIP(host) === 0 && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
}

/** Reads `host` or `host:port`, comma between; or a sentence that says which entry is wrong. */
export function readValidationHosts(text: string): readonly ValidationHost[] | { readonly fault: string } {
  const hosts: ValidationHost[] = [];
  for (const entry of text.split(',').map((part) => part.trim().toLowerCase())) {
    const [host = '', port = String(httpsPort), ...more] = entry.split(':');
    if (!isName(host) || !portShape.test(port) || Number(port) > 65_535 || more.length > 0)
      return { fault: `"${entry}" is neither a host name nor host:port.` };
    hosts.push({ host, port: Number(port) });
  }
  return hosts;
}

const urlShape = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([/?][\x21-\x7e]*)?$/i;

/**
 * The address to ask, or why it is refused; nothing is resolved and nothing is connected to. It compares the text itself
 * with the configured hosts, and only then lets the URL parser see it: what parsers repair is refused here.
 */
export function checkValidationUrl(
  text: string,
  hosts: readonly ValidationHost[],
): { readonly url: URL } | { readonly fault: ValidationUrlFault } {
  const [, scheme = '', authority = '', rest = ''] = urlShape.exec(text) ?? [];
  if (text.length > charactersAtMost || scheme === '' || /[\\#]/.test(text)) return { fault: 'unreadable' };
  if (scheme.toLowerCase() !== 'https') return { fault: 'scheme' };
  if (authority.includes('@')) return { fault: 'credentials' };
  const [, host = '', port = String(httpsPort)] = /^([^:]*)(?::(\d*))?$/.exec(authority.toLowerCase()) ?? [];
  if (!isName(host) || !hosts.some((known) => known.host === host)) return { fault: 'host' };
  if (!portShape.test(port) || !hosts.some((known) => known.host === host && known.port === Number(port)))
    return { fault: 'port' };
  const url = URL.parse(`https://${host}:${port}${rest}`);
  return url?.hostname === host && Number(url.port || httpsPort) === Number(port) ? { url } : { fault: 'unreadable' };
}
