// Results pushed by the acquirer. They may arrive twice, late, out of order, or before the response to the request.

import type { Callback } from '../acquirer/index.ts';
import { learnedOf } from '../banking/index.ts';
import type { TransactionTools } from './tools.ts';

/** Durable when it resolves. Returns whether the key is one of ours. */
export async function receiveCallback(tools: TransactionTools, callback: Callback): Promise<boolean> {
  if (callback.kind === 'refund') return false;
  const settled = await tools.settle({ attemptId: callback.key, result: learnedOf(callback.result) });
  return settled !== undefined;
}
