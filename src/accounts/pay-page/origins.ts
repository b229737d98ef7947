// The origins whose pages may embed the payment form. They become part of a Content-Security-Policy: nothing gets there
// that is not an origin for certain.

import { notValid, ruled } from '../../../contract/codes/english/values.ts';
import { refuseFault } from '../../kernel/index.ts';

export const embedOriginsAtMost = 20;

/** No IPv6 addresses: policies cannot name them. */
const hostShape = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const loopbackShape = /^(127(\.\d{1,3}){3}|([a-z0-9-]+\.)*localhost)$/;

/** As browsers write it; undefined if it is no origin, or one that is not allowed. Names become ASCII. */
export function originFrom(text: string, sandbox: boolean): string | undefined {
  const url = URL.parse(text.trim());
  if (url?.pathname !== '/' || /[?#@\\]/.test(text)) return undefined;
  const { protocol, hostname, origin } = url;
  const secure = protocol === 'https:' || (protocol === 'http:' && sandbox && loopbackShape.test(hostname));
  return secure && hostname.length <= 253 && hostShape.test(hostname) ? origin : undefined;
}

/** Each once, in the order given. */
export function originsFrom(texts: readonly string[], sandbox: boolean): string[] {
  const origins = texts.map((text) => originFrom(text, sandbox) ?? refuseOrigin(text, sandbox));
  const distinct = [...new Set(origins)];
  if (distinct.length > embedOriginsAtMost)
    refuseFault({ code: 'too_many', ...ruled('embedOrigins', 'at_most_items', { limit: embedOriginsAtMost }) });
  return distinct;
}

function refuseOrigin(text: string, sandbox: boolean): never {
  const about = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return refuseFault(notValid('embedOrigins', 'origins', { local: sandbox ? 'yes' : 'no', given: about }));
}
