// Books the lines of accepted statements, a page at a time: each page is one database transaction, and goes on where the one
// before ended.

import type { Sql } from '../database/index.ts';
import { bankLineJournal, type Journal, post } from '../ledger/index.ts';
import { matchAcquirerPayouts } from './match.ts';
import type { Bookable, Stored } from './model.ts';
import { isReturn, lineId } from './rules.ts';
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
  const refused = await settlePayouts(tools, sql, lines);
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

/** A bank pays, gets it back and pays again; more often within a page it is something else. */
const roundsAtMost = 4;

/** Returns the lines that are not the payouts that they name. Of each payout one line follows the other, as it left and came. */
async function settlePayouts(
  { payouts }: Pick<StatementTools, 'payouts'>,
  sql: Sql,
  lines: readonly Bookable[],
): Promise<Bookable[]> {
  let left = lines.filter(({ state }) => state === 'payout');
  let back = lines.filter(({ state }) => state === 'payout_returned');
  for (let round = 0; round < roundsAtMost && left.length + back.length > 0; round += 1) {
    const paid = await payouts.settlePaid(sql, firstOfEach(left));
    const returned = await payouts.settleReturned(sql, firstOfEach(back));
    if (paid.size + returned.size === 0) break;
    left = left.filter(({ id }) => !paid.has(id));
    back = back.filter(({ id }) => !returned.has(id));
  }
  return [...left, ...back];
}

function firstOfEach(lines: readonly Bookable[]): Moved[] {
  const named = new Map<string, Moved>();
  for (const line of lines)
    if (line.target !== null && !named.has(line.target)) named.set(line.target, movedBy(line, line.target, false));
  return [...named.values()];
}

/** What a line says of a payout. */
export function movedBy(line: Omit<Bookable, 'state' | 'target'>, payoutId: string, isDecided: boolean): Moved {
  const { id: lineId, amountMinor, returnReason } = line;
  return {
    lineId,
    payoutId,
    amountMinor: amountMinor < 0n ? -amountMinor : amountMinor,
    isReturn: isReturn(line),
    returnCode: returnReason,
    isDecided,
  };
}

/** A payout has a journal of its own, and what earlier statements have was booked then. */
function journalOf({ id, amountMinor, state }: Bookable, isUnknown: boolean): Journal[] {
  if (state === 'fee') return [bankLineJournal(id, 'bank fee', 'PLN', amountMinor)];
  if (state !== 'unallocated' && !isUnknown) return [];
  return [bankLineJournal(id, amountMinor > 0n ? 'bank in' : 'bank out', 'PLN', amountMinor)];
}
