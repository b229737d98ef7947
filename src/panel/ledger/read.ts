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
  shown: 'transaction.title, transaction.hidden_description',
  joins: 'left join transaction on transaction.id = page.transaction_id',
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
