// X-JWS-Signature: a compact JWS whose payload is the body. The certificate is fetched from the URL in its header and
// must chain to the service's root.

import { verify, X509Certificate } from 'node:crypto';
import { NotificationFault } from './fault.ts';

/** Fetches a PEM file as text. */
export type FetchPem = (url: string) => Promise<string>;

export interface JwsTrust {
  /** The service's base URL. Certificates from anywhere else are refused, unless `x5u` says where they are. */
  readonly baseUrl: string;
  /** If the service serves its certificates elsewhere: that address, exactly. Then no other is accepted. */
  readonly x5u?: string;
  /** The root certificate as PEM. By default it is fetched from `{baseUrl}/x509/root.pem`: then you rely on TLS. */
  readonly rootPem?: string;
  /** Default: plain `fetch`. Wrap it with `cachePem` so that certificates are not fetched for each notification. */
  readonly fetchPem?: FetchPem;
}

/** What the signed header contains. */
export interface JwsNames {
  readonly merchantId: string;
  /** The `webhook-id`. */
  readonly id: string;
  /** The `webhook-timestamp`. */
  readonly timestamp: string;
}

/** Throws unless the service signed exactly these bytes; returns the merchant, id and time in the signed header. */
export async function verifyJws(jws: string, body: Uint8Array, trust: JwsTrust, now: Date): Promise<JwsNames> {
  const baseUrl = trust.baseUrl.replace(/\/+$/, '');
  const fetchPem = trust.fetchPem ?? fetchText;
  const { header, signature, x5u, names } = readJws(jws);
  const isTrusted = trust.x5u === undefined ? isBelow(x5u, baseUrl) : isSame(x5u, trust.x5u);
  if (!isTrusted) throw new NotificationFault('x5u_foreign', 'The certificate is not at the service.');
  const [chainPem, rootPem] = await Promise.all([fetchPem(x5u), trust.rootPem ?? fetchPem(`${baseUrl}/x509/root.pem`)]);
  const leaf = trustedLeaf(certificatesOf(chainPem), rootOf(rootPem), now);
  const signed = Buffer.from(`${header}.${Buffer.from(body).toString('base64url')}`);
  if (!verify('sha256', signed, leaf.publicKey, signature)) {
    throw new NotificationFault('jws_signature_wrong', 'X-JWS-Signature does not fit the body.');
  }
  return names;
}

const shape = /^([A-Za-z0-9_-]+)\.\.([A-Za-z0-9_-]+)$/;

interface ReadJws {
  readonly header: string;
  readonly signature: Buffer;
  readonly x5u: string;
  readonly names: JwsNames;
}

/** Only RS256 with an x5u is accepted: no other algorithm, and no critical headers. */
function readJws(jws: string): ReadJws {
  const [, header = '', signature = ''] = shape.exec(jws) ?? [];
  const fields = readJson(Buffer.from(header, 'base64url').toString('utf8'));
  if (fields?.alg !== 'RS256' || typeof fields.x5u !== 'string' || 'crit' in fields || 'b64' in fields) {
    throw new NotificationFault('jws_malformed', 'X-JWS-Signature is not a detached RS256 signature with x5u.');
  }
  const { x5u, mid, jti, iat } = fields;
  if (typeof mid !== 'string' || typeof jti !== 'string' || typeof iat !== 'number') {
    throw new NotificationFault(
      'jws_malformed',
      'X-JWS-Signature names no account (mid), no id (jti) or no time (iat).',
    );
  }
  const names = { merchantId: mid, id: jti, timestamp: String(iat) };
  return { header, signature: Buffer.from(signature, 'base64url'), x5u, names };
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Compared after parsing, so that neither `base.evil.example` nor `base@evil.example` matches the base URL. */
function isBelow(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(baseUrl)) return false;
  const [url, base] = [new URL(address), new URL(`${baseUrl}/`)];
  return url.origin === base.origin && url.username === '' && url.pathname.startsWith(base.pathname);
}

function isSame(address: string, expected: string): boolean {
  return URL.canParse(address) && URL.canParse(expected) && new URL(address).href === new URL(expected).href;
}

const certificateShape = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const chainAtMost = 5;

function certificatesOf(pem: string): X509Certificate[] {
  try {
    return (pem.match(certificateShape) ?? []).slice(0, chainAtMost).map((one) => new X509Certificate(one));
  } catch {
    throw new NotificationFault('certificate_chain_broken', 'A certificate could not be read.');
  }
}

function rootOf(pem: string): X509Certificate {
  const [root] = certificatesOf(pem);
  if (!root) throw new NotificationFault('certificate_chain_broken', 'There is no root certificate.');
  return root;
}

/** The first certificate, after every step from it up to the root was checked: issuer, signature, validity. */
function trustedLeaf(chain: readonly X509Certificate[], root: X509Certificate, now: Date): X509Certificate {
  const [leaf, ...issuers] = chain.filter((certificate) => !certificate.raw.equals(root.raw));
  if (!leaf || leaf.ca) throw new NotificationFault('certificate_chain_broken', 'There is no signing certificate.');
  const path = [leaf, ...issuers, root];
  for (const [index, certificate] of path.entries()) {
    const issuer = path[index + 1] ?? root;
    if (!issuer.ca || !certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      throw new NotificationFault('certificate_chain_broken', 'The certificate does not lead to the root.');
    }
    if (now < new Date(certificate.validFrom) || now > new Date(certificate.validTo)) {
      throw new NotificationFault('certificate_out_of_date', 'A certificate is not valid now.');
    }
  }
  return leaf;
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.text();
}

/** Caches fetched files for some seconds; failures are not cached. */
export function cachePem(fetchPem: FetchPem = fetchText, seconds = 300, now: () => Date = () => new Date()): FetchPem {
  const known = new Map<string, { readonly pem: Promise<string>; readonly until: number }>();
  return (url) => {
    const at = now().getTime();
    const cached = known.get(url);
    if (cached && cached.until > at) return cached.pem;
    const pem = fetchPem(url);
    pem.catch(() => known.delete(url));
    if (known.size > 10) known.clear();
    known.set(url, { pem, until: at + seconds * 1_000 });
    return pem;
  };
}
