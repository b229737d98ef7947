// Books the lines of accepted statements, a page at a time: each page is one database transaction, and goes on where the one
// before ended.

import type { Sql } from '../database/index.ts';
import { bankLineJournal, type Journal, post } from '../ledger/index.ts';
import { matchAcquirerPayouts } from './match.ts';
import type { Bookable, Stored } from './model.ts';
import { lineId } from './rules.ts';
import { type Advance, lockUnbooked, updateBooked, updateBookedFiles } from './store/files.ts';
import { listBookable, type Range, updateUnallocated } from './store/lines.ts';
import type { Moved, StatementTools } from './tools.ts';

export const usualLinesAtOnce = 5_000;
const statementsAtOnce = 500;

/** Books everything that is accepted; returns how many lines. */
export async function bookAll(tools: StatementTools): Promise<number> {
  let all = 0;
  for (;;) {
    const booked = await bookPage(tools);
    if (booked === undefined) break;
    all += booked;
  }
  await matchAcquirerPayouts(tools);
  return all;
}

/** Undefined: nothing is left, or others are at it. */
export function bookPage(tools: StatementTools): Promise<number | undefined> {
  return tools.db.atomic(async (sql) => {
    const statements = await lockUnbooked(sql, statementsAtOnce);
    if (statements.length === 0) return undefined;
    const now = tools.clock.now();
    const { ranges, advances } = pageOf(statements, now, tools.linesAtOnce ?? usualLinesAtOnce);
    const lines = await listBookable(sql, ranges);
    await bookLines(tools, sql, lines, now);
    await updateBooked(sql, advances);
    await updateBookedFiles(sql, [...new Set(statements.map(({ fileId }) => fileId))]);
    return lines.filter(({ state }) => state !== 'repeated').length;
  });
}

/** Whole statements, and a part of the last one that has too many lines. */
function pageOf(
  statements: readonly Stored[],
  now: Temporal.Instant,
  linesAtOnce: number,
): { readonly ranges: Range[]; readonly advances: Advance[] } {
  const ranges: Range[] = [];
  const advances: Advance[] = [];
  let room = linesAtOnce;
  for (const { id, bookedLines, lines } of statements) {
    if (room <= 0) break;
    const until = Math.min(lines + 1, bookedLines + room);
    room -= until - bookedLines;
    ranges.push({ after: bookedLines === 0 ? `${id}-` : lineId(id, bookedLines - 1), until: lineId(id, until - 1) });
    advances.push({ id, bookedLines: until, bookedAt: until === lines + 1 ? now : null });
  }
  return { ranges, advances };
}

async function bookLines(
  tools: Pick<StatementTools, 'ids' | 'payouts'>,
  sql: Sql,
  lines: readonly Bookable[],
  now: Temporal.Instant,
): Promise<void> {
  const paid = await tools.payouts.settlePaid(sql, movedOf(lines, 'payout'));
  const returned = await tools.payouts.settleReturned(sql, movedOf(lines, 'payout_returned'));
  const refused = lines.filter(
    ({ id, state }) => (state === 'payout' && !paid.has(id)) || (state === 'payout_returned' && !returned.has(id)),
  );
  if (refused.length > 0)
    await updateUnallocated(
      sql,
      refused.map(({ id }) => id),
      now,
    );
  const unknown = new Set(refused.map(({ id }) => id));
  const journals = lines.flatMap((line) => journalOf(line, unknown.has(line.id)));
  await post(sql, tools.ids, journals, now);
}

/** Of a payout, the first line only: a second one is another movement. */
function movedOf(lines: readonly Bookable[], state: 'payout' | 'payout_returned'): Moved[] {
  const named = new Map<string, Moved>();
  for (const { id: lineId, amountMinor, state: own, target } of lines) {
    if (own !== state || target === null || named.has(target)) continue;
    named.set(target, { lineId, payoutId: target, amountMinor: amountMinor < 0n ? -amountMinor : amountMinor });
  }
  return [...named.values()];
}

/** A payout has a journal of its own, and what earlier statements have was booked then. */
function journalOf({ id, amountMinor, state }: Bookable, isUnknown: boolean): Journal[] {
  if (state === 'fee') return [bankLineJournal(id, 'bank fee', 'PLN', amountMinor)];
  if (state !== 'unallocated' && !isUnknown) return [];
  return [bankLineJournal(id, amountMinor > 0n ? 'bank in' : 'bank out', 'PLN', amountMinor)];
}
