// Lines that are payouts of acquirers: those are in the books already, from the acquirer's own statement.

import { byItself } from '../../contract/codes/actors.ts';
import { brokenUnique, type Sql } from '../database/index.ts';
import { bankAllocationJournal, post } from '../ledger/index.ts';
import type { Allocation, Line } from './model.ts';
import { type Found, insertAllocations, listNamed, lockLeft, updateLeft } from './store/allocations.ts';
import type { StatementTools } from './tools.ts';

type MatchTools = Pick<StatementTools, 'clock' | 'db' | 'ids'>;

/** Whichever of the two came first: the line, or the acquirer's statement. Returns how many were found. */
export async function matchAcquirerPayouts(tools: MatchTools): Promise<number> {
  const found = await listNamed(tools.db.sql);
  if (found.length === 0) return 0;
  try {
    return await tools.db.atomic((sql) => allocateNamed(tools, sql, found));
  } catch (error) {
    // Somebody has said meanwhile that another line is one of them: the next time it is not among them.
    if (brokenUnique(error) === 'bank_allocation_once') return 0;
    throw error;
  }
}

async function allocateNamed(tools: MatchTools, sql: Sql, found: readonly Found[]): Promise<number> {
  const byLine = new Map(found.map((one) => [one.lineId, one]));
  const lines = await lockLeft(sql, [...byLine.keys()]);
  const whole = lines.flatMap((line) => {
    const one = byLine.get(line.id);
    return one && one.amountMinor === line.leftMinor ? [{ line, kind: one.kind, target: one.target }] : [];
  });
  await allocate(
    tools,
    sql,
    whole.map(({ line, ...what }) => ({ line, ...what, amountMinor: line.leftMinor })),
    byItself,
  );
  return whole.length;
}

export const isFee = (kind: Allocation['kind']) => kind === 'fee' || kind === 'fee_returned';

export interface Allotted extends Pick<Allocation, 'kind' | 'target' | 'amountMinor'> {
  readonly line: Line;
}

/** Books what lines turned out to be; the caller holds their locks. What is left of a line stays parked. */
export async function allocate(
  { clock, ids }: Pick<StatementTools, 'clock' | 'ids'>,
  sql: Sql,
  allotted: readonly Allotted[],
  person: string,
): Promise<void> {
  if (allotted.length === 0) return;
  const at = clock.now();
  const allocations = allotted.map(
    ({ line, kind, target, amountMinor }): Allocation => ({
      id: ids.ulid(at),
      bankLineId: line.id,
      kind,
      target,
      amountMinor,
      person,
      at,
      undoneBy: null,
      undoneAt: null,
    }),
  );
  await insertAllocations(sql, allocations);
  await updateLeft(
    sql,
    allotted.map(({ line: { id, leftMinor, parkedAt }, amountMinor }) => ({
      id,
      leftMinor: leftMinor - amountMinor,
      parkedAt: leftMinor === amountMinor ? null : parkedAt,
    })),
  );
  const journals = allocations.map(({ id, kind, amountMinor }) =>
    bankAllocationJournal(id, isFee(kind) ? 'bank line fee' : 'bank line matched', 'PLN', amountMinor),
  );
  await post(sql, ids, journals, at);
}
