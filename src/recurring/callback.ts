// Results pushed by the acquirer. They may arrive twice, late, out of order, or before the response to the request.

import type { Callback } from '../acquirer/index.ts';
import { learnedOf } from '../banking/index.ts';
import type { RecurringTools } from './tools.ts';

/** Durable when it resolves. Returns whether the key is one of ours. */
export function receiveRecurringCallback(tools: RecurringTools, callback: Callback): Promise<boolean> {
  if (callback.kind !== 'charge') return Promise.resolve(false);
  return tools.settle({ transactionId: callback.key, result: learnedOf(callback.result) });
}
