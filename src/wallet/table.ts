// The tables of wallet payments, column by column.

import { bytes, instant, nullable, table, text, textAs } from '../database/index.ts';
import type { AccountId, TransactionId } from '../kernel/index.ts';

export type CertificateStatus = 'requested' | 'active' | 'revoked';

export const walletDomainTable = table('wallet_domain', {
  merchantId: textAs<AccountId>(),
  domainName: text,
  createdAt: instant,
});

export const walletCertificateTable = table('wallet_certificate', {
  id: text,
  merchantId: textAs<AccountId>(),
  merchantIdentifier: text,
  status: textAs<CertificateStatus>(),
  csr: text,
  publicKey: bytes,
  publicKeyHash: text,
  privateSealed: nullable(text),
  certificate: nullable(text),
  validFromAt: nullable(instant),
  expiresAt: nullable(instant),
  createdAt: instant,
  revokedAt: nullable(instant),
});

export const walletTokenTable = table('wallet_token', {
  walletTransactionId: text,
  fingerprint: text,
  merchantId: textAs<AccountId>(),
  transactionId: textAs<TransactionId>(),
  attemptId: text,
  createdAt: instant,
});
