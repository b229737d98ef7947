// Disputes that waited for their charge begin when it is paid.

import type { News, Unclaimed } from './model.ts';
import { type DisputeTools, settle } from './receive.ts';
import { findCharge } from './store/disputes.ts';
import { listUnclaimed, lockOpen } from './store/unclaimed.ts';
import { parkLate } from './unclaimed.ts';

const claimedAtOnce = 100;

/** Begins those whose charge was paid by now, and parks those that waited too long; returns how many. */
export async function claimDisputes(tools: DisputeTools): Promise<number> {
  let done = 0;
  for (let after = ''; ; ) {
    const rows = await listUnclaimed(tools.db.sql, after, claimedAtOnce);
    for (const { row } of rows.filter(({ isPaid }) => isPaid)) {
      if (await claim(tools, row)) done += 1;
    }
    const waiting = rows.flatMap(({ row, isPaid }) => (isPaid ? [] : [row.id]));
    if (waiting.length > 0) {
      done += await tools.db.atomic(async (sql) => parkLate(tools, sql, await lockOpen(sql, waiting)));
    }
    const last = rows.at(-1);
    if (!last || rows.length < claimedAtOnce) return done;
    after = last.row.id;
  }
}

async function claim(tools: DisputeTools, row: Unclaimed): Promise<boolean> {
  const { acquirer, key, chargeKey } = row;
  const charge = await findCharge(tools.db.sql, chargeKey);
  if (!charge) return false;
  await settle(tools, { acquirer, key, chargeKey }, charge, { news: newsOf(row), isHeard: true });
  return true;
}

function newsOf({ state, amountMinor, reason, respondUntil, saidAt }: Unclaimed): News {
  return { stage: state, amountMinor, reason, respondUntil, at: saidAt, isMoved: false };
}
