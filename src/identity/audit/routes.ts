import { listAudit } from '../../../contract/panel/users.ts';
import { on, type Route } from '../../platform/index.ts';
import type { Person } from '../model.ts';
import type { IdentityTools } from '../tools.ts';
import { done } from '../wire.ts';
import type { AuditRow } from './rules.ts';
import { type AuditFilter, findLookedTo, listEntries } from './store.ts';

export function auditRoutes({ db: { sql } }: Pick<IdentityTools, 'db'>): Route<Person>[] {
  return [
    on(listAudit, async ({ caller, query, requestId }) => {
      const { before, limit = 50, userId, action } = query;
      const filter: AuditFilter = {
        accountId: caller.account?.id ?? null,
        before: before === undefined ? null : BigInt(before),
        userId: userId ?? null,
        action: action ?? null,
        limit: limit + 1,
      };
      const rows = await listEntries(sql, filter);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1)?.position : await findLookedTo(sql, filter);
      return { ...done(requestId), entries: shown.map(writeEntry), nextBefore: last ? Number(last) : null };
    }),
  ];
}

function writeEntry(row: AuditRow) {
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
