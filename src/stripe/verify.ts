// Checks what the connector keeps against charges and outgoing refunds, for `grosz verify`. Whether an intent is that of its
// charge is known to the provider only: that is compared whenever it is asked, and with every line of its statement.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Since, type Verifying, verifyPages } from '../database/index.ts';
import { stripeName } from './model.ts';
import { listWrongCharges, listWrongRefunds } from './store/verify.ts';

/** What moved money: a row is written before anything is sent. Also when Stripe is not set up any more. */
async function verify(verifying: Verifying): Promise<Finding[]> {
  const { sql } = verifying;
  const changed = async (_sql: unknown, { sources }: Since) => sources;
  const charges = { table: 'charge', key: 'id', changed };
  const outgoing = { table: 'outgoing_refund', key: 'id', changed };
  return [
    ...(await verifyPages(verifying, charges, (page) => listWrongCharges(sql, page, stripeName))),
    ...(await verifyPages(verifying, outgoing, (page) => listWrongRefunds(sql, page, stripeName))),
  ];
}

export const stripeRoom = { name: 'stripe', verify };
