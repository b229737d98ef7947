// What happened to a difference and to its key before, for whoever decides.

import type { HistoryStep } from '../../contract/codes/parking.ts';
import type { ParkedItem } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import type { Item } from './model.ts';
import { amountsIn } from './record.ts';
import { listHistory } from './store/records.ts';

/** The steps of each item's key, oldest first, without the one that it is in. */
export async function historyOf(
  sql: Sql,
  items: readonly Item[],
): Promise<Map<string, NonNullable<ParkedItem['history']>>> {
  const records = await listHistory(
    sql,
    items.map(({ key }) => key),
  );
  const steps = records.map((record) => ({
    about: `${record.acquirer} ${record.kind} ${record.key}`,
    step: {
      at: record.at,
      step: record.step as HistoryStep,
      movedMinor: record.movedMinor ?? 0n,
      ...amountsIn(record.content),
    },
  }));
  const byKey = Map.groupBy(steps, ({ about }) => about);
  return new Map(
    items.map((item) => {
      const own = byKey.get(`${item.acquirer} ${item.kind} ${item.key}`) ?? [];
      return [item.id, own.map(({ step }) => step)] as const;
    }),
  );
}
