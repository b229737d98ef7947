// Writes what became of differences: their rows, records and journals.

import { cancelHeld } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { post } from '../ledger/index.ts';
import type { Change } from './model.ts';
import { noting } from './noted.ts';
import { appendRecords, contentOfItem, type NewRecord } from './record.ts';
import { journalOf } from './rules.ts';
import { insertItems, updateItems } from './store/items.ts';
import { noteGone } from './store/named.ts';
import type { ReconciliationTools } from './tools.ts';

/** Writes items with their records and journals, in the caller's database transaction, which holds their locks. */
export async function applyChanges(
  tools: Pick<ReconciliationTools, 'clock' | 'ids' | 'vault'>,
  sql: Sql,
  changes: readonly Change[],
  runId: string | null,
): Promise<void> {
  if (changes.length === 0) return;
  const items = changes.map(({ item }) => item);
  await updateItems(
    sql,
    changes.filter(({ isNew }) => !isNew).map(({ item }) => item),
  );
  await insertItems(
    sql,
    changes.filter(({ isNew }) => isNew).map(({ item }) => item),
  );
  await noteAllGone(tools, sql, changes);
  // Nobody wants it sent any more.
  const over = items.filter(({ state }) => state === 'closed' || state === 'promised').map(({ id }) => id);
  if (over.length > 0) await cancelHeld(sql, over);
  const recorded = changes.map((change) => ({ change, record: recordOf(tools.ids.ulid(), change, runId) }));
  await appendRecords(
    tools,
    sql,
    recorded.map(({ record }) => record),
  );
  const journals = recorded.flatMap(({ change: { item, moves }, record }) =>
    moves ? [journalOf(record.id, item, moves)] : [],
  );
  await post(sql, tools.ids, journals, tools.clock.now());
}

/** What the acquirer has no more: if it names it again, that is no second movement. */
async function noteAllGone(
  tools: Pick<ReconciliationTools, 'vault'>,
  sql: Sql,
  changes: readonly Change[],
): Promise<void> {
  const gone = changes.filter(({ isNew, item }) => isNew && item.difference === 'not_at_bank').map(({ item }) => item);
  for (const [acquirer, items] of Map.groupBy(gone, (item) => item.acquirer)) {
    await noting(tools, sql, acquirer, async () => ({ change: await noteGone(sql, acquirer, items, true) }));
  }
}

function recordOf(id: string, { item, step, moves }: Change, runId: string | null): NewRecord {
  return {
    id,
    step,
    acquirer: item.acquirer,
    runId,
    itemId: item.id,
    kind: item.kind,
    key: item.key,
    moves,
    content: contentOfItem(item),
  };
}
