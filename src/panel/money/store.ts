// SQL of the ledger on screen. Reads only.

import type { AccountId, Period } from '../../kernel/index.ts';
import {
  type Row,
  readBigint,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import { always, type Place } from '../list.ts';

export type MoveKind = 'payment' | 'refund' | 'refund_returned' | 'opening' | 'other';

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

export interface MoveFilter {
  readonly kind: MoveKind | null;
  /** Closed on both sides: without bounds the planner would not know that an index has them. */
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

export function filterOf(kind: MoveKind | undefined, { from, to }: Period): MoveFilter {
  return { kind: kind ?? null, from: from ?? always.from, to: to ?? always.to };
}

/** Moves of an account before a place, newest first, at most `limit`. */
export function listMoves(
  sql: Sql,
  accountId: AccountId,
  filter: MoveFilter,
  before: Place | null,
  limit: number,
): Promise<MoveRow[]> {
  const { kind, from } = filter;
  const [to, id] = before ? [before.at, before.id] : [filter.to, ''];
  // Two statements, because only one that names them can use the index of kinds other than payments.
  if (kind === null || kind === 'payment') {
    return sql.many(readMove)`
      select move.*, transaction.title, transaction.hidden_description
        from (select * from panel_move
               where account_id = ${accountId} and posted_at >= ${from} and (posted_at, journal_id) < (${to}::timestamptz, ${id}::text)
                 and (${kind}::text is null or kind = ${kind}::text)
               order by posted_at desc, journal_id desc limit ${limit}) as move
        left join transaction on transaction.id = move.transaction_id
       order by move.posted_at desc, move.journal_id desc`;
  }
  return sql.many(readMove)`
    select move.*, transaction.title, transaction.hidden_description
      from (select * from panel_move
             where account_id = ${accountId} and posted_at >= ${from} and (posted_at, journal_id) < (${to}::timestamptz, ${id}::text)
               and kind = ${kind} and kind <> 'payment'
             order by posted_at desc, journal_id desc limit ${limit}) as move
      left join transaction on transaction.id = move.transaction_id
     order by move.posted_at desc, move.journal_id desc`;
}

/** The same after a place, oldest first. */
export function listMovesAfter(
  sql: Sql,
  accountId: AccountId,
  filter: MoveFilter,
  after: Place | null,
  limit: number,
): Promise<MoveRow[]> {
  const { kind, to } = filter;
  const [from, id] = after ? [after.at, after.id] : [filter.from, ''];
  if (kind === null || kind === 'payment') {
    return sql.many(readMove)`
      select move.*, transaction.title, transaction.hidden_description
        from (select * from panel_move
               where account_id = ${accountId} and posted_at < ${to} and (posted_at, journal_id) > (${from}::timestamptz, ${id}::text)
                 and (${kind}::text is null or kind = ${kind}::text)
               order by posted_at, journal_id limit ${limit}) as move
        left join transaction on transaction.id = move.transaction_id
       order by move.posted_at, move.journal_id`;
  }
  return sql.many(readMove)`
    select move.*, transaction.title, transaction.hidden_description
      from (select * from panel_move
             where account_id = ${accountId} and posted_at < ${to} and (posted_at, journal_id) > (${from}::timestamptz, ${id}::text)
               and kind = ${kind} and kind <> 'payment'
             order by posted_at, journal_id limit ${limit}) as move
      left join transaction on transaction.id = move.transaction_id
     order by move.posted_at, move.journal_id`;
}

/** How many moves neither are nor undo a payment, in a period. Of an account there are a few in its life. */
export function countOtherMoves(sql: Sql, accountId: AccountId, { from, to }: MoveFilter): Promise<MoveCounts> {
  return sql.one((row) => ({ opening: readInteger(row, 'opening'), other: readInteger(row, 'other') }))`
    select (count(*) filter (where kind = 'opening'))::integer as opening,
           (count(*) filter (where kind = 'other'))::integer as other
      from panel_move
     where account_id = ${accountId} and kind in ('opening', 'other') and kind <> 'payment'
       and posted_at >= ${from} and posted_at < ${to}`;
}

export interface MoveCounts {
  readonly opening: number;
  readonly other: number;
}
