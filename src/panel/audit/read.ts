// SQL of the audit log on screen. Reads only.

import { type Row, readTextOrNull, sqlPart } from '../../database/index.ts';
import { type AuditRow, readAuditRow } from '../../identity/index.ts';
import type { List } from '../list/read.ts';

/** What was begun, newest first, each with its outcome. */
const entryList: List<AuditRow> = {
  rows: '(select * from audit_entry where of_position is null)',
  account: 'account_id',
  at: null,
  id: 'position',
  idType: 'bigint',
  scanned: 10_000,
  shown: 'ended.outcome as ended',
  joins: 'left join audit_entry as ended on ended.of_position = page.position',
  read: (row: Row) => ({ ...readAuditRow(row), outcome: readTextOrNull(row, 'ended') }),
};

/** About one thing: an index has them. */
export function entriesAbout(subjectId: string | undefined): List<AuditRow> {
  if (subjectId === undefined) return entryList;
  const rows = sqlPart`(select * from audit_entry where subject_id = ${subjectId} and of_position is null)`;
  return { ...entryList, rows };
}
