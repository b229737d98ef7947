// What must hold of recurring payments, whatever crashed or raced.

import { readText } from '../../src/platform/index.ts';
import { dueCharges, dueRecurring } from '../../src/recurring/index.ts';
import type { World } from '../../src/world.ts';

/** Every difference as one sentence. The engine should be idle. */
export async function findRecurringProblems(world: World): Promise<string[]> {
  const { sql } = world.db;
  const text = (row: Record<string, unknown>) => readText(row, 'what');
  const [due, charges] = [await dueRecurring(world), await dueCharges(world)];
  return [
    ...(due.due > 0 ? [`${due.due} recurring payments are due.`] : []),
    ...(charges.due > 0 ? [`${charges.due} charges are due to be looked up.`] : []),
    // Attempts of an iteration are dense from 1; iterations are dense from 1; a later one begins only after a success.
    ...(await sql.many(text)`
      select 'Attempts of ' || recurring_id || ' iteration ' || iteration || ' are not dense.' as what
        from recurring_attempt group by recurring_id, iteration having min(attempt) <> 1 or max(attempt) <> count(*)`),
    ...(await sql.many(text)`
      select 'Iterations of ' || recurring_id || ' are not dense.' as what
        from recurring_attempt group by recurring_id
       having min(iteration) <> 1 or max(iteration) <> count(distinct iteration)`),
    ...(await sql.many(text)`
      select 'Iteration ' || later.iteration || ' of ' || later.recurring_id || ' began before the one before was paid.' as what
        from recurring_attempt as later
       where later.iteration > 1 and later.attempt = 1
         and not exists (select from recurring_attempt as earlier
                          where earlier.recurring_id = later.recurring_id and earlier.iteration = later.iteration - 1
                            and earlier.state = 'correct')`),
    // An active one has something ahead of it or on its way; an ended one has nothing.
    ...(await sql.many(text)`
      select 'Recurring ' || id || ' is ' || status || ', and nothing or something wrong is ahead of it.' as what
        from recurring
       where (status = 'active' and (due_at is null) = (live_transaction_id is null))
          or (status <> 'active' and due_at is not null)`),
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
