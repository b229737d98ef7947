// Invariants of recurring payments, whatever crashed or raced.

import { readText } from '../../src/platform/index.ts';
import { dueCharges, dueRecurring, verifyRecurring } from '../../src/recurring/index.ts';
import type { Tools } from '../../src/tools.ts';

/** Every difference in one sentence. The engine should be idle. */
export async function findRecurringProblems(world: Tools): Promise<string[]> {
  const { sql } = world.db;
  const text = (row: Record<string, unknown>) => readText(row, 'what');
  const [due, charges] = [await dueRecurring(world), await dueCharges(world)];
  return [
    ...(due.due > 0 ? [`${due.due} recurring payments are due.`] : []),
    ...(charges.due > 0 ? [`${charges.due} charges are due to be looked up.`] : []),
    ...(await verifyRecurring(world)),
    ...(await sql.many(text)`
      select 'Recurring ' || recurring.id || ' was charged after it ended.' as what
        from recurring join recurring_attempt on recurring_attempt.recurring_id = recurring.id
       where recurring.status <> 'active' and recurring_attempt.created_at > recurring.ended_at`),
    // Every settled attempt has exactly one event, and no other has any.
    ...(await sql.many(text)`
      select 'Charge ' || charge.transaction_id || ' is ' || charge.state || ' and has ' || coalesce(told.count, 0) || ' events.' as what
        from recurring_attempt as charge
        left join (select subject_id, count(*) as count from event where type = 'recurring' group by subject_id) as told
               on told.subject_id = charge.transaction_id
       where coalesce(told.count, 0) <> case when charge.settled_at is null then 0 else 1 end`),
  ];
}
