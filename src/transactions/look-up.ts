// What looking up a payment needs to know about its transaction.

import { type Charge, cancelAtBank, type LookUpFacts } from '../banking/index.ts';
import type { Tools } from '../tools.ts';
import { listStatuses } from './store/transactions.ts';

/** One that may no longer be paid is canceled at the bank. */
export async function findForLookUp(
  { acquirers, db }: Pick<Tools, 'acquirers' | 'db'>,
  charges: readonly Charge[],
): Promise<(LookUpFacts | undefined)[]> {
  const ids = charges.map(({ transactionId }) => transactionId);
  const statuses = await listStatuses(db.sql, ids);
  return charges.map(({ id: key, acquirer, transactionId }) => ({
    unwanted: statuses.get(transactionId) !== 'pending',
    // If the bank did not find the key, it must promise never to capture it, in case the request arrives later.
    absent: () => cancelAtBank(acquirers.named(acquirer), key, { kind: 'declined', reason: 'internal error' }),
  }));
}
