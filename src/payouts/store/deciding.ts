// SQL that reads what decides whether an account is paid, and where; read-only.

import { type Row, readBoolean, readText, readTextOrNull, type Sql, sqlPart } from '../../database/index.ts';
import { type AccountId, knownId } from '../../kernel/index.ts';
import type { PayoutAccount, PayoutTerms } from '../model.ts';
import { payoutAccountTable, payoutTermsTable } from '../table.ts';

export interface Deciding {
  readonly accountId: AccountId;
  /** Undefined: it has chosen nothing. */
  readonly terms: PayoutTerms | undefined;
  readonly place: PayoutAccount | undefined;
  /** As the history of blocks says. */
  readonly isBlocked: boolean;
}

const readPlace = payoutAccountTable.reader('place_');
const readTerms = payoutTermsTable.reader('terms_');

/** Of a query that has `account_id`, terms and these columns. */
export const readDeciding = (row: Row): Deciding => ({
  accountId: knownId(readText(row, 'account_id')),
  terms: readTextOrNull(row, 'terms_account_id') === null ? undefined : readTerms(row),
  place: readTextOrNull(row, 'place_id') === null ? undefined : readPlace(row),
  isBlocked: readBoolean(row, 'is_blocked'),
});

export const decidingColumns = sqlPart`
  ${payoutTermsTable.selected('terms', 'terms_')}, ${payoutAccountTable.selected('place', 'place_')},
  exists (select from payout_block as block
           where block.account_id = terms.account_id and block.released_at is null) as is_blocked`;

/** Where these payouts go, and the terms of their accounts. */
export function listDecidingOf(sql: Sql, payoutIds: readonly string[]): Promise<Deciding[]> {
  return sql.many(readDeciding)`
    select payout.account_id, ${decidingColumns}
      from (select distinct account_id, payout_account_id from payout where id = any(${payoutIds}::text[])) as payout
      left join payout_account as place on place.id = payout.payout_account_id
      left join payout_terms as terms on terms.account_id = payout.account_id`;
}
