// Checks disputes, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Verifying, verifyPages } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import {
  disputeJournals,
  disputeSums,
  listDisputesSince,
  listUnheard,
  listUnsettled,
  listWrongDisputes,
} from './store/verify.ts';

/** Each dispute that is not what its steps, shares, charge or journals say, and journals that no step expects. */
export async function verifyDisputes(verifying: Verifying): Promise<Finding[]> {
  const { sql, books } = verifying;
  const disputes = { table: 'dispute', key: 'id', changed: listDisputesSince };
  return [
    ...(await verifyPages(verifying, disputes, (page) => listWrongDisputes(sql, page))),
    ...(await listUnheard(sql, verifying.now)),
    ...(await listUnsettled(sql, verifying.now)),
    ...(await verifyFounded(verifying, disputeJournals)),
    ...(books ? await listWrongSums(sql, books, disputeSums) : []),
  ];
}
