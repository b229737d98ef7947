// Domain to wire.

import type { CertificateRow, DomainRow } from './store.ts';

export type DomainShown = ReturnType<typeof writeDomain>;
export type CertificateShown = ReturnType<typeof writeCertificate>;

export function writeDomain({ domainName, createdAt }: DomainRow) {
  return { domainName, createdAt: createdAt.toString() };
}

export function writeCertificate(row: CertificateRow) {
  const { id, merchantIdentifier, status, csr, validFromAt, expiresAt, createdAt } = row;
  return {
    certificateId: id,
    merchantIdentifier,
    status,
    csr,
    validFrom: validFromAt?.toString() ?? null,
    expiresAt: expiresAt?.toString() ?? null,
    createdAt: createdAt.toString(),
  };
}
