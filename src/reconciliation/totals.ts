// The sums of a run: what the statement says against what the acquirer's account in the books says, by kind. What no
// difference explains is a finding of its own.

import { applyChanges } from './apply.ts';
import { newItem } from './changes.ts';
import { isCountedAgainst, isOwnKind, ownKinds, totalKindOf } from './kinds.ts';
import type { Change, ItemKind, Keyed, Outcome, Run, Total, TotalKind } from './model.ts';
import { inRun } from './run.ts';
import type { Statement } from './statement.ts';
import { type KnownTotal, lockTotals } from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

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
  readonly #sums = new Map<ItemKind, Sums>();
  #others: readonly Omit<Total, 'runId'>[] = [];

  #of(kind: ItemKind): Sums {
    return this.#sums.get(kind) ?? none;
  }

  addBooked(kind: Keyed, minor: bigint): void {
    const sums = this.#of(kind);
    this.#sums.set(kind, { ...sums, bookedMinor: sums.bookedMinor + minor });
  }

  /** What is booked for the lines of a kind in the period, by the acquirer's clock. */
  setOurs(kind: Keyed, minor: bigint): void {
    this.#sums.set(kind, { ...this.#of(kind), oursMinor: minor });
  }

  addNamed(kind: Keyed, minor: bigint): void {
    const sums = this.#of(kind);
    this.#sums.set(kind, { ...sums, namedMinor: sums.namedMinor + minor });
  }

  /** Sums of a page of journals on the acquirer's account. */
  addOurs(page: readonly { readonly kind: ItemKind; readonly minor: bigint }[]): void {
    for (const { kind, minor } of page) {
      // These are summed up by their rows.
      if (isOwnKind(kind) || kind === 'payout') continue;
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
    const keyed = (['capture', 'refund', 'refund_returned', ...ownKinds] as const).map((kind) => {
      const { bookedMinor, namedMinor, oursMinor } = this.#of(kind);
      const { minor: repeated } = statement.repeatedOf(kind);
      const bankMinor = statement.sumOf(kind).minor;
      const total = totalOf(runId, totalKindOf(kind), {
        bankMinor,
        bookedMinor,
        oursMinor,
        namedMinor: namedMinor + repeated,
      });
      return isCountedAgainst(kind) ? negative(total) : total;
    });
    const { oursMinor } = this.#of('other');
    const other = totalOf(runId, 'other', { bankMinor: 0n, bookedMinor: oursMinor, oursMinor, namedMinor: 0n });
    const all = [...keyed, ...this.#others.map((one) => ({ ...one, runId })), other];
    return Array.from(Map.groupBy(all, ({ kind }) => kind).values(), together);
  }
}

function negative(total: Total): Total {
  return {
    ...total,
    bankMinor: -total.bankMinor,
    ourMinor: -total.ourMinor,
    elsewhereMinor: -total.elsewhereMinor,
    namedMinor: -total.namedMinor,
    unexplainedMinor: -total.unexplainedMinor,
  };
}

/** Of one kind: what payouts kept, and fees with a line of their own. */
function together(totals: readonly Total[]): Total {
  return totals.reduce(({ runId, kind, ...one }, other) => ({
    runId,
    kind,
    bankMinor: one.bankMinor + other.bankMinor,
    ourMinor: one.ourMinor + other.ourMinor,
    elsewhereMinor: one.elsewhereMinor + other.elsewhereMinor,
    namedMinor: one.namedMinor + other.namedMinor,
    unexplainedMinor: one.unexplainedMinor + other.unexplainedMinor,
  }));
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

/**
 * Names sums that differ, unless an operator has looked into just this, in a period that this one covers; closes what a
 * complete statement of the same period no longer shows. Returns how many are new.
 */
export function nameTotals(
  tools: ReconciliationTools,
  run: Run,
  totals: readonly Total[],
  isComplete: boolean,
): Promise<number> {
  return inRun(tools, run, async (sql) => {
    const known = await lockTotals(sql, run.acquirer, run);
    const context = { run, isComplete, now: tools.clock.now(), newId: () => tools.ids.ulid() };
    const changes = totals.flatMap((total) =>
      changesOf(
        context,
        total,
        known.filter(({ item }) => item.kind === total.kind),
      ),
    );
    await applyChanges(tools, sql, changes, run.id);
    return changes.filter(({ isNew }) => isNew).length;
  });
}

interface Context {
  readonly run: Run;
  readonly isComplete: boolean;
  readonly now: Temporal.Instant;
  newId(): string;
}

/** Within a period that contains an earlier one, what was off then is still in the sum: the same amount is the same thing. */
function changesOf(
  { run, isComplete, now, newId }: Context,
  { kind, unexplainedMinor: ourMinor }: Total,
  known: readonly KnownTotal[],
): Change[] {
  const { compare } = Temporal.Instant;
  const isWithin = ({ from, to }: KnownTotal) => compare(from, run.fromAt) >= 0 && compare(to, run.toAt) <= 0;
  const overlaps = ({ from, to }: KnownTotal) => compare(from, run.toAt) < 0 && compare(to, run.fromAt) > 0;
  const isSame = ({ item }: KnownTotal) => item.ourMinor === ourMinor;
  const open = known.filter(({ item }) => item.state !== 'closed');
  const over = open.filter((one) => isWithin(one) && !isSame(one));
  const closeAs = (outcome: Outcome): Change[] =>
    over.map(({ item }) => ({
      item: { ...item, seenRunId: run.id, state: 'closed', closedAt: now, outcome },
      isNew: false,
      step: 'closed',
    }));
  if (ourMinor === 0n) return isComplete ? closeAs('corrected_by_bank') : [];
  const isNamed = open.some((one) => isSame(one) && overlaps(one));
  const isConfirmed = known.some((one) => one.item.state === 'closed' && isSame(one) && isWithin(one));
  if (isNamed || isConfirmed) return closeAs('changed');
  const key = `${run.fromAt}/${run.toAt}`;
  const found = { key, kind, difference: 'total', bankMinor: null, bankAt: null, ourMinor, foundAt: now } as const;
  return [...closeAs('changed'), { item: newItem(run, { id: newId(), ...found }), isNew: true, step: 'found' }];
}
