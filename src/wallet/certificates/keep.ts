// Payment-processing certificates of merchants: requested, uploaded, revoked. The private key leaves the vault only to
// decrypt a token.

import { notValid } from '../../../contract/codes/english/values.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { Once } from '../../http/index.ts';
import { type AccountId, Refusal, refuse, refuseFault, type Secret } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import type { Expiring, WalletSetup } from '../model.ts';
import {
  type CertificateRow,
  countCertificates,
  countExpiringCertificates,
  findCertificate,
  insertCertificate,
  listExpiringCertificates,
  lockCertificate,
  updateCertificateActive,
  updateCertificateRevoked,
} from '../store.ts';
import { type CertificateShown, serializeCertificate } from '../wire.ts';
import { certificateRules, checkProcessingCertificate } from './check.ts';
import { makeSigningRequest } from './request.ts';

type CertificateTools = Pick<Tools, 'db' | 'vault' | 'wall'>;

/** Requested and active ones; each payment tries all of them. */
export const certificatesAtMost = 20;

const purpose = (id: string) => `wallet certificate ${id}`;

export function openPrivateKey({ vault }: Pick<Tools, 'vault'>, { id, privateSealed }: CertificateRow): Secret {
  if (privateSealed === null) throw new Error(`The key of wallet certificate ${id} was destroyed.`);
  return vault.open(privateSealed, purpose(id));
}

/**
 * Creates a key and its signing request. Idempotent: another call with the same id returns what the first one stored.
 */
export function requestCertificate(
  tools: CertificateTools,
  merchantId: AccountId,
  merchantIdentifier: string,
  id: string,
): Promise<CertificateRow> {
  const { privateKey, ...request } = makeSigningRequest(merchantIdentifier);
  const row: CertificateRow = {
    id,
    merchantId,
    merchantIdentifier,
    status: 'requested',
    ...request,
    privateSealed: tools.vault.seal(privateKey, purpose(id)),
    certificate: null,
    validFromAt: null,
    expiresAt: null,
    createdAt: tools.wall.now(),
    revokedAt: null,
  };
  return tools.db.atomic(async (sql) => {
    await lockAccount(sql, merchantId);
    const first = await findCertificate(sql, merchantId, id);
    if (first) return first;
    if ((await countCertificates(sql, merchantId)) >= certificatesAtMost) {
      const message = `An account has at most ${certificatesAtMost} certificates that are not revoked.`;
      refuse('too_many', 'merchantIdentifier', message, 'Revoke a certificate or a request that is not needed.');
    }
    await insertCertificate(sql, row);
    return row;
  });
}

/** Activates the certificate that the vendor issued for the request; every mismatch is reported. */
export function uploadCertificate(
  tools: CertificateTools,
  merchantId: AccountId,
  id: string,
  uploaded: string,
  once: Once,
): Promise<CertificateShown> {
  return once(async (sql) => {
    const row = (await lockCertificate(sql, merchantId, id)) ?? refuse('not_found');
    if (row.status === 'revoked')
      refuseFault({ ...notValid('certificate', 'certificate_revoked'), devMessage: 'Create a new request.' });
    const checked = checkProcessingCertificate(uploaded, row, tools.wall.now());
    if ('faults' in checked) {
      throw new Refusal(checked.faults.map((fault) => notValid('certificate', certificateRules[fault])));
    }
    await updateCertificateActive(sql, id, checked);
    const { pem, validFromAt, expiresAt } = checked;
    return serializeCertificate({ ...row, status: 'active', certificate: pem, validFromAt, expiresAt });
  });
}

/** Destroys the key. Idempotent. */
export function revokeCertificate(tools: CertificateTools, merchantId: AccountId, id: string): Promise<CertificateRow> {
  return tools.db.atomic(async (sql) => {
    const row = (await lockCertificate(sql, merchantId, id)) ?? refuse('not_found');
    if (row.status === 'revoked') return row;
    const revokedAt = tools.wall.now();
    await updateCertificateRevoked(sql, id, revokedAt);
    return { ...row, status: 'revoked', revokedAt, privateSealed: null };
  });
}

const warnedBefore = Temporal.Duration.from({ hours: 30 * 24 });

type OwnDates = Pick<WalletSetup, 'own' | 'expired'>;

/** Certificates that expire within 30 days or have expired: those of merchants, and the service's own. */
export async function listExpiring(tools: CertificateTools, setup: OwnDates): Promise<Expiring[]> {
  const before = tools.wall.now().add(warnedBefore);
  const rows = await listExpiringCertificates(tools.db.sql, before);
  const ofMerchants = rows.flatMap(({ id, merchantId, merchantIdentifier, expiresAt }) =>
    expiresAt ? [{ certificateId: id, merchantId, merchantIdentifier, expiresAt }] : [],
  );
  return [...ownExpiring(setup, before), ...ofMerchants];
}

/** Their number; the list is bounded. */
export async function countExpiring(tools: CertificateTools, setup: OwnDates): Promise<number> {
  const before = tools.wall.now().add(warnedBefore);
  return ownExpiring(setup, before).length + (await countExpiringCertificates(tools.db.sql, before));
}

function ownExpiring({ own, expired }: OwnDates, before: Temporal.Instant): readonly Expiring[] {
  if (!own) return expired;
  const { merchantIdentifier } = own;
  const ofService = [
    { certificateId: 'service', merchantId: null, merchantIdentifier, expiresAt: own.expiresAt },
    { certificateId: 'identity', merchantId: null, merchantIdentifier, expiresAt: own.identityExpiresAt },
  ];
  return [...expired, ...ofService.filter(({ expiresAt }) => Temporal.Instant.compare(expiresAt, before) < 0)];
}
