// The tables of accounts, column by column.

import {
  bigint,
  boolean,
  bytes,
  instant,
  integer,
  integers,
  nullable,
  smallint,
  table,
  text,
  textAs,
} from '../database/index.ts';
import type { AccountId, CredentialId, PosId } from '../kernel/index.ts';

export type AccountKind = 'merchant' | 'partner' | 'seller';
/** Credentials of a blocked account do not work; what it started continues. */
export type AccountStatus = 'active' | 'blocked';
/** operator: like full, plus the sandbox tools, which act on every account. */
export type CredentialKind = 'full' | 'read_only' | 'operator';

export const accountTable = table('account', {
  id: textAs<AccountId>(),
  /** `id` in notifications about transactions. */
  merchantNumber: integer,
  kind: textAs<AccountKind>(),
  name: text,
  email: text,
  phone: text,
  taxId: text,
  status: textAs<AccountStatus>(),
  zone: text,
  /** Whether it was ever another one. */
  zoneChanged: boolean,
  country: text,
  paymentFeeBasisPoints: integer,
  paymentFeeMinor: bigint,
  refundFeeMinor: bigint,
  /** Of the three, by the vault. */
  feesMac: text,
  channels: integers,
  marketplaceEnabled: boolean,
  /** Whether each declined attempt is told by a notification. */
  declineNotifications: boolean,
  /** Where notifications about payouts and settlements go. */
  moneyUrl: nullable(text),
  /** Whether it gets a mail with each settlement. */
  settlementMails: boolean,
  securityCodeSealed: text,
  webhookSecretSealed: text,
  /** Null for the default limit. */
  requestsPerSecond: nullable(integer),
  createdAt: instant,
  modifiedAt: instant,
});

export const posTable = table('pos', {
  id: textAs<PosId>(),
  accountId: textAs<AccountId>(),
  name: text,
  url: text,
  notificationUrl: nullable(text),
  testMode: boolean,
  active: boolean,
  verified: boolean,
  main: boolean,
  createdAt: instant,
  modifiedAt: instant,
});

export const posDomainTable = table('pos_domain', {
  posId: textAs<PosId>(),
  domainName: text,
  createdAt: instant,
});

export const credentialTable = table('credential', {
  id: textAs<CredentialId>(),
  accountId: textAs<AccountId>(),
  name: text,
  kind: textAs<CredentialKind>(),
  createdAt: instant,
  revokedAt: nullable(instant),
});

export const credentialSecretTable = table('credential_secret', {
  credentialId: textAs<CredentialId>(),
  place: smallint,
  secretHash: bytes,
  createdAt: instant,
});

export const accessTokenTable = table('access_token', {
  tokenHash: bytes,
  credentialId: textAs<CredentialId>(),
  /** Of the client secret with which it was issued; null in tokens of earlier versions. */
  secretHash: nullable(bytes),
  scope: text,
  issuedAt: instant,
  expiresAt: instant,
  revokedAt: nullable(instant),
});
