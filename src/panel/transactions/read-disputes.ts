// SQL of the disputes of one transaction. Reads only.

import type { disputeStates } from '../../../contract/panel/transactions.ts';
import { readBigint, readInstant, readInstantOrNull, readText, type Sql } from '../../database/index.ts';
import type { TransactionId } from '../../kernel/index.ts';

type State = (typeof disputeStates)[number];

export interface DisputeRow {
  readonly id: string;
  readonly state: State;
  readonly amountMinor: bigint;
  /** Of the amount, what was given back. */
  readonly returnedMinor: bigint;
  /** In the acquirer's words. */
  readonly reason: string;
  readonly respondUntil: Temporal.Instant | null;
  readonly openedAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | null;
}

/** The newest first, at most 200. */
export function listDisputesOf(sql: Sql, id: TransactionId): Promise<DisputeRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    state: readText(row, 'state') as State,
    amountMinor: readBigint(row, 'amount_minor'),
    returnedMinor: readBigint(row, 'returned_minor'),
    reason: readText(row, 'reason'),
    respondUntil: readInstantOrNull(row, 'respond_until'),
    openedAt: readInstant(row, 'opened_at'),
    endedAt: readInstantOrNull(row, 'ended_at'),
  }))`
    select id, state, amount_minor, returned_minor, reason, respond_until, opened_at, ended_at
      from dispute where transaction_id = ${id} order by opened_at desc, id desc limit 200`;
}

export interface BearerRow {
  readonly disputeId: string;
  readonly accountId: string;
  readonly name: string;
  readonly minor: bigint;
}

/** From whose balances these disputes took what they have not given back, largest amounts first. */
export function listBearers(sql: Sql, disputeIds: readonly string[]): Promise<BearerRow[]> {
  return sql.many((row) => ({
    disputeId: readText(row, 'dispute_id'),
    accountId: readText(row, 'account_id'),
    name: readText(row, 'name'),
    minor: readBigint(row, 'minor'),
  }))`
    select step.dispute_id, share.account_id, account.name, sum(share.amount_minor)::bigint as minor
      from dispute_step as step
      join dispute_share as share on share.step_id = step.id
      join account on account.id = share.account_id
     where step.dispute_id = any(${disputeIds}::text[])
     group by 1, 2, 3 having sum(share.amount_minor) <> 0
     order by 1, 4 desc, 2`;
}

export interface DisputeStepRow {
  /** Also the source of its journal. */
  readonly id: string;
  readonly disputeId: string;
  readonly kind: State | 'changed' | 'shared';
  readonly amountMinor: bigint;
  readonly returnedMinor: bigint;
  readonly at: Temporal.Instant;
}

/** What happened to these disputes, in order: at most 200. */
export function listDisputeSteps(sql: Sql, disputeIds: readonly string[]): Promise<DisputeStepRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    disputeId: readText(row, 'dispute_id'),
    kind: readText(row, 'kind') as DisputeStepRow['kind'],
    amountMinor: readBigint(row, 'amount_minor'),
    returnedMinor: readBigint(row, 'returned_minor'),
    at: readInstant(row, 'at'),
  }))`
    select id, dispute_id, kind, amount_minor, returned_minor, at
      from dispute_step where dispute_id = any(${disputeIds}::text[]) order by at, dispute_id, number limit 200`;
}
