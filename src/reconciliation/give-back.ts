// Captures that belong to nobody go back to their payers, after an operator's decision: what they add to the path of
// outgoing refunds.

import { unresolvedReason } from '../../contract/codes/parking.ts';
import type { OutgoingMove, OutgoingPurpose } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { type Journal, post, unmatchedReturnedJournal } from '../ledger/index.ts';
import type { Change, Item } from './model.ts';
import { writeChanges } from './name.ts';
import { afterReturn, type ReturnStep } from './rules.ts';
import { isBooked, lockItems } from './store/items.ts';
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
    objection: async ({ chargeKey }) =>
      (await isBooked(tools.db.sql, chargeKey)) ? { kind: 'park', why: 'settled_by_payment' } : undefined,
  };
}

async function applySteps(
  tools: ReturnTools,
  sql: Sql,
  moves: readonly OutgoingMove<Item, ReturnStep>[],
  now: Temporal.Instant,
): Promise<void> {
  await writeChanges(
    tools,
    sql,
    moves.flatMap((move) => changeOf(move, now)),
    null,
  );
  const done = moves.filter(({ step }) => step.kind === 'done');
  const journals = done.map(
    ({ outgoing: { id: source, acquirer, currency, amountMinor } }): Journal =>
      unmatchedReturnedJournal({ source, acquirer, currency, amountMinor }),
  );
  await post(sql, tools.ids, journals, now);
}

function changeOf({ after: item, step }: OutgoingMove<Item, ReturnStep>, now: Temporal.Instant): Change[] {
  if (step.kind === 'done') {
    const closed = { ...item, state: 'closed', closedAt: now, outcome: 'returned' } as const;
    return item.state === 'closed' ? [] : [{ item: closed, isNew: false, step: 'returned' }];
  }
  if ((step.kind !== 'held' && step.kind !== 'returned') || item.state !== 'returning') return [];
  return [{ item: { ...item, state: 'parked', why: unresolvedReason(step.why) }, isNew: false, step: 'parked' }];
}
