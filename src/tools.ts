// The tools of every room. Nothing above the platform reads a clock, generates randomness or opens a connection by
// itself.

import type { Acquirer } from './acquirer/index.ts';
import type { Config } from './config.ts';
import type { BusinessClock, Clock, Database, Ids, Log, Metrics, Outbound, Random, Vault } from './platform/index.ts';

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
  /** Moves the money. */
  readonly acquirer: Acquirer;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Config;
}
