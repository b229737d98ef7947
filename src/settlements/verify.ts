// Checks settlements, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, type Verifying, verifyPages } from '../database/index.ts';
import {
  listAccountsSince,
  listAhead,
  listMissing,
  listOverdue,
  listPayoutsSince,
  listSettlementsSince,
  listWithoutMonth,
  listWrongEnds,
  listWrongSettlements,
} from './store/verify.ts';

/** A journal is sealed and read within seconds. */
const cutWithin = Temporal.Duration.from({ hours: 1 });

/**
 * Each settlement that does not follow the one before it, or is not what its lines come to. That the lines are what the
 * ledger has is compared by the panel, which keeps them.
 */
export async function verifySettlements(verifying: Verifying): Promise<Finding[]> {
  const { sql, now } = verifying;
  const settlements = { table: 'settlement', key: 'id', changed: listSettlementsSince };
  const ends = { table: 'settlement_last', key: 'account_id', changed: listAccountsSince };
  const payouts = { table: 'payout', key: 'id', changed: listPayoutsSince };
  const months = { table: 'account', key: 'id', changed: listAccountsSince };
  return [
    ...(await verifyPages(verifying, settlements, (page) => listWrongSettlements(sql, page))),
    ...(await verifyPages(verifying, ends, (page) => listWrongEnds(sql, page))),
    ...(await verifyPages(verifying, payouts, (page) => listMissing(sql, page))),
    ...(await verifyPages(verifying, months, (page) => listWithoutMonth(sql, page))),
    ...(await listAhead(sql, now)),
    ...(await listOverdue(sql, now.subtract(cutWithin), findingsAtMost)),
  ];
}
