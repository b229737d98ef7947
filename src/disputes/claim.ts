// Disputes that waited for their charge begin when it is paid.

import { claim } from './receive.ts';
import type { DisputeTools } from './step.ts';
import { findCharge } from './store/disputes.ts';
import { listPaid } from './store/unclaimed.ts';
import { parkLate } from './unclaimed.ts';

const claimedAtOnce = 100;
const parkedAtOnce = 500;

/** Begins those whose charge was paid by now, and parks those that waited too long; returns how many. */
export async function claimDisputes(tools: DisputeTools): Promise<number> {
  return (await claimPaid(tools)) + (await parkAllLate(tools));
}

async function claimPaid(tools: DisputeTools): Promise<number> {
  let done = 0;
  for (let after = ''; ; ) {
    const rows = await listPaid(tools.db.sql, after, claimedAtOnce);
    for (const row of rows) {
      const charge = await findCharge(tools.db.sql, row.chargeKey);
      if (charge) await claim(tools, row, charge);
      done += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < claimedAtOnce) return done;
    after = last.id;
  }
}

async function parkAllLate(tools: DisputeTools): Promise<number> {
  for (let all = 0; ; ) {
    const parked = await parkLate(tools, parkedAtOnce);
    all += parked;
    if (parked < parkedAtOnce) return all;
  }
}
