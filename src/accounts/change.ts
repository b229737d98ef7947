// Changes an account. All nodes follow within a second, when they look up its tokens again.

import { notValid } from '../../contract/codes/english/values.ts';
import type { Sql } from '../database/index.ts';
import { type AccountId, refuse, refuseFault } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { signFees } from './fees.ts';
import { writeOwnPrices } from './prices/prices.ts';
import {
  type AccountSettings,
  countSellers,
  findSettings,
  lockAccount,
  type StoredSettings,
  updateSettings,
} from './store.ts';

/** Changes the given settings and returns all of them as they are afterwards. */
export function changeAccount(tools: Tools, id: AccountId, change: Partial<AccountSettings>): Promise<StoredSettings> {
  return tools.db.atomic(async (sql) => {
    await lockAccount(sql, id);
    const settings = (await findSettings(sql, id)) ?? refuse('not_found');
    const changed = { ...settings, ...change };
    await checkProgram(sql, id, settings, changed);
    await updateSettings(
      sql,
      id,
      { ...changed, feesMac: signFees(tools.vault, { ...changed, id }) },
      tools.clock.now(),
    );
    await writeOwnPrices(tools.vault, sql, id, { fees: changed, before: settings, now: tools.clock.now() });
    return changed;
  });
}

/** The partner program: a partner with sellers stays in it, a seller belongs to a partner and cannot join it. */
async function checkProgram(sql: Sql, id: AccountId, before: AccountSettings, after: AccountSettings): Promise<void> {
  if (after.marketplaceEnabled && after.kind !== 'partner')
    refuseFault(notValid('marketplace', 'marketplace_of_partner'));
  if (before.kind === after.kind) return;
  if (before.kind === 'seller' || after.kind === 'seller') refuseFault(notValid('kind', 'seller_stays_seller'));
  if (before.kind === 'partner' && (await countSellers(sql, id, null)) > 0)
    refuseFault(notValid('kind', 'partner_keeps_sellers'));
}
