// All SQL of accounts. Owns: account, partner_seller, pos, pos_domain, credential, credential_secret, access_token.

import { type Finding, findings } from '../../contract/codes/findings.ts';
import {
  type BatchOf,
  type Given,
  given,
  messageReader,
  type Page,
  type Row,
  type RowOf,
  readBigint,
  readBoolean,
  readInstant,
  readInteger,
  readIntegerOrNull,
  readIntegers,
  readText,
  readTextOrNull,
  type Since,
  type Sql,
  sqlPart,
} from '../database/index.ts';
import { type AccountId, type CredentialId, knownId, type PosId } from '../kernel/index.ts';
import { type Founded, ledgerAccounts, saying } from '../ledger/index.ts';
import { type Price, priceColumns, readPrice } from './prices/store.ts';
import {
  type AccountKind,
  type AccountStatus,
  accessTokenTable,
  accountTable,
  type CredentialKind,
  credentialSecretTable,
  credentialTable,
  type posDomainTable,
  posTable,
} from './table.ts';

export type { AccountKind, AccountStatus, CredentialKind } from './table.ts';

export type Account = RowOf<typeof accountTable>;
export type PosRow = RowOf<typeof posTable>;
type Pos = PosRow;

/** What an operator may change of an account and its main point of sale. */
export type AccountSettings = Pick<
  Account,
  | 'name'
  | 'email'
  | 'phone'
  | 'taxId'
  | 'status'
  | 'zone'
  | 'country'
  | 'paymentFeeBasisPoints'
  | 'paymentFeeMinor'
  | 'refundFeeMinor'
  | 'channels'
  | 'requestsPerSecond'
  | 'kind'
  | 'marketplaceEnabled'
  | 'declineNotifications'
  | 'moneyUrl'
  | 'settlementMails'
> &
  Pick<Pos, 'url' | 'notificationUrl'>;

/** The settings, and the number that nobody changes. */
export type StoredSettings = AccountSettings & Pick<Account, 'merchantNumber'>;

/** Returns the account's number. */
export async function insertAccount(
  sql: Sql,
  account: Omit<Account, 'modifiedAt' | 'merchantNumber' | 'zoneChanged'>,
): Promise<Account['merchantNumber']> {
  const merchantNumber = await sql.one((row) => readInteger(row, 'number'))`
    select nextval('merchant_number')::integer as number`;
  await accountTable.copy(sql, [{ ...account, merchantNumber, zoneChanged: false, modifiedAt: account.createdAt }]);
  return merchantNumber;
}

export function insertPos(sql: Sql, pos: Omit<Pos, 'active' | 'modifiedAt'>): Promise<void> {
  return posTable.copy(sql, [{ ...pos, active: true, modifiedAt: pos.createdAt }]);
}

/** Locks the row, so that concurrent changes take turns. */
export function lockPos(sql: Sql, id: PosId): Promise<Pos | undefined> {
  return sql.maybeOne(posTable.read)`select * from pos where id = ${id} for update`;
}

export async function updatePos(sql: Sql, pos: Pos): Promise<void> {
  await sql.run`
    update pos set name = ${pos.name}, url = ${pos.url}, notification_url = ${pos.notificationUrl},
                   active = ${pos.active}, verified = ${pos.verified}, modified_at = ${pos.modifiedAt}
     where id = ${pos.id}`;
}

/** Adds a domain to the point of sale, if it does not have it yet. */
export async function insertPosDomain(sql: Sql, domain: RowOf<typeof posDomainTable>): Promise<void> {
  await sql.run`
    insert into pos_domain (pos_id, domain_name, created_at)
    values (${domain.posId}, ${domain.domainName}, ${domain.createdAt}) on conflict do nothing`;
}

export async function insertPartnerSeller(sql: Sql, partnerId: AccountId, sellerId: AccountId): Promise<void> {
  await sql.run`insert into partner_seller (partner_id, seller_id) values (${partnerId}, ${sellerId})`;
}

