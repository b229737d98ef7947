// SQL of bank accounts and terms. Owns: payout_account, payout_terms. Lock order: what rows come to (`payout_signed`), terms,
// payouts, balances. The row of terms is what whoever changes anything of an account's payouts locks.

import type { Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { PayoutAccount, PayoutTerms } from '../model.ts';
import { payoutAccountTable, payoutTermsTable } from '../table.ts';

export function findTerms(sql: Sql, id: AccountId): Promise<PayoutTerms | undefined> {
  return sql.maybeOne(payoutTermsTable.read)`select * from payout_terms where account_id = ${id}`;
}

/** The same, locked. */
export function lockTerms(sql: Sql, id: AccountId): Promise<PayoutTerms | undefined> {
  return sql.maybeOne(payoutTermsTable.read)`select * from payout_terms where account_id = ${id} for update`;
}

export async function upsertTerms(sql: Sql, terms: PayoutTerms): Promise<void> {
  const { accountId, schedule, days, delayDays, minimumMinor, keepBackMinor, blockedAt, blockedBy, modifiedAt, mac } =
    terms;
  await sql.run`
    insert into payout_terms (account_id, schedule, days, delay_days, minimum_minor, keep_back_minor, blocked_at, blocked_by,
                              modified_at, mac)
    values (${accountId}, ${schedule}, ${days}, ${delayDays}, ${minimumMinor}, ${keepBackMinor}, ${blockedAt}, ${blockedBy},
            ${modifiedAt}, ${mac})
    on conflict (account_id) do update
       set schedule = excluded.schedule, days = excluded.days, delay_days = excluded.delay_days,
           minimum_minor = excluded.minimum_minor, keep_back_minor = excluded.keep_back_minor,
           blocked_at = excluded.blocked_at, blocked_by = excluded.blocked_by, modified_at = excluded.modified_at,
           mac = excluded.mac`;
}

/** Where the payouts of an account go now. */
export function findPlace(sql: Sql, id: AccountId): Promise<PayoutAccount | undefined> {
  return sql.maybeOne(payoutAccountTable.read)`
    select * from payout_account where account_id = ${id} and replaced_at is null`;
}

export function insertPlace(sql: Sql, place: PayoutAccount): Promise<void> {
  return payoutAccountTable.copy(sql, [place]);
}

/** What of a bank account ever changes. */
export async function updatePlace(
  sql: Sql,
  { id, verifiedBy, verifiedAt, replacedAt, mac }: PayoutAccount,
): Promise<void> {
  await sql.run`
    update payout_account
       set verified_by = ${verifiedBy}, verified_at = ${verifiedAt}, replaced_at = ${replacedAt}, mac = ${mac}
     where id = ${id}`;
}
