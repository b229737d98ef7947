// What the audit log on screen is asked.

import type { listAudit } from '../../../contract/panel/audit.ts';
import { type Conditions, equals, type QueryOf } from '../list/filters.ts';

export type AuditQuery = QueryOf<typeof listAudit>;

/** `subjectId` has an index of its own. */
export const auditConditions: Conditions<AuditQuery, 'subjectId'> = {
  userId: equals('user_id'),
  action: equals('action'),
};
