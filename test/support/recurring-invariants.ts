// Invariants of recurring payments, whatever crashed or raced.

import { readText } from '../../src/database/index.ts';
import { dueRecurring } from '../../src/recurring/index.ts';
import type { Tools } from '../../src/tools.ts';

/** Every difference in one sentence. The engine should be idle. */
export async function findRecurringProblems(world: Tools): Promise<string[]> {
  const { sql } = world.db;
  const text = (row: Record<string, unknown>) => readText(row, 'what');
  const due = await dueRecurring(world);
  return [
    ...(due.due > 0 ? [`${due.due} recurring payments are due.`] : []),
    ...(await sql.many(text)`
      select 'Recurring ' || recurring.id || ' was charged after it ended.' as what
        from recurring join charge on charge.recurring_id = recurring.id
       where recurring.status <> 'active' and charge.created_at > recurring.ended_at`),
    // Every settled attempt has exactly one event, and no other has any.
    ...(await sql.many(text)`
      select 'Charge ' || charge.transaction_id || ' is ' || charge.state || ' and has ' || coalesce(told.count, 0) || ' events.' as what
        from charge
        left join (select subject_id, count(*) as count from event where type = 'recurring' group by subject_id) as told
               on told.subject_id = charge.transaction_id
       where charge.purpose = 'recurring' and coalesce(told.count, 0) <> case when charge.settled_at is null then 0 else 1 end`),
  ];
}
