// The words of this room, without SQL and without the wire.

import type { Result } from './attempts/rules.ts';
import type { Attempt } from './attempts/store.ts';
import type { Transaction } from './store.ts';

/** What was learned of an attempt. */
export interface Settlement {
  readonly attemptId: string;
  readonly result: Result;
  /** When it was looked up; the time of the next look counts from it. Now, unless the sandbox's clock jumps. */
  readonly lookedAt?: Temporal.Instant;
}

/** The attempt and its transaction as they are afterwards; undefined when there is no such attempt. */
export type Settled = { readonly attempt: Attempt; readonly transaction: Transaction } | undefined;
