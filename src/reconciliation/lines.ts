// Lines that the acquirer has by itself: each is booked as the statement names it, once, with its row. What changes or
// disappears afterwards is a difference, as with everything else. Only the charge of a dispute follows the statement, because
// no money moves by that at the acquirer: its room is told, and what that does not agree with is a difference.

import type { Sql } from '../database/index.ts';
import { post } from '../ledger/index.ts';
import { currency, type Judged } from './changes.ts';
import { isOfDispute, isOwnKind } from './kinds.ts';
import type { BookedLine, Facts, Item, Moves } from './model.ts';
import { appendRecords, contentOfLine } from './record.ts';
import { journalOf } from './rules.ts';
import { insertLines, updateCharges, updateLine, updateUntold } from './store/lines.ts';
import type { ReconciliationTools } from './tools.ts';

interface Booking {
  readonly facts: Pick<Facts, 'kind' | 'key' | 'chargeKey' | 'what' | 'bankMinor' | 'bankAt'>;
  readonly booking?: Moves | undefined;
}

/** Books the lines that are in the statement for the first time, in the caller's database transaction. */
export async function bookLines(
  tools: ReconciliationTools,
  sql: Sql,
  run: { readonly id: string | null; readonly acquirer: string },
  steps: readonly Booking[],
): Promise<void> {
  const now = tools.clock.now();
  const booked = steps.flatMap(({ facts, booking: moves }) => {
    const { kind, key, chargeKey, what, bankMinor, bankAt } = facts;
    if (!moves || !isOwnKind(kind)) return [];
    const { acquirer } = run;
    const amountMinor = bankMinor ?? 0n;
    const line: BookedLine = {
      acquirer,
      kind,
      key,
      chargeKey,
      what,
      amountMinor,
      currency,
      at: bankAt ?? now,
      bookedAt: now,
      toldAt: null,
    };
    return [{ id: tools.ids.ulid(), line, moves }];
  });
  if (booked.length === 0) return;
  await insertLines(
    sql,
    booked.map(({ line }) => line),
  );
  await appendRecords(
    tools,
    sql,
    booked.map(({ id, line, moves }) => {
      const { acquirer, kind, key } = line;
      return {
        id,
        step: 'line_booked',
        acquirer,
        runId: run.id,
        itemId: null,
        kind,
        key,
        moves,
        content: contentOfLine(line),
      };
    }),
  );
  await post(
    sql,
    tools.ids,
    booked.map(({ id, line, moves }) => journalOf(id, line, moves)),
    now,
  );
}

/**
 * Disputes whose charge the statement names otherwise than before, in the caller's database transaction. Their room is told
 * once more, as long as it has another one: it may know the charge by now.
 */
export async function amendLines(
  tools: ReconciliationTools,
  sql: Sql,
  run: { readonly id: string; readonly acquirer: string },
  judged: readonly Pick<Judged, 'facts' | 'verdict'>[],
): Promise<void> {
  const named = judged.filter(({ facts }) => isOfDispute(facts.kind) && facts.bankMinor !== null);
  if (named.length === 0) return;
  const amended = await updateCharges(
    sql,
    run.acquirer,
    named.map(({ facts }) => facts),
  );
  const open = named.filter(({ verdict }) => verdict.kind === 'name' && verdict.difference === 'other_charge');
  await updateUntold(
    sql,
    run.acquirer,
    open.map(({ facts }) => facts),
  );
  await appendRecords(
    tools,
    sql,
    amended.map((line) => {
      const { acquirer, kind, key } = line;
      const about = { acquirer, runId: run.id, itemId: null, kind, key, moves: undefined };
      return { id: tools.ids.ulid(), step: 'line_amended', ...about, content: contentOfLine(line) };
    }),
  );
}

/** Writes what is booked for a line after a decision about it. */
export async function correctLine(sql: Sql, { acquirer, kind, key, ourMinor }: Item): Promise<void> {
  if (isOwnKind(kind)) await updateLine(sql, { acquirer, kind, key, amountMinor: ourMinor ?? 0n });
}
