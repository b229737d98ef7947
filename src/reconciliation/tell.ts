// What the statement says of disputes reaches their room, which knows who bears it.

import type { Callback } from '../acquirer/index.ts';
import { money } from '../kernel/index.ts';
import type { BookedLine } from './model.ts';
import { clearTold, listUntold, updateTold } from './store/lines.ts';
import type { ReconciliationTools } from './tools.ts';

const toldAtOnce = 500;

/**
 * Tells the room of what disputes took and gave back by the books, in the order in which it moved; returns how many it
 * took. What it does not take now, it is told of by the next run.
 */
export async function tellDisputes(tools: ReconciliationTools, acquirer: string): Promise<number> {
  const refused = new Set<string>();
  for (let told = 0; ; ) {
    const lines = await listUntold(tools.db.sql, acquirer, toldAtOnce + refused.size);
    const next = lines.filter((line) => !refused.has(nameOf(line)));
    if (next.length === 0) return told;
    for (const line of next) {
      if (await tell(tools, line)) told += 1;
      else refused.add(nameOf(line));
    }
  }
}

const nameOf = ({ kind, key }: BookedLine) => `${kind} ${key}`;

async function tell(tools: ReconciliationTools, line: BookedLine): Promise<boolean> {
  try {
    await tools.applyResult(line.acquirer, newsOf(line));
    const isOfNow = await updateTold(tools.db.sql, line, tools.clock.now());
    // A run that froze may tell an old amount after another one has told the new one.
    if (!isOfNow) await clearTold(tools.db.sql, line);
    return true;
  } catch (error) {
    tools.log.error({ err: error, key: line.key }, 'what the statement says of a dispute could not be passed on');
    return false;
  }
}

/** A line has neither a reason nor a time for evidence. */
function newsOf({ kind, key, chargeKey, amountMinor, currency, at }: BookedLine): Callback {
  const said = { chargeKey: chargeKey ?? '', amount: money(amountMinor, currency), reason: '', respondUntil: null, at };
  const stage = kind === 'dispute_won' ? 'won' : 'opened';
  return { kind: 'dispute', key, moved: true, result: { kind: stage, ...said } };
}
