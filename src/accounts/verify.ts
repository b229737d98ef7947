// Checks accounts, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { problemsOf, type Verifying, verifyPages } from '../database/index.ts';
import { verifyFounded } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import { areFeesOf } from './fees.ts';
import { verifyPrices } from './prices/verify.ts';
import { listAccountsSince, listFees, listUnopened, openingJournals } from './store.ts';

/**
 * Accounts whose fees nobody set, or that the ledger does not have; and opening balances, of which a live installation
 * has none.
 */
export async function verifyAccounts(
  { config, vault }: Pick<Tools, 'config' | 'vault'>,
  verifying: Verifying,
): Promise<Finding[]> {
  const { sql } = verifying;
  const accounts = { table: 'account', key: 'id', changed: listAccountsSince };
  return [
    ...(await verifyPages(verifying, accounts, async (page) => [
      ...(await problemsOf(await listFees(sql, page), (fees) =>
        areFeesOf(vault, fees) ? [] : [{ code: 'fees_changed', parameters: { id: fees.id } }],
      )),
      ...(await listUnopened(sql, page)),
    ])),
    ...(await verifyPrices({ vault }, verifying)),
    ...(await verifyFounded(verifying, openingJournals(config.mode))),
  ];
}
