// The domain types of this room.

import type { AccountId, Money, TransactionId } from '../kernel/index.ts';
import type { ClientIdentity, HostAndPort } from '../outbound/index.ts';
import type { TokenUse } from './store.ts';
import type { LiveCertificate } from './token/decrypt.ts';
import type { UsedToken } from './token/open.ts';
import type { WalletPayment } from './token/payment.ts';
import type { TrustedRoot } from './x509/roots.ts';

/** The service's own merchant identifier, for payments on the web. */
export interface OwnIdentifier {
  readonly merchantIdentifier: string;
  readonly certificate: LiveCertificate;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly expiresAt: Temporal.Instant;
  /** The file that merchants put on their domains. */
  readonly association: Buffer;
  /** Shown to the vendor when a session is requested. */
  readonly identity: ClientIdentity;
  readonly identityExpiresAt: Temporal.Instant;
}

export interface Expiring {
  readonly certificateId: string;
  readonly merchantId: string | null;
  readonly merchantIdentifier: string;
  readonly expiresAt: Temporal.Instant;
}

/** What the operator configured; in the sandbox the values of the simulated vendor are added. */
export interface WalletSetup {
  readonly roots: readonly TrustedRoot[];
  readonly hosts: () => readonly HostAndPort[];
  /** CAs of the vendor's TLS; undefined for the system's. */
  readonly tlsCa: string | undefined;
  /** Undefined: web payments are not set up, or a certificate has expired. */
  readonly own: OwnIdentifier | undefined;
  /** The service's own certificates that had expired at the start: they are off, and still to be replaced. */
  readonly expired: readonly Expiring[];
}

/** A vendor apart from the configured ones, on this machine. */
export interface VendorBeside {
  readonly roots: readonly TrustedRoot[];
  /** The service's own identifier there, unless the operator configured one. */
  readonly own: OwnIdentifier;
  /** The CA of its TLS, in PEM. */
  readonly authority: string;
  /** The path of the script that provides the session object. */
  readonly script: string;
  /** Empty until its port is known. */
  hosts(): readonly HostAndPort[];
  isHost(url: string): boolean;
}

/** A token that was verified and decrypted. */
export interface OpenedToken {
  readonly used: UsedToken;
  readonly payment: WalletPayment;
  /** An earlier use of the same token by the same merchant. */
  readonly earlier: TokenUse | undefined;
}

/** A token that can no longer be decrypted, or never could; `earlier` as above. */
export interface RefusedToken {
  readonly malformed: boolean;
  readonly earlier: TokenUse | undefined;
}

/** What paying transactions needs from this room. */
export interface WalletTokens {
  /** Whether the merchant can be paid by wallet. */
  isAvailable(merchantId: AccountId): boolean | Promise<boolean>;
  /** Whether the pay page can start a wallet session. */
  readonly isOnWeb: boolean;
  /** Verifies and decrypts a token for a payment of this amount. Stores nothing. */
  open(merchantId: AccountId, token: string, expected: Money): Promise<OpenedToken | RefusedToken>;
  /** The use of a token for this transaction, for those who lost a race for it. */
  findUse(used: UsedToken, merchantId: AccountId, transactionId: string): Promise<TokenUse | undefined>;
  /** Logs that a token was refused because it was used before. */
  reportReplay(merchantId: AccountId, used: Pick<UsedToken, 'walletTransactionId'>): void;
}

/** An attempt that uses up a token. */
export interface NewUse {
  readonly used: UsedToken;
  readonly merchantId: AccountId;
  readonly transactionId: TransactionId;
  readonly attemptId: string;
  readonly createdAt: Temporal.Instant | string;
}
