import { listAudit } from '../../../contract/panel/audit.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import type { Tools } from '../../tools.ts';
import { askedBy } from '../list/filters.ts';
import { idPlace } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { type AuditQuery, auditConditions } from './query.ts';
import { entriesAbout } from './read.ts';
import { serializeEntry } from './wire.ts';

export const auditRoutes = ({ db: { sql } }: Tools): Route<Person>[] => [
  on(listAudit, async ({ caller, query, requestId }) => {
    const { rows, next } = await readList(sql, entriesAbout(query.subjectId), {
      accountId: caller.account?.id ?? null,
      ...askedBy<AuditQuery, 'subjectId'>(auditConditions, query),
      after: idPlace(query.before?.toString()),
    });
    return { ...done(requestId), entries: rows.map(serializeEntry), nextBefore: next && Number(next.id) };
  }),
];
