// Disputes that waited for their charge begin when it is paid.

import { DatabaseAway } from '../database/index.ts';
import type { Unclaimed } from './model.ts';
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
    for (const row of rows) if (await claimOne(tools, row)) done += 1;
    const last = rows.at(-1);
    if (!last || rows.length < claimedAtOnce) return done;
    after = last.id;
  }
}

/** One that fails does not keep the others waiting; the next round tries it again. */
async function claimOne(tools: DisputeTools, row: Unclaimed): Promise<boolean> {
  const { id, chargeKey } = row;
  try {
    const charge = await findCharge(tools.db.sql, chargeKey);
    if (charge) await claim(tools, row, charge);
    return charge !== undefined;
  } catch (error) {
    if (error instanceof DatabaseAway) throw error;
    tools.log.error({ err: error, id, chargeKey }, 'a dispute whose charge was paid could not begin');
    return false;
  }
}

async function parkAllLate(tools: DisputeTools): Promise<number> {
  for (let all = 0; ; ) {
    const parked = await parkLate(tools, parkedAtOnce);
    all += parked;
    if (parked < parkedAtOnce) return all;
  }
}
