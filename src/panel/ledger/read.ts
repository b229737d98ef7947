// SQL of the ledger on screen. Reads only.

import type { moveKinds } from '../../../contract/panel/money.ts';
import {
  type Row,
  readBigint,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
  sqlPart,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { List } from '../list/read.ts';

export type MoveKind = (typeof moveKinds)[number];

/** What a journal means for the account; signed as the account sees it. */
export interface MoveRow {
  readonly journalId: string;
  readonly at: Temporal.Instant;
  readonly kind: MoveKind;
  readonly transactionId: string | null;
  readonly title: string | null;
  readonly hiddenDescription: string | null;
  /** False: the transaction is its partner's. */
  readonly isOwn: boolean;
  /** Of a dispute. */
  readonly reason: string | null;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly commissionMinor: bigint;
  readonly otherMinor: bigint;
  readonly volumeMinor: bigint;
}

const readMove = (row: Row): MoveRow => ({
  journalId: readText(row, 'journal_id'),
  at: readInstant(row, 'posted_at'),
  kind: readText(row, 'kind') as MoveKind,
  transactionId: readTextOrNull(row, 'transaction_id'),
  title: readTextOrNull(row, 'title'),
  hiddenDescription: readTextOrNull(row, 'hidden_description'),
  isOwn: row.is_own === true,
  reason: readTextOrNull(row, 'reason'),
  amountMinor: readBigint(row, 'amount_minor'),
  feeMinor: readBigint(row, 'fee_minor'),
  commissionMinor: readBigint(row, 'commission_minor'),
  otherMinor: readBigint(row, 'other_minor'),
  volumeMinor: readBigint(row, 'volume_minor'),
});

/** What moved the balance of an account, newest first. */
const moveList: List<MoveRow> = {
  rows: 'panel_move',
  account: 'account_id',
  at: 'posted_at',
  id: 'journal_id',
  idType: 'text',
  scanned: null,
  shown: `transaction.title, transaction.merchant_id = page.account_id as is_own, disputed.reason,
    case transaction.merchant_id when page.account_id then transaction.hidden_description else part.hidden_description end
      as hidden_description`,
  // A seller sees what was written for it, and not what its partner wrote for itself.
  joins: `left join transaction on transaction.id = page.transaction_id
    left join lateral (
      select string_agg(nullif(hidden_description, ''), ', ' order by number) as hidden_description from transaction_part
       where transaction.merchant_id <> page.account_id and transaction_part.transaction_id = page.transaction_id
         and transaction_part.merchant_id = page.account_id) as part on true
    left join lateral (
      select dispute.reason from journal
        join dispute_step as step on step.id = journal.source join dispute on dispute.id = step.dispute_id
       where page.kind in ('dispute', 'dispute_returned') and journal.id = page.journal_id) as disputed on true`,
  read: readMove,
};

/** Payments are most of the moves; the others have an index, which only a statement that names them can use. */
export function movesOf(kind: MoveKind | undefined): List<MoveRow> {
  if (kind === undefined || kind === 'payment') return moveList;
  return { ...moveList, rows: sqlPart`(select * from panel_move where kind = ${kind} and kind <> 'payment')` };
}

/** Whole days of the account's time zone. */
export interface Days {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/** How many moves neither are nor undo a payment, in a period. Of an account there are a few in its life. */
export function countOtherMoves(sql: Sql, accountId: AccountId, { from, to }: Days): Promise<MoveCounts> {
  return sql.one((row) => ({
    dispute: readInteger(row, 'dispute'),
    dispute_returned: readInteger(row, 'dispute_returned'),
    opening: readInteger(row, 'opening'),
    other: readInteger(row, 'other'),
  }))`
    select (count(*) filter (where kind = 'dispute'))::integer as dispute,
           (count(*) filter (where kind = 'dispute_returned'))::integer as dispute_returned,
           (count(*) filter (where kind = 'opening'))::integer as opening,
           (count(*) filter (where kind = 'other'))::integer as other
      from panel_move
     where account_id = ${accountId} and kind in ('dispute', 'dispute_returned', 'opening', 'other') and kind <> 'payment'
       and posted_at >= ${from} and posted_at < ${to}`;
}

export interface MoveCounts {
  readonly dispute: number;
  readonly dispute_returned: number;
  readonly opening: number;
  readonly other: number;
}
