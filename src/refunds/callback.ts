// Callbacks of the bank. They may arrive twice, late, or before the response to the request.

import type { Callback } from '../acquirer/index.ts';
import type { RefundTools } from './tools.ts';

/** Durable when it resolves. Returns whether the key is one of our refunds. */
export async function receiveRefundCallback(tools: RefundTools, callback: Callback): Promise<boolean> {
  if (callback.kind !== 'refund') return false;
  return (await tools.settle({ refundId: callback.key, result: callback.result })) !== undefined;
}
