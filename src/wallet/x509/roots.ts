// The roots that tokens must chain to. They come only from configuration.

import type { KeyObject } from 'node:crypto';
import { readPem } from '../../asn1/index.ts';
import { allowsUse, type Certificate, isAuthority, keyUses, readCertificate } from './certificate.ts';
import { publicKeyOn } from './keys.ts';

export interface TrustedRoot {
  readonly certificate: Certificate;
  readonly key: KeyObject;
}

/** Roots with the issuer name in a token are tried one after the other: their number bounds the cost of a token. */
const rootsOfOneNameAtMost = 2;

/** Parses the roots of a PEM text; returns a sentence about what is wrong otherwise. */
export function readRoots(pem: string): readonly TrustedRoot[] | { readonly fault: string } {
  const blocks = readPem(pem).filter(({ label }) => label === 'CERTIFICATE');
  if (blocks.length === 0) return { fault: 'It contains no certificate in PEM.' };
  const roots: TrustedRoot[] = [];
  for (const [index, { der }] of blocks.entries()) {
    const which = `Certificate ${index + 1}`;
    const certificate = readCertificate(der);
    if (!certificate) return { fault: `${which} cannot be read.` };
    const key = publicKeyOn(certificate.publicKey, 'P-256', 'P-384');
    if (!key) return { fault: `${which} has no key on the curve P-256 or P-384.` };
    if (!isAuthority(certificate) || !allowsUse(certificate, keyUses.keyCertSign))
      return { fault: `${which} is not a certificate authority.` };
    const namesakes = roots.filter((root) => root.certificate.subject.equals(certificate.subject));
    if (namesakes.length >= rootsOfOneNameAtMost) return { fault: `${which} is the third one of the same name.` };
    roots.push({ certificate, key });
  }
  return roots;
}
