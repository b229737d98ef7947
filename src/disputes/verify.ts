// Checks disputes, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Page, problemsOf, type Sql, type Verifying, verifyPages } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import { unshared } from './shares.ts';
import {
  disputeJournals,
  disputeSums,
  listDisputesSince,
  listIds,
  listSharingsIn,
  listUnheard,
  listUnsettled,
  listWrongDisputes,
} from './store/verify.ts';

/** Each dispute that is not what its steps, shares, charge or journals say, and journals that no step expects. */
export async function verifyDisputes(verifying: Verifying): Promise<Finding[]> {
  const { sql, books } = verifying;
  const disputes = { table: 'dispute', key: 'id', changed: listDisputesSince };
  return [
    ...(await verifyPages(verifying, disputes, (page) => listWrong(sql, page))),
    ...(await listUnheard(sql, verifying.now)),
    ...(await listUnsettled(sql, verifying.now)),
    ...(await verifyFounded(verifying, disputeJournals)),
    ...(books ? await listWrongSums(sql, books, disputeSums) : []),
  ];
}

/** What steps, charges and journals do not say, and then who bears another share of a dispute than the rules say. */
async function listWrong(sql: Sql, page: Page): Promise<Finding[]> {
  const wrong = await listWrongDisputes(sql, page);
  const shifted = wrong.flatMap((one) => (one.code === 'dispute_shared_otherwise' ? [one.parameters.id] : []));
  const named = new Set<string>(shifted);
  const ids = new Set<string>(await listIds(sql, page));
  const shared = await problemsOf(await listSharingsIn(sql, page), (sharing) =>
    [...unshared(sharing).keys()]
      .filter((id) => ids.has(id) && !named.has(id))
      .map((id): Finding => ({ code: 'dispute_shared_otherwise', parameters: { id } })),
  );
  return [...wrong, ...shared];
}
