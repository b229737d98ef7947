// The words of this room, without SQL and without the wire.

import type { Result } from './attempts/rules.ts';

/** What was learned of an attempt. */
export interface Settlement {
  readonly transactionId: string;
  readonly result: Result;
}
