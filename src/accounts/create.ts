// Creates accounts, points of sale and credentials. Secrets are returned once, here, and then stored only hashed or
// encrypted.

import { createHash } from 'node:crypto';
import { channelIds } from '../../contract/methods.ts';
import type { Sql } from '../database/index.ts';
import { type AccountId, type CredentialId, knownId, type PosId, refuse, Secret } from '../kernel/index.ts';
import { openMerchantAccounts } from '../ledger/index.ts';
import { cachedOpening, randomText, type Vault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { signFees } from './fees.ts';
import { writeOwnPrices } from './prices/prices.ts';
import { formatClientId, placeForSecret, timeForSecret } from './rules.ts';
import {
  type AccountKind,
  type AccountSettings,
  type CredentialKind,
  deleteOlderSecrets,
  findSealedSecrets,
  insertAccount,
  insertCredential,
  insertPartnerSeller,
  insertPos,
  listSecrets,
  lockCredential,
  updateCredentialRevoked,
  updateSealedSecret,
  upsertSecret,
} from './store.ts';

export interface AccountDetails extends Partial<AccountSettings> {
  readonly kind: AccountKind;
  readonly name: string;
  readonly email: string;
  readonly testMode: boolean;
}

export interface CreatedAccount {
  readonly id: AccountId;
  readonly merchantNumber: number;
  readonly posId: PosId;
  readonly securityCode: Secret;
  readonly webhookSecret: Secret;
}

export interface CreatedCredential {
  readonly clientId: string;
  readonly clientSecret: Secret;
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Vault purposes of an account's secrets, so that one ciphertext never decrypts as another. */
const sealPurpose = {
  securityCode: (id: AccountId) => `account ${id} security code`,
  webhookSecret: (id: AccountId) => `account ${id} webhook secret`,
};

export type AccountSecret = keyof typeof sealPurpose;

const newSecret: Record<AccountSecret, (tools: Pick<Tools, 'random'>) => Secret> = {
  securityCode: ({ random }) => new Secret(randomText(random, 24)),
  webhookSecret: ({ random }) => new Secret(`whsec_${Buffer.from(random.bytes(32)).toString('base64')}`),
};

/** Replaces a secret; notifications are signed with the new one from now on. */
export async function replaceAccountSecret(tools: Tools, id: AccountId, which: AccountSecret): Promise<void> {
  const sealed = tools.vault.seal(newSecret[which](tools), sealPurpose[which](id));
  if (!(await updateSealedSecret(tools.db.sql, id, which, sealed, tools.clock.now()))) refuse('not_found');
}

/** Creates an account with its main point of sale. A partner also gets the marketplace. */
export async function createAccount(tools: Tools, sql: Sql, details: AccountDetails): Promise<CreatedAccount> {
  const id = knownId<AccountId>(tools.ids.ulid());
  const posId = knownId<PosId>(tools.ids.ulid());
  const securityCode = newSecret.securityCode(tools);
  const webhookSecret = newSecret.webhookSecret(tools);
  const createdAt = tools.clock.now();
  await openMerchantAccounts(sql, id, createdAt);
  const fees = {
    paymentFeeBasisPoints: details.paymentFeeBasisPoints ?? 0,
    paymentFeeMinor: details.paymentFeeMinor ?? 0n,
    refundFeeMinor: details.refundFeeMinor ?? 0n,
  };
  const merchantNumber = await insertAccount(sql, {
    id,
    kind: details.kind,
    name: details.name,
    email: details.email,
    phone: details.phone ?? '',
    taxId: details.taxId ?? '',
    zone: details.zone ?? 'Europe/Warsaw',
    country: details.country ?? 'PL',
    ...fees,
    feesMac: signFees(tools.vault, { ...fees, id }),
    channels: details.channels ?? channelIds,
    status: details.status ?? 'active',
    requestsPerSecond: details.requestsPerSecond ?? null,
    marketplaceEnabled: details.marketplaceEnabled ?? details.kind === 'partner',
    declineNotifications: details.declineNotifications ?? false,
    moneyUrl: details.moneyUrl ?? null,
    settlementMails: details.settlementMails ?? true,
    securityCodeSealed: tools.vault.seal(securityCode, sealPurpose.securityCode(id)),
    webhookSecretSealed: tools.vault.seal(webhookSecret, sealPurpose.webhookSecret(id)),
    createdAt,
  });
  await writeOwnPrices(tools.vault, sql, id, { fees, now: createdAt });
  await insertPos(sql, {
    id: posId,
    accountId: id,
    name: details.name,
    url: details.url ?? '',
    notificationUrl: details.notificationUrl ?? null,
    testMode: details.testMode,
    verified: true,
    main: true,
    createdAt,
  });
  return { id, merchantNumber, posId, securityCode, webhookSecret };
}

export function addSeller(sql: Sql, partnerId: AccountId, sellerId: AccountId): Promise<void> {
  return insertPartnerSeller(sql, partnerId, sellerId);
}

/** Creates a credential with its first secret. */
export async function createCredential(
  tools: Tools,
  sql: Sql,
  accountId: AccountId,
  kind: CredentialKind,
  name: string,
): Promise<CreatedCredential> {
  const id = knownId<CredentialId>(tools.ids.ulid());
  const secret = randomText(tools.random, 32);
  const now = tools.wall.now();
  await insertCredential(sql, { id, accountId, name, kind, createdAt: now });
  await upsertSecret(sql, id, 1, hashSecret(secret), now);
  return { clientId: formatClientId(accountId, id), clientSecret: new Secret(secret) };
}

/** Adds a secret; the previous one and its tokens keep working until the next rotation or `dropOlderSecrets`. */
export function rotateSecret(tools: Tools, accountId: AccountId, id: CredentialId): Promise<CreatedCredential> {
  return tools.db.atomic(async (sql) => {
    const credential = (await lockCredential(sql, accountId, id)) ?? refuse('not_found');
    if (credential.revokedAt) refuse('access_denied', '', 'This credential was revoked.');
    const secret = randomText(tools.random, 32);
    const present = await listSecrets(sql, id);
    const createdAt = timeForSecret(present, tools.wall.now());
    await upsertSecret(sql, id, placeForSecret(present), hashSecret(secret), createdAt);
    return { clientId: formatClientId(accountId, id), clientSecret: new Secret(secret) };
  });
}

/** Ends all secrets except the newest, with the tokens issued with them, on every node within a second; returns how many. */
export function dropOlderSecrets(tools: Tools, accountId: AccountId, id: CredentialId): Promise<number> {
  return tools.db.atomic(async (sql) => {
    await lockCredential(sql, accountId, id).then((found) => found ?? refuse('not_found'));
    return deleteOlderSecrets(sql, id);
  });
}

/** Revokes a credential with all its tokens, on every node within a second. */
export async function revokeCredential(tools: Tools, accountId: AccountId, id: CredentialId): Promise<boolean> {
  return (await updateCredentialRevoked(tools.db.sql, accountId, id, tools.wall.now())) === 1;
}

const codeOpenings = new WeakMap<Vault, (sealed: string, purpose: string) => Secret>();

/** Decrypts a security code read by a join. */
export function openSecurityCode({ vault }: Pick<Tools, 'vault'>, id: AccountId, sealed: string): Secret {
  const open = codeOpenings.get(vault) ?? cachedOpening(vault, (code) => code);
  codeOpenings.set(vault, open);
  return open(sealed, sealPurpose.securityCode(id));
}

/** The two secrets that sign an account's notifications, decrypted, and the number in them. */
export async function readAccountSecrets(
  tools: Tools,
  id: AccountId,
): Promise<{ securityCode: Secret; webhookSecret: Secret; merchantNumber: number }> {
  const sealed = (await findSealedSecrets(tools.db.sql, id)) ?? refuse('not_found');
  return {
    securityCode: tools.vault.open(sealed.securityCodeSealed, sealPurpose.securityCode(id)),
    webhookSecret: tools.vault.open(sealed.webhookSecretSealed, sealPurpose.webhookSecret(id)),
    merchantNumber: sealed.merchantNumber,
  };
}
