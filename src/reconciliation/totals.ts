// The sums of a run: what the statement says against what the acquirer's account in the books says, by kind. What no
// difference explains is a finding of its own.

import type { Item, Keyed, Run, Total, TotalKind } from './model.ts';
import { newItem, writeChanges } from './name.ts';
import type { Statement } from './statement.ts';
import { listKnown, listOpenIds, lockItems } from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

/** The key of a difference between sums. */
const totalKey = 'total';

interface Sums {
  /** Booked for the lines of the statement, whenever. */
  readonly bookedMinor: bigint;
  /** What open differences explain of the lines. */
  readonly namedMinor: bigint;
  /** Booked in the period, as the bank counts it: of a refund positive. */
  readonly oursMinor: bigint;
}

const none: Sums = { bookedMinor: 0n, namedMinor: 0n, oursMinor: 0n };

export class Tally {
  readonly #sums = new Map<TotalKind, Sums>();
  #others: readonly Omit<Total, 'runId'>[] = [];

  #of(kind: TotalKind): Sums {
    return this.#sums.get(kind) ?? none;
  }

  addBooked(kind: Keyed, minor: bigint): void {
    const sums = this.#of(kind);
    this.#sums.set(kind, { ...sums, bookedMinor: sums.bookedMinor + minor });
  }

  addNamed(kind: Keyed, minor: bigint): void {
    const sums = this.#of(kind);
    this.#sums.set(kind, { ...sums, namedMinor: sums.namedMinor + minor });
  }

  /** Sums of a page of journals on the acquirer's account. */
  addOurs(page: readonly { readonly kind: TotalKind; readonly minor: bigint }[]): void {
    for (const { kind, minor } of page) {
      const sums = this.#of(kind);
      const counted = kind === 'refund' ? -minor : minor;
      this.#sums.set(kind, { ...sums, oursMinor: sums.oursMinor + counted });
    }
  }

  /** Sums that were computed elsewhere. */
  add(totals: readonly Omit<Total, 'runId'>[]): void {
    this.#others = [...this.#others, ...totals];
  }

  totals(runId: string, statement: Statement): Total[] {
    const keyed = (['capture', 'refund'] as const).map((kind) => {
      const { bookedMinor, namedMinor, oursMinor } = this.#of(kind);
      const { minor: repeated } = statement.repeatedOf(kind);
      const bankMinor = statement.sumOf(kind).minor;
      return totalOf(runId, kind, { bankMinor, bookedMinor, oursMinor, namedMinor: namedMinor + repeated });
    });
    const { oursMinor } = this.#of('other');
    const other = totalOf(runId, 'other', { bankMinor: 0n, bookedMinor: oursMinor, oursMinor, namedMinor: 0n });
    return [...keyed, ...this.#others.map((one) => ({ ...one, runId })), other];
  }
}

export function totalOf(
  runId: string,
  kind: TotalKind,
  { bankMinor, bookedMinor, oursMinor, namedMinor }: Sums & { readonly bankMinor: bigint },
): Total {
  const elsewhereMinor = bookedMinor - oursMinor;
  const unexplainedMinor = bankMinor - bookedMinor - namedMinor;
  return { runId, kind, bankMinor, ourMinor: oursMinor, elsewhereMinor, namedMinor, unexplainedMinor };
}

/** Names sums that differ, unless an operator has looked into just this; returns how many. */
export function nameTotals(tools: ReconciliationTools, run: Run, totals: readonly Total[]): Promise<number> {
  const off = totals.filter(({ unexplainedMinor }) => unexplainedMinor !== 0n);
  if (off.length === 0) return Promise.resolve(0);
  return tools.db.atomic(async (sql) => {
    const now = tools.clock.now();
    const found: Item[] = [];
    for (const { kind, unexplainedMinor: ourMinor } of off) {
      const ids = await listOpenIds(sql, run.acquirer, kind, [totalKey]);
      if (ids.length > 0) await lockItems(sql, ids);
      const known = (await listKnown(sql, run.acquirer, kind, [totalKey])).get(totalKey);
      const totalsOf = (items: readonly Item[] = []) => items.filter(({ difference }) => difference === 'total');
      const same = [...totalsOf(known?.open), ...totalsOf(known?.closed)].some((item) => item.ourMinor === ourMinor);
      if (same) continue;
      const [open] = totalsOf(known?.open);
      const facts = { kind, key: totalKey, difference: 'total', bankMinor: null, bankAt: null, ourMinor } as const;
      const item = newItem(run, { id: open?.id ?? tools.ids.ulid(), ...facts, foundAt: open?.foundAt ?? now });
      found.push(open ? { ...item, runId: open.runId } : item);
      await writeChanges(
        tools,
        sql,
        [{ item: found.at(-1) ?? item, isNew: !open, step: open ? 'changed' : 'found' }],
        run.id,
      );
    }
    return found.length;
  });
}
