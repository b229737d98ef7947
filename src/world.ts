// All that is handed in. Nothing below this file reads a clock, draws randomness or opens a connection by itself.

import type { Config } from './config.ts';
import type { Clock, Database, Ids, Log, Metrics, Random, Vault } from './platform/index.ts';

export interface World {
  readonly db: Database;
  /** The business clock: virtual in the sandbox. */
  readonly clock: Clock;
  /** The wall clock, for security lifetimes and signatures. */
  readonly wall: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly vault: Vault;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Config;
}
