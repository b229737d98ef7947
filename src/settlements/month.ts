// The settlements of months: of accounts that had none for a month, because nothing was paid out to them.

import { type CutTools, insertAll } from './cut.ts';
import {
  findMonth,
  isReadSince,
  listAccountsAfter,
  listEnds,
  listWithoutWanted,
  type Monthly,
  tryCutLock,
  upsertMonth,
} from './store/cut.ts';

const accountsAtOnce = 1_000;
/** The last zone in which a month begins. */
const lastZone = 'Etc/GMT+12';

function monthAt(now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(lastZone).toPlainDate().with({ day: 1 });
}

/** Whether nothing else was settled since the month that has ended began. */
function isDue({ zone, lastAt }: Monthly, month: Temporal.PlainDate): boolean {
  const from = month.subtract({ months: 1 }).toZonedDateTime(zone).toInstant();
  return lastAt === null || Temporal.Instant.compare(lastAt, from) < 0;
}

/**
 * Once the month has begun everywhere: cuts what was posted before it, in the time zone of each account. Returns how many
 * accounts it looked at. One node at a time; one that dies is continued.
 */
export function cutMonths(tools: CutTools): Promise<number> {
  return tools.db.atomic(async (sql) => {
    if (!(await tryCutLock(sql))) return 0;
    const month = monthAt(tools.clock.now());
    const pass = await findMonth(sql);
    if (!pass) {
      await upsertMonth(sql, { month, afterId: null });
      return 0;
    }
    const isNew = Temporal.PlainDate.compare(month, pass.month) > 0;
    if (!isNew && pass.afterId === null) return 0;
    // After the service was away, the lines of the month may still be on their way.
    if (!(await isReadSince(sql, month.toZonedDateTime(lastZone).toInstant()))) return 0;
    const accounts = await listAccountsAfter(sql, isNew ? '' : (pass.afterId ?? ''), accountsAtOnce);
    const due = accounts.filter((account) => isDue(account, month));
    const free = new Set(
      await listWithoutWanted(
        sql,
        due.map(({ accountId }) => accountId),
      ),
    );
    const asked = due
      .filter(({ accountId }) => free.has(accountId))
      .map(({ accountId, zone }) => ({ accountId, before: month.toZonedDateTime(zone).toInstant() }));
    await insertAll(tools, sql, await listEnds(sql, asked), 'month');
    const last = accounts.length < accountsAtOnce ? null : (accounts.at(-1)?.accountId ?? null);
    await upsertMonth(sql, { month, afterId: last });
    return Math.max(1, accounts.length);
  });
}
