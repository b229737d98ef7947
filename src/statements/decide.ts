// What an operator says about a line that nobody knows.

import { brokenUnique, type Sql } from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import { movedBy } from './book.ts';
import { AllocationFault } from './fault.ts';
import { allocate } from './match.ts';
import type { Line } from './model.ts';
import { findUnderway, isAllocated, lockLeft, updateLeft } from './store/allocations.ts';
import type { AllocationKind } from './table.ts';
import type { StatementTools } from './tools.ts';

export type LineDecision =
  | { readonly kind: Exclude<AllocationKind, 'fee'>; readonly target: string }
  | { readonly kind: 'fee' }
  /** It stays where it is, and is no longer asked about. */
  | { readonly kind: 'suspense' };

type DecideTools = Pick<StatementTools, 'clock' | 'db' | 'ids' | 'payouts'>;

/** Throws an `AllocationFault` if it cannot be so; then nothing is changed. */
export async function decideLine(
  tools: DecideTools,
  lineId: string,
  decision: LineDecision,
  person: string,
): Promise<void> {
  try {
    await tools.db.atomic(async (sql) => {
      const [line] = await lockLeft(sql, [lineId]);
      if (!line) throw new AllocationFault({ code: 'line_not_waiting', parameters: {} });
      if (decision.kind === 'suspense') await updateLeft(sql, [{ ...line, parkedAt: null }]);
      else await allocate(tools, sql, [await allottedOf(tools, sql, line, decision)], person);
    });
  } catch (error) {
    if (brokenUnique(error) === 'bank_allocation_once' && 'target' in decision)
      throw new AllocationFault({ code: 'payout_arrived', parameters: { payout: decision.target } });
    throw error;
  }
}

async function allottedOf(
  tools: DecideTools,
  sql: Sql,
  line: Line,
  decision: Exclude<LineDecision, { kind: 'suspense' }>,
) {
  if (decision.kind === 'fee') {
    if (line.leftMinor > 0n) throw new AllocationFault({ code: 'fee_came', parameters: {} });
    return { line, kind: decision.kind, target: null, amountMinor: line.leftMinor };
  }
  const { kind, target } = decision;
  if (kind === 'payout' || kind === 'payout_returned')
    return { line, kind, target, amountMinor: await settled(tools, sql, line, { kind, target }) };
  if (await isAllocated(sql, kind, target))
    throw new AllocationFault({ code: 'payout_arrived', parameters: { payout: target } });
  return { line, kind, target, amountMinor: await arrived(sql, line, kind, target) };
}

/** What came with an opening balance may be several payouts; any other line is all of one. */
async function arrived(sql: Sql, line: Line, kind: AllocationKind, target: string): Promise<bigint> {
  const payout = await findUnderway(sql, kind, target);
  if (!payout) throw new AllocationFault({ code: 'payout_unknown', parameters: { payout: target } });
  const { amountMinor } = payout;
  const isPart = line.entry === 0 && amountMinor > 0n && amountMinor < line.leftMinor;
  if (amountMinor !== line.leftMinor && !isPart) throw differs(target, amountMinor, line);
  return amountMinor;
}

async function settled(
  { payouts }: DecideTools,
  sql: Sql,
  line: Line,
  { kind, target }: { readonly kind: 'payout' | 'payout_returned'; readonly target: string },
): Promise<bigint> {
  const isRight = kind === 'payout' ? line.leftMinor < 0n : line.leftMinor > 0n;
  const moved = [movedBy({ ...line, amountMinor: line.leftMinor }, target, true)];
  const done = !isRight
    ? new Set<string>()
    : kind === 'payout'
      ? await payouts.settlePaid(sql, moved)
      : await payouts.settleReturned(sql, moved);
  if (!done.has(line.id)) throw new AllocationFault({ code: 'payout_unknown', parameters: { payout: target } });
  return line.leftMinor;
}

function differs(payout: string, amountMinor: bigint, { leftMinor }: Line): AllocationFault {
  const [amount, line] = [decimalText(amountMinor), decimalText(leftMinor)];
  return new AllocationFault({ code: 'payout_differs', parameters: { payout, amount, line } });
}
