// Results that the bank tells by itself. They may come twice, late, or before the answer to the request.

import type { Callback } from '../acquirer/index.ts';
import type { World } from '../world.ts';
import { settle } from './moving/settle.ts';

/** Durable once it resolves. Answers whether the key is one of our refunds. */
export async function receiveRefundCallback(world: World, callback: Callback): Promise<boolean> {
  if (callback.kind !== 'refund') return false;
  return (await settle(world, { refundId: callback.key, word: callback.result })) !== undefined;
}
