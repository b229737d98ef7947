// Lines that the acquirer has by itself: each is booked as the statement names it, once, with its row. What changes or
// disappears afterwards is a difference, as with everything else.

import type { Sql } from '../database/index.ts';
import { post } from '../ledger/index.ts';
import { currency } from './changes.ts';
import { isOwnKind } from './kinds.ts';
import type { BookedLine, Facts, Item, Moves } from './model.ts';
import { appendRecords, contentOfLine } from './record.ts';
import { journalOf } from './rules.ts';
import { insertLines, updateLine } from './store/lines.ts';
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

/** Writes what is booked for a line after a decision about it. */
export async function correctLine(sql: Sql, { acquirer, kind, key, ourMinor }: Item): Promise<void> {
  if (isOwnKind(kind)) await updateLine(sql, { acquirer, kind, key, amountMinor: ourMinor ?? 0n });
}
