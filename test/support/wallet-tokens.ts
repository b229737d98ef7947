// A vendor, a merchant with its certificate, and tokens for ten zloty: the starting point of the tests of this folder.

import { createPrivateKey } from 'node:crypto';
import { money } from '../../src/kernel/index.ts';
import { mintToken, type Tampering, type TokenOrder } from '../../src/simulators/wallet/mint.ts';
import { openVendor } from '../../src/simulators/wallet/vendor.ts';
import { checkProcessingCertificate } from '../../src/wallet/certificates/check.ts';
import { makeSigningRequest } from '../../src/wallet/certificates/request.ts';
import type { LiveCertificate } from '../../src/wallet/token/decrypt.ts';
import { openToken, type TokenAccepted, type TokenCheck } from '../../src/wallet/token/open.ts';
import { readRoots, type TrustedRoot } from '../../src/wallet/x509/roots.ts';
import { Seeded } from './seeded.ts';

export const receivedAt = Temporal.Instant.from('2026-03-04T10:11:12Z');
export const merchantIdentifier = 'merchant.com.example.shop';
export const vendor = openVendor(Buffer.from('a seed for tests'));

export function rootsOf(pem: string): readonly TrustedRoot[] {
  const roots = readRoots(pem);
  if ('fault' in roots) throw new Error(roots.fault);
  return roots;
}

export interface TestCertificate extends LiveCertificate {
  readonly publicKey: Buffer;
  readonly merchantIdentifierHash: Buffer;
}

/** A certificate for a request of ours, issued by this or another vendor. */
export function liveCertificate(
  issue: (csr: string) => string | undefined,
  identifier = merchantIdentifier,
  at = receivedAt,
): TestCertificate {
  const request = makeSigningRequest(identifier);
  const { publicKey } = request;
  const checked = checkProcessingCertificate(
    issue(request.csr) ?? '',
    { merchantIdentifier: identifier, publicKey },
    at,
  );
  if ('faults' in checked) throw new Error(checked.faults.join(' '));
  return {
    certificateId: `certificate of ${identifier}`,
    publicKeyHash: checked.publicKeyHash,
    privateKey: createPrivateKey(request.privateKey.reveal()),
    merchantIdentifierHash: checked.merchantIdentifierHash,
    publicKey,
  };
}

export const ours = liveCertificate((csr) => vendor.issueProcessing(csr, merchantIdentifier, receivedAt));

const random = new Seeded('wallet tokens');

export function anOrder(change: Partial<TokenOrder> = {}): TokenOrder {
  return {
    amount: money(1_000n, 'PLN'),
    card: { number: '4111111111111111', expires: '310731' },
    signedAt: receivedAt,
    publicKey: ours.publicKey,
    merchantIdentifierHash: ours.merchantIdentifierHash,
    random,
    ...change,
  };
}

export function aToken(change: Partial<TokenOrder> = {}, tampering: Tampering = {}): string {
  return mintToken(vendor, anOrder(change), tampering);
}

const roots = rootsOf(vendor.rootPem);

export function open(token: string, change: Partial<TokenCheck> = {}): ReturnType<typeof openToken> {
  return openToken({ token, receivedAt, roots, certificates: [ours], expected: money(1_000n, 'PLN'), ...change });
}

/** The token must be accepted. */
export function accepted(token: string, change: Partial<TokenCheck> = {}): TokenAccepted {
  const result = open(token, change);
  if (result.outcome !== 'accepted') throw new Error(`Not accepted: ${result.reason}.`);
  return result;
}
