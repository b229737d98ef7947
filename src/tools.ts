// All that is handed in. Nothing above the platform reads a clock, draws randomness or opens a connection by itself.

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
  /** Every request to an address given by a merchant goes through here. */
  readonly outbound: Outbound;
  /** Who moves the money. */
  readonly acquirer: Acquirer;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Config;
}
