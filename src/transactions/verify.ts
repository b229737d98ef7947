// Checks transactions, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, type Verifying, verifyPages } from '../database/index.ts';
import { verifyFounded } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import { transactionCounts } from './store/lists.ts';
import { listTransactionsSince, listWrongTransactions, paymentJournals } from './store/verify.ts';

/** While a sandbox's clock is moved, a recurring charge ends at its own time: up to a day before its journal. */
const tolerances = {
  live: Temporal.Duration.from({ minutes: 1 }),
  sandbox: Temporal.Duration.from({ hours: 25 }),
} as const;

/** Each transaction and each payment that is not what its rows say, and each wrong list count. */
export async function verifyTransactions({ config }: Pick<Tools, 'config'>, verifying: Verifying): Promise<Finding[]> {
  const { sql } = verifying;
  const transactions = { table: 'transaction', key: 'id', changed: listTransactionsSince };
  const miscounted = verifying.since ? [] : await transactionCounts.listMiscounted(sql, findingsAtMost);
  return [
    ...(await verifyPages(verifying, transactions, (page) => listWrongTransactions(sql, page))),
    ...(await verifyFounded(verifying, paymentJournals(tolerances[config.mode]))),
    ...miscounted.map((parameters): Finding => ({ code: 'transactions_miscounted', parameters })),
  ];
}
