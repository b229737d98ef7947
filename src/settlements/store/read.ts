// SQL that reads settlements and their lines. Reads only.

import {
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
  SqlText,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import { settlementTable } from '../table.ts';
import type { Settlement } from './cut.ts';

/** Newest first. */
export function listSettlements(sql: Sql, accountId: AccountId, limit: number, offset: number): Promise<Settlement[]> {
  return sql.many(settlementTable.read)`
    select * from settlement where account_id = ${accountId} order by number desc limit ${limit} offset ${offset}`;
}

/** Their numbers have no gaps. */
export function countSettlements(sql: Sql, accountId: AccountId): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select coalesce((select number from settlement_last where account_id = ${accountId}), 0) as count`;
}

export function findSettlement(sql: Sql, accountId: AccountId, id: string): Promise<Settlement | undefined> {
  return sql.maybeOne(settlementTable.read)`
    select * from settlement where id = ${id} and account_id is not distinct from ${accountId}`;
}

/** The one that explains a payout; undefined until its journal is sealed and read, some seconds after the payout. */
export function findSettlementOfPayout(
  sql: Sql,
  accountId: AccountId,
  payoutId: string,
): Promise<Settlement | undefined> {
  return sql.maybeOne(settlementTable.read)`
    select * from settlement where payout_id = ${payoutId} and account_id is not distinct from ${accountId}`;
}

/** The settlements that explain these payouts, by payout; those that are not made yet are missing. */
export async function listSettlementsOfPayouts(sql: Sql, payoutIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.many((row) => [readText(row, 'payout_id'), readText(row, 'id')] as const)`
    select payout_id, id from settlement where payout_id = any(${payoutIds}::text[])`;
  return new Map(rows);
}

/** A journal as the account sees it: what it gets is positive. */
export interface Line {
  readonly position: bigint;
  readonly journalId: string;
  readonly at: Temporal.Instant;
  /** As the journal has it. */
  readonly kind: string;
  readonly transactionId: string | null;
  readonly title: string | null;
  readonly hiddenDescription: string | null;
  /** False: the transaction is its partner's. */
  readonly isOwn: boolean;
  /** The refund, dispute or payout that it is about; null for others. */
  readonly reference: string | null;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly commissionMinor: bigint;
  readonly otherMinor: bigint;
}

const readLine = (row: Row): Line => ({
  position: readBigint(row, 'position'),
  journalId: readText(row, 'journal_id'),
  at: readInstant(row, 'posted_at'),
  kind: readText(row, 'kind'),
  transactionId: readTextOrNull(row, 'transaction_id'),
  title: readTextOrNull(row, 'title'),
  hiddenDescription: readTextOrNull(row, 'hidden_description'),
  isOwn: readBoolean(row, 'is_own'),
  reference: readTextOrNull(row, 'reference'),
  amountMinor: readBigint(row, 'amount_minor'),
  feeMinor: readBigint(row, 'fee_minor'),
  commissionMinor: readBigint(row, 'commission_minor'),
  otherMinor: readBigint(row, 'other_minor'),
});

/**
 * A page of moves with what they are about. A seller sees what was written for it, and not what its partner wrote for
 * itself. What a journal is about is told by its kind; the sources of the others are ids that nobody outside knows.
 */
const shown = new SqlText(`
  select page.position, page.journal_id, page.posted_at, journal.kind, page.transaction_id, transaction.title,
         case transaction.merchant_id when page.account_id then nullif(transaction.hidden_description, '')
              else part.hidden_description end as hidden_description,
         coalesce(transaction.merchant_id = page.account_id, false) as is_own,
         case when page.kind in ('refund', 'refund_returned') or journal.kind like 'payout%' then journal.source
              else dispute.dispute_id end as reference,
         page.amount_minor, page.fee_minor, page.commission_minor, page.other_minor
    from page
    join journal on journal.id = page.journal_id
    left join transaction on transaction.id = page.transaction_id
    left join lateral (
      select string_agg(nullif(hidden_description, ''), ', ' order by number) as hidden_description from transaction_part
       where transaction.merchant_id <> page.account_id and transaction_part.transaction_id = page.transaction_id
         and transaction_part.merchant_id = page.account_id) as part on true
    left join dispute_step as dispute
           on page.kind in ('dispute', 'dispute_returned') and dispute.id = journal.source
   order by page.position`);

type Range = Pick<Settlement, 'accountId' | 'afterPosition' | 'untilPosition'>;

/** One page of the lines, in the order of the chain. Skips the pages before it in the index. */
export function listLines(sql: Sql, settlement: Range, limit: number, offset: number): Promise<Line[]> {
  const { accountId, afterPosition, untilPosition } = settlement;
  return sql.many(readLine)`
    with page as materialized (
      select * from panel_move where account_id = ${accountId} and position > ${afterPosition} and position <= ${untilPosition}
       order by position limit ${limit} offset ${offset}
    ) ${shown}`;
}

/** The lines after a position, the next of them first. */
export function listLinesAfter(sql: Sql, settlement: Range, after: bigint, limit: number): Promise<Line[]> {
  const { accountId, untilPosition } = settlement;
  return sql.many(readLine)`
    with page as materialized (
      select * from panel_move where account_id = ${accountId} and position > ${after} and position <= ${untilPosition}
       order by position limit ${limit}
    ) ${shown}`;
}
