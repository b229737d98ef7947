// Compares what transactions are searched by with the transactions, for `grosz verify`.

import type { Finding } from '../../../contract/codes/findings.ts';
import { type Verifying, verifyPages } from '../../database/index.ts';
import { listMisfound, listSearchedSince } from './store.ts';

/** Each transaction that asks for another amount than when it was made findable. */
export function verifySearch(verifying: Verifying): Promise<Finding[]> {
  const transactions = { table: 'transaction', key: 'id', changed: listSearchedSince };
  return verifyPages(verifying, transactions, async (page) =>
    (await listMisfound(verifying.sql, page)).map((id): Finding => ({ code: 'search_differs', parameters: { id } })),
  );
}