export function insertCredential(sql: Sql, credential: Omit<CredentialRow, 'revokedAt'>): Promise<void> {
  return credentialTable.copy(sql, [{ ...credential, revokedAt: null }]);
}

/** Stores a secret in its slot, replacing the one there. */
export async function upsertSecret(
  sql: Sql,
  credentialId: CredentialId,
  place: 1 | 2,
  secretHash: Uint8Array,
  createdAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    insert into credential_secret (credential_id, place, secret_hash, created_at)
    values (${credentialId}, ${place}, ${secretHash}, ${createdAt})
    on conflict (credential_id, place) do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at`;
}

/** Deletes all secrets except the newest; returns how many. */
export function deleteOlderSecrets(sql: Sql, credentialId: CredentialId): Promise<number> {
  return sql.run`
    delete from credential_secret as older
     where credential_id = ${credentialId}
       and exists (select from credential_secret as newer
                    where newer.credential_id = older.credential_id
                      and (newer.created_at, newer.place) > (older.created_at, older.place))`;
}

export type CredentialRow = RowOf<typeof credentialTable>;

/** Locks a credential of this account, so that two rotations take turns. */
export function lockCredential(sql: Sql, accountId: AccountId, id: CredentialId): Promise<CredentialRow | undefined> {
  return sql.maybeOne(credentialTable.read)`
    select * from credential where id = ${id} and account_id = ${accountId} for update`;
}

export function listCredentials(sql: Sql): Promise<CredentialRow[]> {
  return sql.many(credentialTable.read)`select * from credential order by account_id, id limit 10000`;
}

export type SecretRow = RowOf<typeof credentialSecretTable>;

export function listSecrets(sql: Sql, credentialId: CredentialId): Promise<SecretRow[]> {
  return sql.many(credentialSecretTable.read)`
    select * from credential_secret where credential_id = ${credentialId} order by place`;
}

/** The usable secrets of a credential: not revoked, account not blocked. At most two. */
export function listUsableSecrets(sql: Sql, accountId: AccountId, credentialId: CredentialId): Promise<SecretRow[]> {
  return sql.many(credentialSecretTable.read)`
    select credential_secret.*
      from credential_secret
      join credential on credential.id = credential_secret.credential_id
      join account on account.id = credential.account_id
     where credential.id = ${credentialId} and account.id = ${accountId}
       and credential.revoked_at is null and account.status = 'active'
     order by credential_secret.place`;
}

/** Revokes a credential and thereby its tokens. */
export function updateCredentialRevoked(
  sql: Sql,
  accountId: AccountId,
  id: CredentialId,
  revokedAt: Temporal.Instant,
): Promise<number> {
  return sql.run`
    update credential set revoked_at = ${revokedAt}
     where id = ${id} and account_id = ${accountId} and revoked_at is null`;
}

const newTokenColumns = {
  ...accessTokenTable.types('credentialId', 'scope', 'issuedAt', 'expiresAt'),
  // Hex of SHA-256.
  tokenHash: 'text',
  secretHash: 'text',
};

export type NewToken = Given<
  RowOf<typeof accessTokenTable>,
  Omit<typeof newTokenColumns, 'tokenHash' | 'secretHash'>
> & { readonly tokenHash: string; readonly secretHash: string };

export const insertToken: BatchOf<NewToken, void> = {
  name: 'access token',
  async execute(sql, rows) {
    await sql.run`
      insert into access_token (token_hash, secret_hash, credential_id, scope, issued_at, expires_at)
      select decode(token_hash, 'hex'), decode(secret_hash, 'hex'), credential_id, scope, issued_at, expires_at
        from ${given(rows, newTokenColumns)}`;
    return rows.map(() => undefined);
  },
};

/** An account as requests see it. */
export interface AccountRow {
  readonly id: AccountId;
  readonly kind: AccountKind;
  readonly name: string;
  readonly email: string;
  readonly zone: string;
  readonly country: string;
  readonly channels: readonly number[];
  readonly marketplaceEnabled: boolean;
  /** Its own rate limit; null for the default. */
  readonly ownRequestsPerSecond: number | null;
  /** The main point of sale. */
  readonly posId: PosId;
  readonly testMode: boolean;
}

export interface TokenRow {
  readonly credentialId: CredentialId;
  readonly credentialKind: CredentialKind;
  readonly scope: string;
  readonly issuedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly account: AccountRow;
}

function readAccount(row: Row): AccountRow {
  return {
    id: knownId(readText(row, 'account_id')),
    kind: readText(row, 'account_kind') as AccountKind,
    name: readText(row, 'account_name'),
    email: readText(row, 'account_email'),
    zone: readText(row, 'zone'),
    country: readText(row, 'country'),
    channels: readIntegers(row, 'channels'),
    marketplaceEnabled: readBoolean(row, 'marketplace_enabled'),
    ownRequestsPerSecond: readIntegerOrNull(row, 'requests_per_second'),
    posId: knownId(readText(row, 'pos_id')),
    testMode: readBoolean(row, 'test_mode'),
  };
}

/** A live token, whose secret was not dropped, with its account and main point of sale: lookups by primary key. */
export function findToken(sql: Sql, tokenHash: Uint8Array, now: Temporal.Instant): Promise<TokenRow | undefined> {
  return sql.maybeOne((row) => ({
    credentialId: knownId<CredentialId>(readText(row, 'credential_id')),
    credentialKind: readText(row, 'credential_kind') as CredentialKind,
    scope: readText(row, 'scope'),
    issuedAt: readInstant(row, 'issued_at'),
    expiresAt: readInstant(row, 'expires_at'),
    account: readAccount(row),
  }))`
    select access_token.scope, access_token.issued_at, access_token.expires_at,
           credential.id as credential_id, credential.kind as credential_kind,
           account.id as account_id, account.kind as account_kind, account.name as account_name,
           account.email as account_email, account.zone, account.country, account.channels,
           account.marketplace_enabled, account.requests_per_second, pos.id as pos_id, pos.test_mode
      from access_token
      join credential on credential.id = access_token.credential_id
      join account on account.id = credential.account_id
      join pos on pos.account_id = account.id and pos.main
     where access_token.token_hash = ${tokenHash}
       and access_token.revoked_at is null and access_token.expires_at > ${now}
       and credential.revoked_at is null and account.status = 'active'
       and (access_token.secret_hash is null
            or exists (select from credential_secret as secret
                        where secret.credential_id = credential.id and secret.secret_hash = access_token.secret_hash))`;
}

/** A seller of this partner; undefined for others. */
export function findSellerOf(sql: Sql, partnerId: AccountId, sellerId: AccountId): Promise<AccountRow | undefined> {
  return sql.maybeOne(readAccount)`
    select account.id as account_id, account.kind as account_kind, account.name as account_name,
           account.email as account_email, account.zone, account.country, account.channels,
           account.marketplace_enabled, account.requests_per_second, pos.id as pos_id, pos.test_mode
      from partner_seller
      join account on account.id = partner_seller.seller_id
      join pos on pos.account_id = account.id and pos.main
     where partner_seller.partner_id = ${partnerId} and partner_seller.seller_id = ${sellerId}
       and account.status = 'active'`;
}

/** An account with its main point of sale, also if it is blocked. */
export function findAccount(
  sql: Sql,
  id: AccountId,
): Promise<{ account: AccountRow; status: AccountStatus } | undefined> {
  return sql.maybeOne((row) => ({ account: readAccount(row), status: readText(row, 'status') as AccountStatus }))`
    select account.id as account_id, account.kind as account_kind, account.name as account_name,
           account.email as account_email, account.zone, account.country, account.channels, account.status,
           account.marketplace_enabled, account.requests_per_second, pos.id as pos_id, pos.test_mode
      from account join pos on pos.account_id = account.id and pos.main
     where account.id = ${id}`;
}

/** A seller with everything that its partner may see, without the balance. */
export interface SellerRow {
  readonly settings: StoredSettings;
  readonly id: AccountId;
  readonly posId: PosId;
  readonly createdAt: Temporal.Instant;
  readonly modifiedAt: Temporal.Instant;
}

function readSeller(row: Row): SellerRow {
  return {
    settings: readSettings(row),
    id: knownId<AccountId>(readText(row, 'id')),
    posId: knownId<PosId>(readText(row, 'pos_id')),
    createdAt: readInstant(row, 'created_at'),
    modifiedAt: readInstant(row, 'modified_at'),
  };
}

/** One seller of this partner, blocked or not. */
export function findSeller(sql: Sql, partnerId: AccountId, sellerId: AccountId): Promise<SellerRow | undefined> {
  return sql.maybeOne(readSeller)`
    select account.*, pos.id as pos_id, pos.url, pos.notification_url
      from partner_seller
      join account on account.id = partner_seller.seller_id
      join pos on pos.account_id = account.id and pos.main
     where partner_seller.partner_id = ${partnerId} and partner_seller.seller_id = ${sellerId}`;
}

/** A page of the partner's sellers, oldest first, by the primary key. */
export function listSellers(
  sql: Sql,
  partnerId: AccountId,
  status: string | null,
  limit: number,
  offset: number,
): Promise<SellerRow[]> {
  return sql.many(readSeller)`
    select account.*, pos.id as pos_id, pos.url, pos.notification_url
      from partner_seller
      join account on account.id = partner_seller.seller_id
      join pos on pos.account_id = account.id and pos.main
     where partner_seller.partner_id = ${partnerId} and (${status}::text is null or account.status = ${status})
     order by partner_seller.seller_id limit ${limit} offset ${offset}`;
}

export function countSellers(sql: Sql, partnerId: AccountId, status: string | null): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count
      from partner_seller join account on account.id = partner_seller.seller_id
     where partner_seller.partner_id = ${partnerId} and (${status}::text is null or account.status = ${status})`;
}

