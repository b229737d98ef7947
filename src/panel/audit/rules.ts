// The audit log's chain of hashes, and what is not written into it. Pure.

import { createHash } from 'node:crypto';
import type { RowOf } from '../../platform/index.ts';
import type { auditTable } from '../table.ts';

export type AuditRow = RowOf<typeof auditTable>;

/** The predecessor of the first entry. */
export const auditStart = new Uint8Array(32);

/** The hash of an entry: over the one before it and all its own columns. */
export function auditHash(before: Uint8Array, row: Omit<AuditRow, 'hash'>): Buffer {
  const own = JSON.stringify([
    String(row.position),
    row.ofPosition === null ? null : String(row.ofPosition),
    row.at.epochMilliseconds,
    row.userId,
    row.email,
    row.accountId,
    row.action,
    row.target,
    row.details,
    row.outcome,
    row.address,
    row.userAgent,
  ]);
  return createHash('sha256').update(before).update(own).digest();
}

const masked = '(hidden)';
const secretNames =
  /^(current|password|code|token|response|value|card|cardToken|cardNumber|cvv\d?|cvc\d?|securityCode|blikToken|walletPayPaymentData|clientSecret|client_secret|access_token|webhookSecret|recoveryCodes|secret|uri|transactionPaymentUrl|paymentUrl)$/i;
/** What could be a card number, tokens that pay, and links of pay pages, wherever they are. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\d(?:[ .|-]{0,2}\d){12,18}/g, masked],
  [/card_[A-Za-z0-9_-]{8,}/g, masked],
  [/(card_token=)[^&"\s]+/g, `$1${masked}`],
  [/(\/pay\/)[A-Za-z0-9_-]{8,}/g, `$1${masked}`],
];
const detailsAtMost = 4_000;
const depthAtMost = 8;

/** A text without what could pay. */
export function maskedTexts(text: string): string {
  return secretTexts.reduce((plain, [what, instead]) => plain.replaceAll(what, instead), text);
}

/** A value of JSON without the contents of fields that are secret by their name. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > depthAtMost) return '...';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => withoutSecrets(item, depth + 1));
  if (typeof value === 'string') return maskedTexts(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      maskedTexts(name),
      secretNames.test(name) ? masked : withoutSecrets(inner, depth + 1),
    ]),
  );
}

/** What was asked for, as JSON without secrets. What is too long is left out, not cut: the text stays JSON. */
export function auditDetails(asked: unknown): string {
  const text = JSON.stringify(withoutSecrets(asked) ?? {}) ?? '{}';
  return text.length > detailsAtMost ? JSON.stringify({ omitted: `${text.length} characters` }) : text.toWellFormed();
}
