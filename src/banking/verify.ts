// Checks charges and outgoing refunds, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Verifying, verifyPages } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import {
  listChargesSince,
  listOutgoingSince,
  listWrongCharges,
  listWrongOutgoing,
  paymentSums,
  returnJournals,
} from './store/verify.ts';

/** Each charge that contradicts the ledger or its transaction, or that nobody would look up. */
export function verifyCharges(verifying: Verifying): Promise<Finding[]> {
  const charges = { table: 'charge', key: 'id', changed: listChargesSince };
  return verifyPages(verifying, charges, (page) => listWrongCharges(verifying.sql, page, verifying.now));
}

/** Each outgoing refund that contradicts the ledger or what it is for, or that nobody would send. */
export function verifyOutgoing(verifying: Verifying): Promise<Finding[]> {
  const outgoing = { table: 'outgoing_refund', key: 'id', changed: listOutgoingSince };
  return verifyPages(verifying, outgoing, (page) => listWrongOutgoing(verifying.sql, page, verifying.now));
}

/** Both, the journals of what goes back, and the sums of the accounts that all payments share. */
export async function verifyBanking(verifying: Verifying): Promise<Finding[]> {
  return [
    ...(await verifyCharges(verifying)),
    ...(await verifyOutgoing(verifying)),
    ...(await verifyFounded(verifying, returnJournals)),
    ...(verifying.books ? await listWrongSums(verifying.sql, verifying.books, paymentSums) : []),
  ];
}