/** What a payment to a seller of a partner depends on. */
export interface SellerTerms {
  readonly id: AccountId;
  readonly name: string;
  readonly active: boolean;
  readonly channels: readonly number[];
  /** That of all channels: which one pays is not known when the fee is fixed. */
  readonly paymentFee: Price;
  readonly refundFeeMinor: bigint;
}

/** The terms of those of these accounts that are sellers of the partner. */
export function listSellerTerms(
  sql: Sql,
  partnerId: AccountId,
  ids: readonly string[],
  at: Temporal.Instant,
): Promise<SellerTerms[]> {
  return sql.many((row) => ({
    id: knownId<AccountId>(readText(row, 'id')),
    name: readText(row, 'name'),
    active: readText(row, 'status') === 'active',
    channels: readIntegers(row, 'channels'),
    paymentFee: readPrice(row),
    refundFeeMinor: readBigint(row, 'refund_fee_minor'),
  }))`
    select account.id, account.name, account.status, account.channels, ${priceColumns},
           coalesce(refund.fixed_minor, 0) as refund_fee_minor
      from partner_seller join account on account.id = partner_seller.seller_id
      left join lateral price_at(account.id, 'payment', null, ${at}::timestamptz) as price on true
      left join lateral price_at(account.id, 'refund', null, ${at}::timestamptz) as refund on true
     where partner_seller.partner_id = ${partnerId} and account.id = any(${ids}::text[])`;
}

