// Checks statements, lines and decisions, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Verifying, verifyPages } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import {
  bankBalance,
  lineJournals,
  lineSums,
  listLinesSince,
  listStatementsSince,
  listWrongLines,
  listWrongPayouts,
  listWrongStatements,
} from './store/verify.ts';

/** Each statement, line, decision or journal that the others contradict. */
export async function verifyStatements(verifying: Verifying): Promise<Finding[]> {
  const { sql, books, kinds } = verifying;
  const statements = { table: 'bank_statement', key: 'id', changed: listStatementsSince };
  const lines = { table: 'bank_line', key: 'id', changed: listLinesSince };
  return [
    ...(await verifyPages(verifying, statements, (page) => listWrongStatements(sql, page))),
    ...(await verifyPages(verifying, lines, (page) => listWrongLines(sql, page))),
    ...(await verifyFounded(verifying, lineJournals)),
    ...(await listWrongPayouts(sql)),
    ...(books ? await listWrongSums(sql, books, lineSums) : []),
    ...(books && kinds ? await listWrongSums(sql, books, bankBalance(kinds)) : []),
  ];
}
