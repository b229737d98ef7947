// Captures that belong to nobody go back to their payers, after an operator's decision: what they add to the path of
// outgoing refunds.

import { unresolvedReason } from '../../contract/codes/parking.ts';
import type { OutgoingMove, OutgoingPurpose } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { post } from '../ledger/index.ts';
import type { Item } from './model.ts';
import { afterReturn, givenBackJournal, type ReturnStep, returned } from './rules.ts';
import { closeItems, isBooked, lockItems, parkItems } from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

/** What cannot go back is the operator's again, as the difference that it was. */
export function unallocatedPurpose(tools: Pick<ReconciliationTools, 'db' | 'ids'>): OutgoingPurpose<Item, ReturnStep> {
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
  { ids }: Pick<ReconciliationTools, 'ids'>,
  sql: Sql,
  moves: readonly OutgoingMove<Item, ReturnStep>[],
  now: Temporal.Instant,
): Promise<void> {
  const done = moves.filter(({ step }) => step.kind === 'done');
  const stopped = moves.flatMap(({ after: { id }, step }) =>
    step.kind === 'held' || step.kind === 'returned' ? [{ id, why: unresolvedReason(step.why) }] : [],
  );
  if (stopped.length > 0) await parkItems(sql, stopped);
  if (done.length === 0) return;
  await closeItems(
    sql,
    done.map(({ after }) => after.id),
    returned,
    now,
  );
  await post(
    sql,
    ids,
    done.map(({ after, outgoing }) => givenBackJournal(after, outgoing.id)),
    now,
  );
}
