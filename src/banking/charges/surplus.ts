// Money that was captured but belongs to the payer: what it adds to the path of outgoing refunds.

import { post, refundExecutedJournal, returnCameBackJournal } from '../../ledger/index.ts';
import type { Tools } from '../../tools.ts';
import type { NewOutgoing, Outgoing, OutgoingResult, OutgoingStep } from '../outgoing/model.ts';
import type { OutgoingPurpose } from '../outgoing/purpose.ts';
import { afterComingBack, afterDoubt } from '../outgoing/rules.ts';
import { listDisputed } from '../outgoing/store.ts';
import type { SettlingCharge } from './model.ts';

/** It never ends without the payer: what the bank refuses is parked, and tried again if an operator says so. */
export function surplusPurpose(tools: Pick<Tools, 'ids'>): OutgoingPurpose<Outgoing, OutgoingStep> {
  return {
    purpose: 'surplus',
    notPaid: { kind: 'release' },
    find: async (_sql, rows) => new Map(rows.map((row) => [row.id, row])),
    after: (outgoing, _surplus, result) => afterResult(outgoing, result),
    moved: (surplus) => surplus,
    applySteps: async (sql, moves, now) => {
      const journals = moves.flatMap(({ outgoing: { subjectId: source, acquirer, currency, amountMinor }, step }) => {
        const capture = { source, acquirer, currency, amountMinor };
        const done = step.kind === 'done' || (step.kind === 'cameBack' && step.first === 'done');
        return [
          ...(done ? [refundExecutedJournal(capture)] : []),
          ...(step.kind === 'cameBack' ? [returnCameBackJournal(capture, 'surplus came back')] : []),
        ];
      });
      await post(sql, tools.ids, journals, now);
    },
    listDisputed,
  };
}

/** What goes back of a capture that no transaction takes: all of it, now. */
export function surplusOf(id: string, charge: SettlingCharge, now: Temporal.Instant): NewOutgoing {
  const { id: chargeKey, merchantId, acquirer, currency, amountMinor } = charge;
  const facts = { id, acquirer, merchantId, currency, amountMinor, chargeKey };
  return { ...facts, purpose: 'surplus', subjectId: chargeKey, createdAt: now, nextTryAt: now };
}

function afterResult(outgoing: Outgoing, result: OutgoingResult): OutgoingStep {
  const { state, parkedAt } = outgoing;
  if (result.kind === 'cameBack') return afterComingBack(outgoing);
  if (state === 'done') return { kind: 'none' };
  switch (result.kind) {
    case 'approved':
      return { kind: 'done' };
    case 'declined':
      return state === 'sent' ? { kind: 'park', why: 'return_refused' } : { kind: 'none' };
    case 'release':
      return parkedAt === null ? { kind: 'none' } : { kind: 'released' };
    case 'hold':
    case 'cancel':
      return { kind: 'refused' };
    default:
      return state === 'sent' ? afterDoubt(result) : { kind: 'none' };
  }
}
