// Everything about one transaction.

import type { Merchant } from '../../accounts/index.ts';
import { refuse, type TransactionId } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { findTransaction, type Transaction } from '../../transactions/index.ts';
import {
  type BearerRow,
  type DisputeRow,
  type DisputeStepRow,
  listBearers,
  listDisputeSteps,
  listDisputesOf,
} from './read-disputes.ts';
import {
  type AttemptRow,
  type ChargeRow,
  type EventRow,
  type Facts,
  findCharge,
  findFacts,
  type JournalRow,
  listAttemptsInFull,
  listEventsOf,
  listJournals,
  listMailsOf,
  listPartsOf,
  listRefundsOf,
  listSurpluses,
  listTriesOf,
  type MailRow,
  type PartRow,
  type RefundRow,
  type SurplusRow,
  type TryRow,
} from './read-one.ts';

export interface NotificationRow extends EventRow {
  readonly tried: readonly TryRow[];
}

export interface TransactionDetail {
  readonly transaction: Transaction;
  readonly facts: Facts;
  readonly attempts: readonly AttemptRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  readonly disputeSteps: readonly DisputeStepRow[];
  /** Of a payment over several sellers. */
  readonly bearers: readonly BearerRow[];
  readonly surpluses: readonly SurplusRow[];
  readonly journals: readonly JournalRow[];
  readonly notifications: readonly NotificationRow[];
  readonly mails: readonly MailRow[];
  readonly charge: ChargeRow | undefined;
  readonly parts: readonly PartRow[];
}

/** Refuses another merchant's transaction as if it did not exist. */
export async function showTransaction(
  { db }: Pick<Tools, 'db'>,
  account: Pick<Merchant, 'id'>,
  id: TransactionId,
): Promise<TransactionDetail> {
  const { sql } = db;
  const transaction = (await findTransaction(sql, account.id, id)) ?? refuse('not_found');
  const { origin } = transaction;
  const [facts, paid, charge, refunds, disputes, parts] = await Promise.all([
    findFacts(sql, account.id, id),
    listAttemptsInFull(sql, id),
    origin === 'recurring' ? findCharge(sql, id) : undefined,
    listRefundsOf(sql, id),
    listDisputesOf(sql, id),
    origin === 'marketplace' ? listPartsOf(sql, id) : [],
  ]);
  const attempts = charge ? [attemptOf(id, charge)] : paid;
  const attemptIds = attempts.map((attempt) => attempt.id);
  const refundIds = refunds.map((refund) => refund.id);
  const disputeIds = disputes.map((dispute) => dispute.id);
  const [disputeSteps, bearers] = await Promise.all([
    listDisputeSteps(sql, disputeIds),
    origin === 'marketplace' ? listBearers(sql, disputeIds) : [],
  ]);
  const stepIds = disputeSteps.map((step) => step.id);
  const subjects = [id, ...refundIds, ...disputeIds];
  const [surpluses, journals, events, mails] = await Promise.all([
    listSurpluses(sql, attemptIds),
    listJournals(sql, [...attemptIds, ...refundIds, ...stepIds]),
    listEventsOf(sql, account.id, subjects),
    listMailsOf(sql, subjects),
  ]);
  const tries = Map.groupBy(
    await listTriesOf(
      sql,
      events.map((event) => event.id),
    ),
    ({ eventId }) => eventId,
  );
  const notifications = events.map((event) => ({ ...event, tried: tries.get(event.id) ?? [] }));
  const happened = { attempts, refunds, disputes, disputeSteps, bearers, surpluses, journals, notifications, mails };
  return { transaction, facts, charge, parts, ...happened };
}

/** A charge of the recurring engine is the only attempt of its transaction. */
function attemptOf(id: TransactionId, charge: ChargeRow): AttemptRow {
  return { ...charge, id, number: 1, brand: null, tail: null, expiry: null, initiator: 'merchant' };
}
