// All that is handed in. Nothing below this file reads a clock, draws randomness or opens a connection by itself.

import type { Acquirer, Simulator } from './acquirer/index.ts';
import type { CardKeys } from './cards/index.ts';
import type { Config } from './config.ts';
import type { MailTransport, Sender, Signing } from './notifications/index.ts';
import type { BusinessClock, Clock, Database, Ids, Log, Metrics, Outbound, Random, Vault } from './platform/index.ts';
import type { Titles } from './transactions/index.ts';

export interface World {
  readonly db: Database;
  /** The business clock: virtual in the sandbox. */
  readonly clock: BusinessClock;
  /** The wall clock, for security lifetimes and signatures. */
  readonly wall: Clock;
  readonly ids: Ids;
  readonly random: Random;
  /** The titles of new transactions. */
  readonly titles: Titles;
  readonly vault: Vault;
  /** Whoever moves the money. */
  readonly acquirer: Acquirer;
  /** The simulated bank, when the acquirer is the one in this process; never in live mode. */
  readonly bank: Simulator | undefined;
  readonly cards: CardKeys;
  /** Where mail goes out; without it none is written. */
  readonly mail: MailTransport | undefined;
  /** Everything that leaves for an address that somebody gave us goes through here. */
  readonly outbound: Outbound;
  /** The keys that sign notifications. */
  readonly signing: Signing;
  readonly sender: Sender;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Config;
}