/** One point of sale of this account. */
export function findPos(sql: Sql, accountId: AccountId, id: string): Promise<PosRow | undefined> {
  return sql.maybeOne(posTable.read)`select * from pos where id = ${id} and account_id = ${accountId}`;
}

/** The points of sale of an account, oldest first. */
/** Null if there is no such point of sale. */
export async function findAccountOfPos(sql: Sql, id: PosId): Promise<AccountId | null> {
  const found = await sql.maybeOne((row) => knownId<AccountId>(readText(row, 'account_id')))`
    select account_id from pos where id = ${id}`;
  return found ?? null;
}

export function listPos(sql: Sql, accountId: AccountId): Promise<Pos[]> {
  return sql.many(posTable.read)`select * from pos where account_id = ${accountId} order by id limit 1000`;
}

export interface AccountSummary {
  readonly id: AccountId;
  readonly merchantNumber: number;
  readonly kind: string;
  readonly name: string;
  readonly email: string;
  readonly status: string;
}

/** All accounts, for the operator's list. */
export function listAccounts(sql: Sql): Promise<AccountSummary[]> {
  return sql.many((row) => ({
    id: knownId<AccountId>(readText(row, 'id')),
    merchantNumber: readInteger(row, 'merchant_number'),
    kind: readText(row, 'kind'),
    name: readText(row, 'name'),
    email: readText(row, 'email'),
    status: readText(row, 'status'),
  }))`select id, merchant_number, kind, name, email, status from account order by id limit 10000`;
}

