// Results that come by themselves. They may come twice, late, in another order, or before the answer to the request.

import type { Callback } from '../../acquirer/index.ts';
import type { World } from '../../world.ts';
import type { Result } from './rules.ts';
import { settle } from './settle.ts';
import { endSurplus } from './surplus.ts';

/** Durable once it resolves. Answers whether the key is one of ours. */
export async function receiveCallback(world: World, callback: Callback): Promise<boolean> {
  if (callback.kind === 'charge') {
    const { result } = callback;
    const learned: Result =
      result.kind === 'approved' ? { kind: 'approved', amountMinor: result.amount.minor } : result;
    return (await settle(world, { attemptId: callback.key, result: learned })) !== undefined;
  }
  return callback.result.kind === 'approved' ? endSurplus(world, [callback.key]) : false;
}
