// Hosts as text: names and ports, compared before any URL parser normalizes them.

import { isIP } from 'node:net';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const portShape = /^[1-9]\d{0,4}$/;
const httpsPort = 443;
const hostShape = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** A lower-case name, never an address: 127.0.0.1 in any notation ends in a number, which no name does. */
export function isHostName(host: string): boolean {
  return hostShape.test(host) && isIP(host) === 0 && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
}

/**
 * Parses a comma-separated list of `host` or `host:port`; returns a sentence about the first invalid entry otherwise.
 */
export function readHosts(text: string): readonly HostAndPort[] | { readonly fault: string } {
  const hosts: HostAndPort[] = [];
  for (const entry of text.split(',').map((part) => part.trim().toLowerCase())) {
    const [host = '', port = String(httpsPort), ...more] = entry.split(':');
    if (!isHostName(host) || !portShape.test(port) || Number(port) > 65_535 || more.length > 0)
      return { fault: `"${entry}" is neither a host name nor host:port.` };
    hosts.push({ host, port: Number(port) });
  }
  return hosts;
}
