// Money that was captured but belongs to the payer: what it adds to the path of outgoing refunds.

import {
  afterDoubt,
  type NewOutgoing,
  type Outgoing,
  type OutgoingPurpose,
  type OutgoingResult,
  type OutgoingStep,
} from '../banking/index.ts';
import type { AccountId, Currency } from '../kernel/index.ts';
import { post, refundExecutedJournal } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';

/** It never ends without the payer: what the bank refuses is parked, and tried again if an operator says so. */
export function surplusPurpose(tools: Pick<Tools, 'ids'>): OutgoingPurpose<Outgoing, OutgoingStep> {
  return {
    purpose: 'surplus',
    notPaid: { kind: 'release' },
    find: async (_sql, rows) => new Map(rows.map((row) => [row.id, row])),
    after: (outgoing, _surplus, result) => afterResult(outgoing, result),
    moved: (surplus) => surplus,
    write: async (sql, moves, now) => {
      const done = moves.filter(({ step }) => step.kind === 'done');
      const journals = done.map(({ outgoing: { subjectId: source, acquirer, currency, amountMinor } }) =>
        refundExecutedJournal({ source, acquirer, currency, amountMinor }),
      );
      await post(sql, tools.ids, journals, now);
    },
  };
}

/** A charge that was captured. */
interface Captured {
  /** Its key at the acquirer. */
  readonly id: string;
  readonly merchantId: AccountId;
  readonly acquirer: string;
  readonly currency: Currency;
  readonly amountMinor: bigint;
}

/** What goes back of a capture that no transaction takes: all of it, now. */
export function surplusOf(id: string, charge: Captured, now: Temporal.Instant): NewOutgoing {
  const { id: chargeKey, merchantId, acquirer, currency, amountMinor } = charge;
  const facts = { id, acquirer, merchantId, currency, amountMinor, chargeKey };
  return { ...facts, purpose: 'surplus', subjectId: chargeKey, createdAt: now, nextTryAt: now };
}

function afterResult({ state, parkedAt }: Outgoing, result: OutgoingResult): OutgoingStep {
  if (state === 'done') return { kind: 'none' };
  switch (result.kind) {
    case 'approved':
      return { kind: 'done' };
    case 'declined':
      return state === 'sent' ? { kind: 'park', why: 'The bank refused to give it back.' } : { kind: 'none' };
    case 'release':
      return parkedAt === null ? { kind: 'none' } : { kind: 'released' };
    case 'hold':
    case 'cancel':
      return { kind: 'refused' };
    default:
      return state === 'sent' ? afterDoubt(result) : { kind: 'none' };
  }
}
