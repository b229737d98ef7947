// The tools of every room. No room reads a clock, generates randomness or opens a connection by
// itself.

import type { Acquirers } from './acquirer/index.ts';
import type { Config } from './config.ts';
import type { Database } from './database/index.ts';
import type { Outbound } from './outbound/index.ts';
import type { BusinessClock, Clock, Ids, Log, Metrics, Random, Vault } from './runtime/index.ts';

export interface Tools {
  readonly db: Database;
  /** The business clock: virtual in the sandbox. */
  readonly clock: BusinessClock;
  /** The wall clock, for security lifetimes and signatures. */
  readonly wall: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly vault: Vault;
  /** All requests to URLs given by merchants go through here. */
  readonly outbound: Outbound;
  /** Move the money: rows by the name of theirs, new charges by routes. */
  readonly acquirers: Acquirers;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Config;
}
