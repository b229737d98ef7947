// Checks refunds, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, type Verifying, verifyPages } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import {
  listRefundedSince,
  listRefundsSince,
  listWrongFees,
  listWrongNumbers,
  listWrongRefunds,
  listWrongTotals,
  refundJournals,
  refundSums,
} from './store/verify.ts';

/** A refund is never dated before the one before it, whose node's clock may be ahead; in a sandbox by years. */
const tolerances = {
  live: Temporal.Duration.from({ minutes: 1 }),
  sandbox: Temporal.Duration.from({ hours: 24 * 3_653 }),
} as const;

/** Each refund, journal or total that is not what its rows say. */
export async function verifyRefunds({ config }: Pick<Tools, 'config'>, verifying: Verifying): Promise<Finding[]> {
  const { sql, since, books } = verifying;
  const totals = { table: 'refund_total', key: 'transaction_id', changed: listRefundedSince };
  const refunds = { table: 'refund', key: 'id', changed: listRefundsSince };
  return [
    ...(await verifyPages(verifying, totals, (page) => listWrongTotals(sql, page))),
    ...(await verifyPages(verifying, refunds, (page) => listWrongRefunds(sql, page))),
    ...(await verifyPages(verifying, refunds, (page) => listWrongFees(sql, page))),
    ...(await verifyFounded(verifying, refundJournals(tolerances[config.mode]))),
    ...(books ? await listWrongSums(sql, books, refundSums) : []),
    ...(since ? [] : await listWrongNumbers(sql, findingsAtMost)),
  ];
}
