// What happened to a transaction, in order. Pure.

import type { ParkReason } from '../../../contract/codes/parking.ts';
import type { timelineKinds } from '../../../contract/panel/transactions.ts';
import type { TransactionDetail } from './detail.ts';
import type { DisputeStepRow } from './read-disputes.ts';
import type { AttemptRow, Parked, RefundRow, SurplusRow } from './read-one.ts';

export interface Happening {
  readonly at: Temporal.Instant;
  readonly kind: (typeof timelineKinds)[number];
  /** Of what it is about. */
  readonly id: string;
  readonly status: string | null;
  readonly amountMinor: bigint | null;
  /** Why it is parked. */
  readonly why: ParkReason | null;
  /** Why a notification was not accepted, by its code. */
  readonly error: string | null;
}

type More = Partial<Pick<Happening, 'status' | 'amountMinor' | 'why' | 'error'>>;

/** Nothing, if it has not happened. */
function happened(at: Temporal.Instant | null, kind: Happening['kind'], id: string, more: More = {}): Happening[] {
  return at === null ? [] : [{ at, kind, id, status: null, amountMinor: null, why: null, error: null, ...more }];
}

/** Oldest first; what happened at the same moment in the order of its causes. */
export function timelineOf(detail: TransactionDetail): Happening[] {
  const { transaction, attempts, refunds, disputeSteps, surpluses, journals, notifications, mails } = detail;
  const { id, createdAt, paidAt, canceledAt, canceledBy, amount, amountPaidMinor } = transaction;
  const all = [
    ...happened(createdAt, 'created', id, { amountMinor: amount.minor }),
    ...attempts.flatMap(ofAttempt),
    ...happened(paidAt, 'paid', id, { amountMinor: amountPaidMinor }),
    ...happened(canceledAt, 'canceled', id, { status: canceledBy }),
    ...refunds.toReversed().flatMap(ofRefund),
    ...surpluses.flatMap(ofSurplus),
    ...ofDisputeSteps(disputeSteps),
    ...journals.flatMap((journal) => happened(journal.postedAt, 'journal', journal.id, { status: journal.kind })),
    ...notifications
      .toReversed()
      .flatMap((event) => happened(event.createdAt, 'notification', event.id, { status: event.status })),
    ...notifications.flatMap(({ id: eventId, tried }) =>
      tried.flatMap(({ at, status, error }) =>
        happened(at, 'notification_tried', eventId, {
          status: status === null ? null : String(status),
          error,
        }),
      ),
    ),
    ...mails.flatMap((mail) => happened(mail.createdAt, 'mail', mail.id, { status: mail.status })),
  ];
  return all.sort((one, other) => Temporal.Instant.compare(one.at, other.at));
}

function parkedOf(kind: Happening['kind'], id: string, { parkedAt, parkedWhy }: Parked): Happening[] {
  return happened(parkedAt, kind, id, { why: parkedWhy });
}

function ofAttempt(attempt: AttemptRow): Happening[] {
  const { id, createdAt, settledAt, state, amountMinor } = attempt;
  return [
    ...happened(createdAt, 'attempt_started', id, { amountMinor }),
    ...parkedOf('attempt_parked', id, attempt),
    ...happened(settledAt, 'attempt_ended', id, { status: state }),
  ];
}

function ofRefund(refund: RefundRow): Happening[] {
  const { id, createdAt, sentAt, endedAt, paidLateAt, cameBackAt, status, amountMinor } = refund;
  return [
    ...happened(createdAt, 'refund_requested', id, { amountMinor: -amountMinor }),
    ...happened(sentAt, 'refund_sent', id),
    ...parkedOf('refund_parked', id, refund),
    ...happened(endedAt, 'refund_ended', id, endOf(refund)),
    ...happened(paidLateAt, 'refund_paid_late', id, { amountMinor: -amountMinor }),
    ...happened(cameBackAt, 'refund_came_back', id, { amountMinor, status }),
  ];
}

/** One that came back had ended as paid. */
function endOf({ status, cameBackAt, paidLateAt }: RefundRow): Pick<Happening, 'status'> {
  const wasPaid = cameBackAt !== null && paidLateAt === null;
  return { status: wasPaid ? paidStatusOf(status) : status };
}

function paidStatusOf(status: string): string {
  return status === 'BLIK_incorrect' ? 'BLIK_processed' : 'Done';
}

/** Each step with what it took or gave back, if anything: one that was lost keeps what was taken before. */
function ofDisputeSteps(steps: readonly DisputeStepRow[]): Happening[] {
  const borne = new Map<string, bigint>();
  return steps.flatMap(({ disputeId, kind, at, amountMinor, returnedMinor }) => {
    const [before, after] = [borne.get(disputeId) ?? 0n, amountMinor - returnedMinor];
    borne.set(disputeId, after);
    return happened(at, `dispute_${kind}`, disputeId, { amountMinor: before === after ? null : before - after });
  });
}

function ofSurplus(surplus: SurplusRow): Happening[] {
  const { attemptId, createdAt, doneAt, withdrawnAt, amountMinor } = surplus;
  return [
    ...happened(createdAt, 'surplus_found', attemptId, { amountMinor }),
    ...parkedOf('surplus_parked', attemptId, surplus),
    ...happened(withdrawnAt, 'surplus_withdrawn', attemptId),
    ...happened(doneAt, 'surplus_returned', attemptId, { amountMinor: -amountMinor }),
  ];
}
