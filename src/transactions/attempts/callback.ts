// Results that come by themselves. They may come twice, late, in another order, or before the answer to the request.

import type { Callback } from '../../acquirer/index.ts';
import type { World } from '../../world.ts';
import { isDoubtful, type Result } from './rules.ts';
import { settle } from './settle.ts';
import { endSurplus } from './surplus.ts';

const deadlineMilliseconds = 10_000;

/** Durable once it resolves. Answers whether the key is one of ours. */
export async function receiveCallback(world: World, callback: Callback): Promise<boolean> {
  if (callback.kind === 'refund') {
    return callback.result.kind === 'approved' ? endSurplus(world, [callback.key]) : false;
  }
  const { key, result } = callback;
  if (result.kind !== 'approved') return (await settle(world, { attemptId: key, result })) !== undefined;
  const amountMinor = result.amount.minor;
  const settled = await settle(world, { attemptId: key, result: { kind: 'approved', amountMinor } });
  if (settled && isDoubtful(settled.attempt, amountMinor)) {
    await settle(world, { attemptId: key, result: await askAgain(world, key, settled.attempt.amountMinor) });
  }
  return settled !== undefined;
}

/**
 * The bank may hold money of an attempt that had ended: nobody would look for it any more. Throws while the bank cannot
 * be asked, which makes it send the callback again.
 */
async function askAgain(world: World, key: string, amountMinor: bigint): Promise<Result> {
  const found = await world.acquirer.findCharge({ key, deadlineMilliseconds });
  if (found.kind === 'notReached' || found.kind === 'unknown') {
    throw new Error(`The bank approved ${key} with another amount, and could not be asked about it.`);
  }
  if (found.kind === 'approved' && found.amount.minor === amountMinor) return { kind: 'approved', amountMinor };
  return { kind: 'park', why: 'The bank contradicts itself about a payment that had ended.' };
}
