// Compares the parts of marketplace payments and refunds with the payments and the refunds.

import type { Finding } from '../../contract/codes/findings.ts';
import { problemsOf, type Verifying, verifyPages } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { listPartsIn } from '../transactions/index.ts';
import { isPartOf } from './parts.ts';
import {
  listRefundedPartsSince,
  listSplitSince,
  listWrongParts,
  listWrongPartTotals,
  listWrongProductLimits,
} from './store/verify.ts';

/** Each contradiction; empty if all is well. */
export async function verifyMarketplace({ vault }: Pick<Tools, 'vault'>, verifying: Verifying): Promise<Finding[]> {
  const { sql } = verifying;
  const parts = { table: 'transaction_part', key: 'transaction_id', changed: listSplitSince };
  const totals = { table: 'part_refund_total', key: 'part_id', changed: listRefundedPartsSince };
  return [
    ...(await verifyPages(verifying, parts, async (page) => [
      ...(await listWrongParts(sql, page)),
      ...(await problemsOf(await listPartsIn(sql, page), (part) =>
        isPartOf(vault, part) ? [] : [{ code: 'part_changed', parameters: { partId: part.id } }],
      )),
    ])),
    ...(await verifyPages(verifying, totals, async (page) => [
      ...(await listWrongPartTotals(sql, page)),
      ...(await listWrongProductLimits(sql, page)),
    ])),
  ];
}
