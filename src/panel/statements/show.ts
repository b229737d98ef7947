// Statements by day and month: from the kept sums, each row with the balance before and after it.

import { notValid } from '../../../contract/codes/english/values.ts';
import type { Merchant } from '../../accounts/index.ts';
import { refuse, refuseFault } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { type DaySums, netOf, sumsByPoint, sumsOf } from '../counts/sums.ts';
import { readDay } from '../list/place.ts';
import { type Days, pointsOf } from '../overview/rules.ts';
import { findOpening, listDays } from '../overview/store.ts';

export interface Statement extends Days {
  readonly openingMinor: bigint;
  readonly sums: DaySums;
  readonly closingMinor: bigint;
}

export interface StatementRequest extends Days {
  readonly by: 'day' | 'month';
}

const atMost = { day: 400, month: 3_660 } as const;

/** Refuses days that do not exist, in the wrong order, or more than are shown at once. */
export function readStatementRequest(given: {
  readonly by?: 'day' | 'month';
  readonly from: string;
  readonly to: string;
}): StatementRequest {
  const { by = 'day' } = given;
  const from = readDay(given.from, 'from') ?? refuse('field_required', 'from');
  const to = readDay(given.to, 'to') ?? refuse('field_required', 'to');
  const days = from.until(to).days + 1;
  if (days < 1) refuseFault(notValid('to', 'not_before_from'));
  if (days > atMost[by]) refuseFault(notValid('to', 'within_days', { days: atMost[by] }));
  return { by, from, to };
}

/** The statements in order, and one over all of them. */
export async function showStatements(
  { db }: Pick<Tools, 'db'>,
  { id }: Pick<Merchant, 'id'>,
  request: StatementRequest,
): Promise<{ readonly rows: readonly Statement[]; readonly total: Statement }> {
  const [opening, days] = await Promise.all([findOpening(db.sql, id, request.from), listDays(db.sql, id, request)]);
  let balance = opening;
  const rows = sumsByPoint(pointsOf(request, request.by), days).map((point): Statement => {
    const openingMinor = balance;
    balance += netOf(point.sums);
    return { ...point, openingMinor, closingMinor: balance };
  });
  const total = {
    from: request.from,
    to: request.to,
    openingMinor: opening,
    sums: sumsOf(days),
    closingMinor: balance,
  };
  return { rows, total };
}
