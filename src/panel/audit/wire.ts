// Entries of the audit log, to wire.

import type { AuditRow } from '../../identity/index.ts';

export function serializeEntry(row: AuditRow) {
  return {
    position: Number(row.position),
    at: row.at.toString(),
    userId: row.userId,
    email: row.email,
    action: row.action,
    target: row.target,
    details: JSON.parse(row.details) as unknown,
    outcome: row.outcome,
    address: row.address,
    userAgent: row.userAgent,
  };
}