function readSettings(row: Row): StoredSettings {
  return {
    merchantNumber: readInteger(row, 'merchant_number'),
    name: readText(row, 'name'),
    email: readText(row, 'email'),
    phone: readText(row, 'phone'),
    taxId: readText(row, 'tax_id'),
    status: readText(row, 'status') === 'blocked' ? 'blocked' : 'active',
    zone: readText(row, 'zone'),
    country: readText(row, 'country'),
    paymentFeeBasisPoints: readInteger(row, 'payment_fee_basis_points'),
    paymentFeeMinor: readBigint(row, 'payment_fee_minor'),
    refundFeeMinor: readBigint(row, 'refund_fee_minor'),
    channels: readIntegers(row, 'channels'),
    requestsPerSecond: readIntegerOrNull(row, 'requests_per_second'),
    kind: readText(row, 'kind') as AccountKind,
    marketplaceEnabled: readBoolean(row, 'marketplace_enabled'),
    declineNotifications: readBoolean(row, 'decline_notifications'),
    moneyUrl: readTextOrNull(row, 'money_url'),
    settlementMails: readBoolean(row, 'settlement_mails'),
    url: readText(row, 'url'),
    notificationUrl: readTextOrNull(row, 'notification_url'),
  };
}

export function findSettings(sql: Sql, id: AccountId): Promise<StoredSettings | undefined> {
  return sql.maybeOne(readSettings)`
    select account.*, pos.url, pos.notification_url
      from account join pos on pos.account_id = account.id and pos.main
     where account.id = ${id}`;
}

/** The main point of sale of an account. */
export function findMainPos(sql: Sql, id: AccountId): Promise<PosId | undefined> {
  return sql.maybeOne((row) => knownId<PosId>(readText(row, 'id')))`
    select id from pos where account_id = ${id} and main`;
}

/** So that concurrent changes take turns and neither undoes the other. */
export async function lockAccount(sql: Sql, id: AccountId): Promise<void> {
  await sql.run`select from account where id = ${id} for update`;
}

