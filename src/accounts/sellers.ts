// The sellers of a partner: creating, showing, changing and listing them.

import type { Sql } from '../database/index.ts';
import type { Once } from '../http/index.ts';
import { type AccountId, refuse } from '../kernel/index.ts';
import { findBalances, ledgerAccounts } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import type { Merchant } from './authenticate.ts';
import { createAccount } from './create.ts';
import { signFees } from './fees.ts';
import { writeOwnPrices } from './prices/prices.ts';
import { requireMarketplace } from './rules.ts';
import {
  type AccountSettings,
  countSellers,
  findSeller,
  insertPartnerSeller,
  listSellers,
  lockAccount,
  type SellerRow,
  updateSettings,
} from './store.ts';

/** A seller with its balance. */
export interface Seller extends SellerRow {
  readonly balanceMinor: bigint;
}

type Details = Partial<AccountSettings> & Pick<AccountSettings, 'name' | 'email'>;

/** Creates a seller with its point of sale and its ledger accounts, once for a request's key. */
export async function createSeller(tools: Tools, partner: Merchant, details: Details, once: Once): Promise<Seller> {
  requireMarketplace(partner);
  const id = await once(async (sql) => {
    const { zone, country, testMode } = partner;
    const made = await createAccount(tools, sql, { kind: 'seller', zone, country, testMode, ...details });
    await insertPartnerSeller(sql, partner.id, made.id);
    return made.id;
  });
  return showSeller(tools, partner, id as AccountId);
}

/** Refuses a seller of another partner as one that does not exist. */
export async function showSeller(tools: Pick<Tools, 'db'>, partner: Merchant, id: AccountId): Promise<Seller> {
  requireMarketplace(partner);
  const row = (await findSeller(tools.db.sql, partner.id, id)) ?? refuse('not_found');
  const [seller] = await withBalances(tools.db.sql, [row]);
  return seller ?? refuse('not_found');
}

/** Changes what is given, once for a request's key: a late repeat does not undo what was changed since. */
export async function changeSeller(
  tools: Tools,
  partner: Merchant,
  id: AccountId,
  change: Partial<AccountSettings>,
  once: Once,
): Promise<Seller> {
  requireMarketplace(partner);
  await once(async (sql) => {
    await lockAccount(sql, id);
    const { settings } = (await findSeller(sql, partner.id, id)) ?? refuse('not_found');
    const changed = { ...settings, ...change };
    await updateSettings(
      sql,
      id,
      { ...changed, feesMac: signFees(tools.vault, { ...changed, id }) },
      tools.clock.now(),
    );
    await writeOwnPrices(tools.vault, sql, id, { fees: changed, before: settings, now: tools.clock.now() });
    return id;
  });
  return showSeller(tools, partner, id);
}

export interface SellerQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly status?: string;
}

export async function listOwnSellers(tools: Pick<Tools, 'db'>, partner: Merchant, query: SellerQuery) {
  requireMarketplace(partner);
  const { page = 1, limit = 35, status = null } = query;
  const { sql } = tools.db;
  const [rows, total] = await Promise.all([
    listSellers(sql, partner.id, status, limit, (page - 1) * limit),
    countSellers(sql, partner.id, status),
  ]);
  return { list: await withBalances(sql, rows), page, limit, total };
}

async function withBalances(sql: Sql, rows: readonly SellerRow[]): Promise<Seller[]> {
  const balances = await findBalances(
    sql,
    rows.map(({ id }) => ledgerAccounts.available(id)),
  );
  return rows.map((row) => ({ ...row, balanceMinor: balances.get(ledgerAccounts.available(row.id)) ?? 0n }));
}
