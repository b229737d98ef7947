// All SQL of wallet payments. Owns: wallet_domain, wallet_certificate, wallet_token.

import { type Given, given, type RowOf, readInteger, readText, type Sql } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';
import { walletCertificateTable, walletDomainTable, walletTokenTable } from './table.ts';

export type DomainRow = RowOf<typeof walletDomainTable>;
export type CertificateRow = RowOf<typeof walletCertificateTable>;
export type TokenUse = RowOf<typeof walletTokenTable>;

export function listDomains(sql: Sql, merchantId: AccountId): Promise<DomainRow[]> {
  return sql.many(walletDomainTable.read)`
    select * from wallet_domain where merchant_id = ${merchantId} order by domain_name limit 1000`;
}

export function findDomain(sql: Sql, merchantId: AccountId, domainName: string): Promise<DomainRow | undefined> {
  return sql.maybeOne(walletDomainTable.read)`
    select * from wallet_domain where merchant_id = ${merchantId} and domain_name = ${domainName}`;
}

export function countDomains(sql: Sql, merchantId: AccountId): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from wallet_domain where merchant_id = ${merchantId}`;
}

export function insertDomain(sql: Sql, domain: DomainRow): Promise<void> {
  return walletDomainTable.copy(sql, [domain]);
}

/** Returns how many there were. */
export function deleteDomain(sql: Sql, merchantId: AccountId, domainName: string): Promise<number> {
  return sql.run`delete from wallet_domain where merchant_id = ${merchantId} and domain_name = ${domainName}`;
}

export function insertCertificate(sql: Sql, certificate: CertificateRow): Promise<void> {
  return walletCertificateTable.copy(sql, [certificate]);
}

/** Newest first. Not by id: ids of keyed requests have the time of the wall clock, others that of the sandbox's. */
export function listCertificates(sql: Sql, merchantId: AccountId): Promise<CertificateRow[]> {
  return sql.many(walletCertificateTable.read)`
    select * from wallet_certificate where merchant_id = ${merchantId} order by created_at desc, id desc limit 1000`;
}

export function findCertificate(sql: Sql, merchantId: AccountId, id: string): Promise<CertificateRow | undefined> {
  return sql.maybeOne(walletCertificateTable.read)`
    select * from wallet_certificate where id = ${id} and merchant_id = ${merchantId}`;
}

/** Locks the row, so that an upload and a revocation take turns. */
export function lockCertificate(sql: Sql, merchantId: AccountId, id: string): Promise<CertificateRow | undefined> {
  return sql.maybeOne(walletCertificateTable.read)`
    select * from wallet_certificate where id = ${id} and merchant_id = ${merchantId} for update`;
}

/** Those that are not revoked; the caller holds the lock of the account. */
export function countCertificates(sql: Sql, merchantId: AccountId): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from wallet_certificate
     where merchant_id = ${merchantId} and status <> 'revoked'`;
}

/** Certificates of this merchant whose tokens are currently accepted, newest first. */
export function listLiveCertificates(
  sql: Sql,
  merchantId: AccountId,
  now: Temporal.Instant,
): Promise<CertificateRow[]> {
  return sql.many(walletCertificateTable.read)`
    select * from wallet_certificate
     where merchant_id = ${merchantId} and status = 'active' and expires_at > ${now}
     order by created_at desc, id desc limit 1000`;
}

/** Active certificates of all merchants that expire before `before`, soonest first. */
export function listExpiringCertificates(sql: Sql, before: Temporal.Instant): Promise<CertificateRow[]> {
  return sql.many(walletCertificateTable.read)`
    select * from wallet_certificate
     where status = 'active' and expires_at < ${before} order by expires_at limit 1000`;
}

export function countExpiringCertificates(sql: Sql, before: Temporal.Instant): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from wallet_certificate where status = 'active' and expires_at < ${before}`;
}

export async function updateCertificateActive(
  sql: Sql,
  id: string,
  { pem, validFromAt, expiresAt }: { pem: string; validFromAt: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await sql.run`
    update wallet_certificate
       set status = 'active', certificate = ${pem}, valid_from_at = ${validFromAt}, expires_at = ${expiresAt}
     where id = ${id}`;
}

/** The key is destroyed with it. */
export async function updateCertificateRevoked(sql: Sql, id: string, revokedAt: Temporal.Instant): Promise<void> {
  await sql.run`
    update wallet_certificate set status = 'revoked', revoked_at = ${revokedAt}, private_sealed = null where id = ${id}`;
}

const useColumns = walletTokenTable.types(
  'walletTransactionId',
  'fingerprint',
  'merchantId',
  'transactionId',
  'attemptId',
  'createdAt',
);

/**
 * Marks tokens as used and returns the ids of the attempts whose token was not used before. In token order, so that two
 * transactions with the same tokens cannot deadlock.
 */
export async function insertUses(
  sql: Sql,
  uses: readonly Given<TokenUse, typeof useColumns>[],
): Promise<ReadonlySet<string>> {
  const first = await sql.many((row) => readText(row, 'attempt_id'))`
    insert into wallet_token (wallet_transaction_id, fingerprint, merchant_id, transaction_id, attempt_id, created_at)
    select wallet_transaction_id, fingerprint, merchant_id, transaction_id, attempt_id, created_at
      from ${given(uses, useColumns)} order by wallet_transaction_id
    on conflict (wallet_transaction_id) do nothing
    returning attempt_id`;
  return new Set(first);
}

/** Undoes uses whose attempts were not started after all, in the same transaction. */
export async function deleteUses(sql: Sql, attemptIds: readonly string[]): Promise<void> {
  if (attemptIds.length > 0) await sql.run`delete from wallet_token where attempt_id = any(${attemptIds}::text[])`;
}

export function findUse(sql: Sql, walletTransactionId: string): Promise<TokenUse | undefined> {
  return sql.maybeOne(walletTokenTable.read)`
    select * from wallet_token where wallet_transaction_id = ${walletTransactionId}`;
}
