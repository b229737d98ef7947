// The tables of disputes, column by column. The types of the model come from here.

import type { UnresolvedCode } from '../../contract/codes/parking.ts';
import { bigint, instant, integer, nullable, table, text, textAs, textFrom } from '../database/index.ts';
import { type AccountId, currencyFrom, type DisputeId, type TransactionId } from '../kernel/index.ts';

export type DisputeState = 'opened' | 'won' | 'lost';
export type StepKind = DisputeState | 'changed' | 'shared';

export const disputeTable = table('dispute', {
  id: textAs<DisputeId>(),
  acquirer: text,
  /** The acquirer's reference. */
  key: text,
  chargeId: text,
  transactionId: textAs<TransactionId>(),
  merchantId: textAs<AccountId>(),
  currency: textFrom(currencyFrom),
  amountMinor: bigint,
  /** Of the amount, what was given back when it was won. */
  returnedMinor: bigint,
  state: textAs<DisputeState>(),
  /** In the acquirer's words; empty if only its statement names it. */
  reason: text,
  respondUntil: nullable(instant),
  openedAt: instant,
  endedAt: nullable(instant),
  /** By the acquirer's clock. */
  saidAt: nullable(instant),
  steps: integer,
  parkedAt: nullable(instant),
  parkedWhy: nullable(textAs<UnresolvedCode>()),
  /** Since when an operator knows that the payer gets more than was paid. */
  seenAt: nullable(instant),
  /** When an operator is asked again, while the acquirer is to correct its statement. */
  parkAt: nullable(instant),
  /** What we bear in addition to the accounts, because an operator decided so; negative: what the acquirer never took. */
  lostMinor: bigint,
});

export const disputeStepTable = table('dispute_step', {
  /** Also the source of its journal. */
  id: text,
  disputeId: textAs<DisputeId>(),
  number: integer,
  kind: textAs<StepKind>(),
  state: textAs<DisputeState>(),
  amountMinor: bigint,
  returnedMinor: bigint,
  at: instant,
});

export const disputeShareTable = table('dispute_share', {
  stepId: text,
  accountId: textAs<AccountId>(),
  /** Negative: given back. */
  amountMinor: bigint,
});

export const disputeUnclaimedTable = table('dispute_unclaimed', {
  id: text,
  acquirer: text,
  key: text,
  /** As the acquirer names it. */
  chargeKey: text,
  currency: textFrom(currencyFrom),
  amountMinor: bigint,
  returnedMinor: bigint,
  state: textAs<DisputeState>(),
  reason: text,
  respondUntil: nullable(instant),
  saidAt: nullable(instant),
  heardAt: instant,
  /** When an operator is asked, unless it is claimed before. */
  parkAt: instant,
  parkedAt: nullable(instant),
  parkedWhy: nullable(textAs<UnresolvedCode | 'dispute_unclaimed'>()),
  /** What we bear ourselves, because an operator said so. */
  lostMinor: bigint,
  /** Of that, what we had of the payer's money: it is no loss. */
  coveredMinor: bigint,
  claimedAt: nullable(instant),
});

export const disputeLossTable = table('dispute_loss', {
  /** Also the source of its journal. */
  id: text,
  unclaimedId: nullable(text),
  disputeId: nullable(textAs<DisputeId>()),
  amountMinor: bigint,
  /** Of that, what we had of the payer's money. */
  coveredMinor: bigint,
  at: instant,
});
