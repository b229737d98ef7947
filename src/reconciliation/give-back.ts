// Captures that belong to nobody go back to their payers, after an operator's decision: what they add to the path of
// outgoing refunds.

import { unresolvedReason } from '../../contract/codes/parking.ts';
import {
  listDisputed,
  type Outgoing,
  type OutgoingMove,
  type OutgoingPurpose,
  type OutgoingResult,
} from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { type Journal, post, returnCameBackJournal, unmatchedReturnedJournal } from '../ledger/index.ts';
import { applyChanges } from './apply.ts';
import type { Change, Item, StepRecord } from './model.ts';
import { amountsIn } from './record.ts';
import { afterReturn, type ReturnStep } from './rules.ts';
import { isBooked, lockItems } from './store/items.ts';
import { listDecidedReturns } from './store/records.ts';
import type { ReconciliationTools } from './tools.ts';

type ReturnTools = Pick<ReconciliationTools, 'db' | 'ids' | 'clock' | 'vault'>;

/** What cannot go back is the operator's again, as the difference that it was. */
export function unallocatedPurpose(tools: ReturnTools): OutgoingPurpose<Item, ReturnStep> {
  return {
    purpose: 'unallocated',
    notPaid: { kind: 'declined' },
    find: async (sql, rows) => {
      const items = await lockItems(
        sql,
        rows.map(({ subjectId }) => subjectId),
      );
      const byId = new Map(items.map((item) => [item.id, item]));
      return new Map(
        rows.flatMap(({ id, subjectId }) => {
          const item = byId.get(subjectId);
          return item ? [[id, item] as const] : [];
        }),
      );
    },
    after: (outgoing, _item, result) => afterReturn(outgoing, result),
    moved: (item) => item,
    applySteps: (sql, moves, now) => applySteps(tools, sql, moves, now),
    objection: (outgoing) => objectionTo(tools, outgoing),
    listDisputed,
  };
}

/** Also of what was sent before: what the bank does not know is sent again. */
async function objectionTo({ db: { sql } }: ReturnTools, outgoing: Outgoing): Promise<OutgoingResult | undefined> {
  if (await isBooked(sql, outgoing.chargeKey)) return { kind: 'park', why: 'settled_by_payment' };
  const [decided] = await listDecidedReturns(sql, [outgoing.subjectId]);
  return decided && isAsDecided(outgoing, decided) ? undefined : { kind: 'park', why: 'return_changed' };
}

/** Whether what goes back is what the last decision says, by its record. */
export function isAsDecided(
  { acquirer, amountMinor, chargeKey }: Pick<Outgoing, 'acquirer' | 'amountMinor' | 'chargeKey'>,
  record: StepRecord,
): boolean {
  const { bankMinor } = amountsIn(record.content);
  return record.acquirer === acquirer && record.key === chargeKey && bankMinor === amountMinor;
}

async function applySteps(
  tools: ReturnTools,
  sql: Sql,
  moves: readonly OutgoingMove<Item, ReturnStep>[],
  now: Temporal.Instant,
): Promise<void> {
  await applyChanges(
    tools,
    sql,
    moves.flatMap((move) => changeOf(move, now)),
    null,
  );
  const journals = moves.flatMap(({ outgoing: { id: source, acquirer, currency, amountMinor }, step }): Journal[] => {
    const capture = { source, acquirer, currency, amountMinor };
    return [
      ...(isPaid(step) ? [unmatchedReturnedJournal(capture)] : []),
      ...(step.kind === 'cameBack' ? [returnCameBackJournal(capture, 'unmatched came back')] : []),
    ];
  });
  await post(sql, tools.ids, journals, now);
}

function isPaid(step: ReturnStep): boolean {
  return step.kind === 'done' || (step.kind === 'cameBack' && step.first === 'done');
}

function changeOf({ after: item, step }: OutgoingMove<Item, ReturnStep>, now: Temporal.Instant): Change[] {
  if (isPaid(step)) {
    const closed = { ...item, state: 'closed', closedAt: now, outcome: 'returned' } as const;
    return item.state === 'closed' ? [] : [{ item: closed, isNew: false, step: 'returned' }];
  }
  if ((step.kind !== 'held' && step.kind !== 'returned') || item.state !== 'returning') return [];
  return [{ item: { ...item, state: 'parked', why: unresolvedReason(step.why) }, isNew: false, step: 'parked' }];
}
