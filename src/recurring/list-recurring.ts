// R8: the recurring payments of a merchant, newest first, one page at a time, each with its dates. Also the dates of R7.

import type { Merchant } from '../accounts/index.ts';
import { type AccountId, type RecurringId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Recurring, RecurringStatus } from './model.ts';
import { type PastDate, pastDates } from './past.ts';
import { type LatestAttempt, listLatestAttempts } from './store/attempts.ts';
import { findPage, findPageOfHidden, findPageOfPayer, type RecurringPage } from './store/lists.ts';
import { findRecurring } from './store/recurring.ts';
import { type Outlook, upcoming } from './upcoming.ts';

export interface ListQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly status?: RecurringStatus;
  readonly payerEmail?: string;
  readonly hiddenDescription?: string;
}

/** A recurring payment with its dates. */
export interface Dated extends Outlook {
  readonly recurring: Recurring;
  /** Newest first. */
  readonly past: readonly PastDate[];
}

export interface DatedPage {
  readonly list: readonly Dated[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

const pastOfEach = 12;

/** Its cost grows neither with the number of recurring payments nor with that of their attempts. */
export async function listRecurring(
  tools: Pick<Tools, 'clock' | 'db'>,
  merchant: Pick<Merchant, 'id'>,
  query: ListQuery,
): Promise<DatedPage> {
  const { page = 1, limit = 35 } = query;
  const { list, total } = await findList(tools, merchant, query, limit, (page - 1) * limit);
  return { list: await withDates(tools, list, { past: pastOfEach, coming: 1 }), page, limit, total };
}

/** By the narrowest filter: a payer, then a hiddenDescription. */
function findList(
  { db }: Pick<Tools, 'db'>,
  { id }: Pick<Merchant, 'id'>,
  { status = null, payerEmail = null, hiddenDescription = null }: NullableFilter,
  limit: number,
  offset: number,
): Promise<RecurringPage> {
  const filter = { status, payerEmail, hiddenDescription };
  if (payerEmail !== null) return findPageOfPayer(db.sql, id, filter, limit, offset);
  if (hiddenDescription !== null) return findPageOfHidden(db.sql, id, filter, limit, offset);
  return findPage(db.sql, id, status, limit, offset);
}

type NullableFilter = { readonly [Name in 'status' | 'payerEmail' | 'hiddenDescription']?: ListQuery[Name] | null };

/** Each with its latest dates and those that come. */
async function withDates(
  { clock, db }: Pick<Tools, 'clock' | 'db'>,
  recurrings: readonly Recurring[],
  atMost: { readonly past: number; readonly coming: number },
): Promise<Dated[]> {
  const ids = recurrings.map(({ id }) => id);
  const latest = Map.groupBy(await listLatestAttempts(db.sql, ids, atMost.past), ({ recurringId }) => recurringId);
  return recurrings.map((recurring) => {
    const own: readonly LatestAttempt[] = latest.get(recurring.id) ?? [];
    const live = own.find(({ transactionId }) => transactionId === recurring.liveTransactionId);
    return {
      recurring,
      ...upcoming(recurring, live, clock.now(), atMost.coming),
      past: pastDates(recurring.plan, recurring.progress, own, atMost.past),
    };
  });
}

/** One with its latest dates and those that come, at most `limit` of each; refuses if the account has none of that id. */
export async function findDated(
  tools: Pick<Tools, 'clock' | 'db'>,
  merchantId: AccountId,
  id: RecurringId,
  limit: number,
): Promise<Dated> {
  const recurring = await findRecurring(tools.db.sql, id);
  if (recurring?.merchantId !== merchantId) refuse('not_found');
  const [dated] = await withDates(tools, [recurring], { past: limit, coming: limit });
  return dated ?? refuse('not_found');
}
