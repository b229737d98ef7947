// What an operator says about a line that nobody knows.

import { brokenUnique, type Sql } from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import { bankAllocationJournal, post } from '../ledger/index.ts';
import { movedBy } from './book.ts';
import { AllocationFault } from './fault.ts';
import { allocate, isFee } from './match.ts';
import type { Allocation, Line } from './model.ts';
import {
  findDecided,
  findUnderway,
  isAllocated,
  lockBooked,
  lockCharged,
  lockLeft,
  updateLeft,
  updateUndone,
} from './store/allocations.ts';
import type { AllocationKind } from './table.ts';
import type { StatementTools } from './tools.ts';

export type LineDecision =
  | { readonly kind: Exclude<AllocationKind, 'fee' | 'fee_returned'>; readonly target: string }
  /** The bank's charge, and a charge that the bank gives back. */
  | { readonly kind: 'fee' | 'fee_returned' }
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
  if (!('target' in decision)) {
    await checkFee(sql, line, decision.kind);
    return { line, kind: decision.kind, target: null, amountMinor: line.leftMinor };
  }
  const { kind, target } = decision;
  if (kind === 'payout' || kind === 'payout_returned')
    return { line, kind, target, amountMinor: await settled(tools, sql, line, { kind, target }) };
  if (await isAllocated(sql, kind, target))
    throw new AllocationFault({ code: 'payout_arrived', parameters: { payout: target } });
  return { line, kind, target, amountMinor: await arrived(sql, line, kind, target) };
}

/** The bank gives back no more than it has charged: anything else that came is somebody's, and no income of ours. */
async function checkFee(sql: Sql, { leftMinor }: Line, kind: 'fee' | 'fee_returned'): Promise<void> {
  if (kind === 'fee') {
    if (leftMinor > 0n) throw new AllocationFault({ code: 'fee_came', parameters: {} });
    return;
  }
  if (leftMinor < 0n) throw new AllocationFault({ code: 'fee_left', parameters: {} });
  const chargedMinor = await lockCharged(sql);
  if (leftMinor <= chargedMinor) return;
  const [charged, line] = [decimalText(chargedMinor), decimalText(leftMinor)];
  throw new AllocationFault({ code: 'fee_not_charged', parameters: { charged, line } });
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
  return new AllocationFault({ code: 'payout_has_other_amount', parameters: { payout, amount, line } });
}

/**
 * Takes a decision back that was wrong, in the books too: the line waits again. What was decided stays, with who said that it
 * was wrong. Throws an `AllocationFault` if it cannot be so; then nothing is changed.
 */
export async function undoDecision(
  tools: DecideTools,
  lineId: string,
  decision: LineDecision,
  person: string,
): Promise<void> {
  await tools.db.atomic(async (sql) => {
    const line = await lockBooked(sql, lineId);
    const unknown = new AllocationFault({ code: 'decision_unknown', parameters: {} });
    if (!line) throw unknown;
    const at = tools.clock.now();
    if (decision.kind === 'suspense') {
      if (line.leftMinor === 0n || line.parkedAt !== null) throw unknown;
      return updateLeft(sql, [{ ...line, parkedAt: at }]);
    }
    const target = 'target' in decision ? decision.target : null;
    const decided = await findDecided(sql, lineId, decision.kind, target);
    if (!decided) throw unknown;
    await undoAllocation(tools, sql, { line, decided: { ...decided, undoneBy: person, undoneAt: at }, at });
  });
}

interface Undone {
  readonly line: Line;
  readonly decided: Allocation;
  readonly at: Temporal.Instant;
}

async function undoAllocation(tools: DecideTools, sql: Sql, { line, decided, at }: Undone): Promise<void> {
  const { id, kind, target, amountMinor } = decided;
  const isOurs = kind === 'payout' || kind === 'payout_returned';
  if (isOurs && target !== null && !(await tools.payouts.undoMoved(sql, { lineId: line.id, payoutId: target })))
    throw new AllocationFault({ code: 'payout_moved_since', parameters: { payout: target } });
  await updateUndone(sql, decided);
  await updateLeft(sql, [{ id: line.id, leftMinor: line.leftMinor + amountMinor, parkedAt: at }]);
  const undone = isFee(kind) ? 'bank line fee undone' : 'bank line matched undone';
  await post(sql, tools.ids, [bankAllocationJournal(id, undone, 'PLN', -amountMinor)], at);
  // A charge, or what the bank kept of a payout, may be among what it has given back.
  if ((await lockCharged(sql)) < 0n) throw new AllocationFault({ code: 'fee_given_back', parameters: {} });
}
