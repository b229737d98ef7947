// Domain to wire.

import { domainSentences } from '../../contract/codes/english/domains.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import type { RuleResult } from './domains/rules.ts';
import type { CertificateRow, DomainRow } from './store.ts';

export type DomainShown = ReturnType<typeof serializeDomain>;
export type CertificateShown = ReturnType<typeof serializeCertificate>;

export function serializeDomain({ domainName, createdAt }: DomainRow) {
  return { domainName, createdAt: createdAt.toString() };
}

export function serializeCertificate(row: CertificateRow) {
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

export function serializeResult({ rule, passed, result }: RuleResult) {
  return { rule, passed, detail: sentenceOf(domainSentences, result) };
}
