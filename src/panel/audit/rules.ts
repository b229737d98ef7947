// The audit log's chain of hashes, and what is written into it. Pure.

import { createHash } from 'node:crypto';
import type { RowOf } from '../../platform/index.ts';
import { withoutSecrets } from '../mask.ts';
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

const detailsAtMost = 4_000;

/** What was asked for, as JSON without secrets. What is too long is left out, not cut: the text stays JSON. */
export function auditDetails(asked: unknown): string {
  const text = JSON.stringify(withoutSecrets(asked) ?? {}) ?? '{}';
  return text.length > detailsAtMost ? JSON.stringify({ omitted: `${text.length} characters` }) : text.toWellFormed();
}