export async function updateSettings(
  sql: Sql,
  id: AccountId,
  settings: AccountSettings & Pick<Account, 'feesMac'>,
  modifiedAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    update account
       set name = ${settings.name}, email = ${settings.email}, phone = ${settings.phone}, tax_id = ${settings.taxId}, status = ${settings.status}, zone = ${settings.zone},
           zone_changed = zone_changed or zone <> ${settings.zone},
           country = ${settings.country}, payment_fee_basis_points = ${settings.paymentFeeBasisPoints},
           payment_fee_minor = ${settings.paymentFeeMinor}, refund_fee_minor = ${settings.refundFeeMinor}, fees_mac = ${settings.feesMac},
           channels = ${settings.channels}, requests_per_second = ${settings.requestsPerSecond},
           kind = ${settings.kind}, marketplace_enabled = ${settings.marketplaceEnabled},
           decline_notifications = ${settings.declineNotifications}, money_url = ${settings.moneyUrl},
           settlement_mails = ${settings.settlementMails},
           modified_at = ${modifiedAt}
     where id = ${id}`;
  await sql.run`
    update pos set url = ${settings.url}, notification_url = ${settings.notificationUrl}, modified_at = ${modifiedAt}
     where account_id = ${id} and main`;
}

/** The encrypted secrets that sign notifications, and the number in them. */
export function findSealedSecrets(
  sql: Sql,
  accountId: AccountId,
): Promise<Pick<Account, 'securityCodeSealed' | 'webhookSecretSealed' | 'merchantNumber'> | undefined> {
  return sql.maybeOne((row) => ({
    securityCodeSealed: readText(row, 'security_code_sealed'),
    webhookSecretSealed: readText(row, 'webhook_secret_sealed'),
    merchantNumber: readInteger(row, 'merchant_number'),
  }))`select security_code_sealed, webhook_secret_sealed, merchant_number from account where id = ${accountId}`;
}

/** Replaces one of them; returns whether there is such an account. */
export async function updateSealedSecret(
  sql: Sql,
  id: AccountId,
  which: 'securityCode' | 'webhookSecret',
  sealed: string,
  modifiedAt: Temporal.Instant,
): Promise<boolean> {
  const [code, hook] = which === 'securityCode' ? [sealed, null] : [null, sealed];
  const changed = await sql.run`
    update account
       set security_code_sealed = coalesce(${code}, security_code_sealed),
           webhook_secret_sealed = coalesce(${hook}, webhook_secret_sealed), modified_at = ${modifiedAt}
     where id = ${id}`;
  return changed === 1;
}

export interface ListedCredential {
  readonly credential: CredentialRow;
  /** How many secrets work. */
  readonly secrets: number;
}

/** The credentials of an account, newest first, at most 1,000. */
export function listCredentialsOf(sql: Sql, accountId: AccountId): Promise<ListedCredential[]> {
  return sql.many((row) => ({ credential: credentialTable.read(row), secrets: readInteger(row, 'secrets') }))`
    select credential.*,
           (select count(*)::integer from credential_secret where credential_id = credential.id) as secrets
      from credential where account_id = ${accountId} order by id desc limit 1000`;
}

/** Deletes expired tokens, at most `atMost`. */
export function deleteExpiredTokens(sql: Sql, before: Temporal.Instant, atMost: number): Promise<number> {
  return sql.run`
    delete from access_token
     where token_hash in (select token_hash from access_token where expires_at < ${before}
                           order by expires_at limit ${atMost})`;
}

/** Accounts that were opened since; a change of their fees says its time too. */
export function listAccountsSince(sql: Sql, { at }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`select id from account where modified_at >= ${at}`;
}

/** The fees of a page of accounts, with their MACs. */
export function listFees(sql: Sql, page: Page): Promise<Pick<Account, FeeColumn>[]> {
  return sql.many(readFees)`select * from account where ${page.of('id')}`;
}

type FeeColumn = 'id' | 'paymentFeeBasisPoints' | 'paymentFeeMinor' | 'refundFeeMinor' | 'feesMac';

function readFees(row: Row): Pick<Account, FeeColumn> {
  return {
    id: knownId(readText(row, 'id')),
    paymentFeeBasisPoints: readInteger(row, 'payment_fee_basis_points'),
    paymentFeeMinor: readBigint(row, 'payment_fee_minor'),
    refundFeeMinor: readBigint(row, 'refund_fee_minor'),
    feesMac: readText(row, 'fees_mac'),
  };
}

/** Accounts of a page without their accounts in the ledger. */
export function listUnopened(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'account_missing' as code, jsonb_build_object('account', wanted.name) as parameters
      from account
     cross join lateral (values ('merchant:' || account.id || ':available'),
                                ('merchant:' || account.id || ':payout_transit')) as wanted (name)
     where ${page.of('account.id')} and not exists (select from ledger_account where ledger_account.name = wanted.name)`;
}

/** Opening balances: each of an account. The demo's and tests'; a live installation has none. */
export const openingJournals = (mode: 'sandbox' | 'live'): Founded => ({
  kinds: ['opening'],
  agreeing: sqlPart`
    select posted.id as journal_id, ${mode}::text = 'sandbox' and booked.paid_in > 0 and booked.said = ${saying(sqlPart`
             values (${ledgerAccounts.bankClient}, booked.paid_in), ('merchant:' || account.id || ':available', -booked.paid_in)`)} as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join account on account.id = posted.source
     where posted.kind = 'opening'`,
});
