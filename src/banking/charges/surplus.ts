// Money that was captured but belongs to the payer: what it adds to the path of outgoing refunds.

import {
  type Journal,
  post,
  refundExecutedJournal,
  returnCameBackJournal,
  surplusOwedAgainJournal,
  surplusWithdrawnJournal,
} from '../../ledger/index.ts';
import type { Tools } from '../../tools.ts';
import type { Change, NewOutgoing, Outgoing, OutgoingResult, OutgoingStep } from '../outgoing/model.ts';
import type { OutgoingPurpose } from '../outgoing/purpose.ts';
import { afterComingBack, afterDoubt } from '../outgoing/rules.ts';
import { listDisputed } from '../outgoing/store.ts';
import type { SettlingCharge } from './model.ts';

/**
 * It never ends without the payer: what the bank refuses is parked, and tried again if an operator says so. What the payer got
 * by a dispute ends as well.
 */
export function surplusPurpose(tools: Pick<Tools, 'ids'>): OutgoingPurpose<Outgoing, OutgoingStep> {
  return {
    purpose: 'surplus',
    notPaid: { kind: 'release' },
    find: async (_sql, rows) => new Map(rows.map((row) => [row.id, row])),
    after: (outgoing, _surplus, result) => afterResult(outgoing, result),
    moved: (surplus) => surplus,
    applySteps: async (sql, moves, now) => {
      await post(
        sql,
        tools.ids,
        moves.flatMap(({ outgoing, step }) => journalsOf(outgoing, step)),
        now,
      );
    },
    listDisputed,
  };
}

function journalsOf({ subjectId, acquirer, currency, amountMinor }: Outgoing, step: Change<OutgoingStep>): Journal[] {
  const capture = { source: subjectId, acquirer, currency, amountMinor };
  if (step.kind === 'withdrawn') return [surplusWithdrawnJournal(capture)];
  const paid = step.kind === 'cameBack' ? step.first : step.kind;
  return [
    ...(paid === 'paidLate' ? [surplusOwedAgainJournal(capture)] : []),
    ...(paid === 'done' || paid === 'paidLate' ? [refundExecutedJournal(capture)] : []),
    ...(step.kind === 'cameBack' ? [returnCameBackJournal(capture, 'surplus came back')] : []),
  ];
}

/** What goes back of a capture that no transaction takes: all of it, now. */
export function surplusOf(id: string, charge: SettlingCharge, now: Temporal.Instant): NewOutgoing {
  const { id: chargeKey, merchantId, acquirer, currency, amountMinor } = charge;
  const facts = { id, acquirer, merchantId, currency, amountMinor, chargeKey };
  return { ...facts, purpose: 'surplus', subjectId: chargeKey, createdAt: now, nextTryAt: now };
}

function afterResult(outgoing: Outgoing, result: OutgoingResult): OutgoingStep {
  const { state, parkedAt, parkedWhy } = outgoing;
  if (state === 'canceled') return afterWithdrawal(result);
  if (result.kind === 'cameBack') return afterComingBack(outgoing);
  if (state === 'done') return { kind: 'none' };
  switch (result.kind) {
    case 'approved':
      return { kind: 'done' };
    case 'declined':
      return state === 'sent' ? { kind: 'park', why: 'return_refused' } : { kind: 'none' };
    case 'release':
      return parkedAt === null ? { kind: 'none' } : { kind: 'released' };
    case 'withdraw':
      return parkedWhy === 'return_disputed' ? { kind: 'withdrawn' } : { kind: 'refused' };
    case 'hold':
    case 'cancel':
      return { kind: 'refused' };
    default:
      return state === 'sent' ? afterDoubt(result) : { kind: 'none' };
  }
}

/** The payer has the money by a dispute, and gets it once more. */
function afterWithdrawal({ kind }: OutgoingResult): OutgoingStep {
  if (kind === 'approved') return { kind: 'paidLate', why: 'refunded_too' };
  return kind === 'cameBack' ? { kind: 'cameBack', first: 'paidLate', why: 'came_back' } : { kind: 'none' };
}
