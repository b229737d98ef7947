// Verifies and decrypts a payment token: the steps of docs/wallet.md, in order, up to the first that fails.

import type { Money } from '../../kernel/index.ts';
import type { TrustedRoot } from '../x509/roots.ts';
import { trustLeaf } from './chain.ts';
import { readSignedData } from './cms.ts';
import { decrypt, type LiveCertificate } from './decrypt.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { TokenFault, type TokenFaultReason, type TokenStep, tokenFaults } from './faults.ts';
import { readPayment, type WalletPayment } from './payment.ts';
import { checkSignature, fingerprintOf } from './signature.ts';

export interface TokenCheck {
  /** `walletPayPaymentData` as received. */
  readonly token: string;
  /** By the wall clock. */
  readonly receivedAt: Temporal.Instant;
  readonly roots: readonly TrustedRoot[];
  /** Those of the merchant, and the service's own. */
  readonly certificates: readonly LiveCertificate[];
  /** The amount of the transaction. */
  readonly expected: Money;
}

/** To be stored in the database transaction that creates the attempt: the token is used up. */
export interface UsedToken {
  /** 64 hex digits in lower case, whatever the token had: the same bytes are the same id. */
  readonly walletTransactionId: string;
  /** SHA-256 over everything that the device signed, as hex digits. */
  readonly fingerprint: string;
}

export interface TokenAccepted {
  readonly outcome: 'accepted';
  readonly used: UsedToken;
  readonly certificateId: string;
  readonly payment: WalletPayment;
}

export interface TokenRejected {
  /** Malformed is a fault of the request; refused is a well-formed token that must not be paid with. */
  readonly outcome: 'malformed' | 'refused';
  readonly step: TokenStep;
  readonly reason: TokenFaultReason;
  /** The beginning of the id, for the log; null if it cannot be read. */
  readonly idPrefix: string | null;
  /** What it claims to be, unproven: only for finding an earlier use of the same token. */
  readonly claimed: UsedToken | null;
}

const idPrefixDigits = 8;

/** Never throws because of the token's content. Decrypted data leaves it only as `Secret`. */
export function openToken(check: TokenCheck): TokenAccepted | TokenRejected {
  let envelope: Envelope | undefined;
  try {
    envelope = readEnvelope(check.token);
    return accept(envelope, check);
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error;
    const { reason } = error;
    const step = tokenFaults[reason];
    const claimed = envelope ? usedToken(envelope) : null;
    const idPrefix = claimed && prefixOf(claimed);
    return { outcome: step <= 2 ? 'malformed' : 'refused', step, reason, idPrefix, claimed };
  }
}

function accept(envelope: Envelope, { roots, certificates, expected, receivedAt }: TokenCheck): TokenAccepted {
  const signed = readSignedData(envelope.signature);
  const leaf = trustLeaf(signed.certificates, roots, receivedAt);
  checkSignature(envelope, signed, leaf, receivedAt);
  const { certificateId, plain } = decrypt(envelope, certificates);
  const payment = readPayment(plain, expected, receivedAt);
  return { outcome: 'accepted', used: usedToken(envelope), certificateId, payment };
}

function usedToken(envelope: Envelope): UsedToken {
  return {
    walletTransactionId: envelope.transactionId.toString('hex'),
    fingerprint: fingerprintOf(envelope).toString('hex'),
  };
}

/** For the log. */
export function prefixOf({ walletTransactionId }: Pick<UsedToken, 'walletTransactionId'>): string {
  return walletTransactionId.slice(0, idPrefixDigits);
}
