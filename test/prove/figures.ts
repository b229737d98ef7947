// All figures, in the order in which they are proved.

import { proveAddresses } from './addresses.ts';
import { proveCaptures } from './captures.ts';
import { proveCluster } from './cluster.ts';
import { proveDamage } from './damage.ts';
import { proveDuplicates } from './duplicates.ts';
import { proveEffects } from './effects.ts';
import { proveEvents } from './events.ts';
import type { Prove } from './figure.ts';
import { proveBoundaries } from './fuzz/boundaries.ts';
import { proveFuzz } from './fuzz/random.ts';
import { proveHostile } from './hostile.ts';
import { proveKills } from './kills.ts';
import { proveMarketplace } from './marketplace.ts';
import { proveQuiet } from './quiet.ts';
import { proveReaders } from './readers.ts';
import { proveRecurring, proveWorkers } from './recurring.ts';
import { proveRefunds } from './refunds.ts';
import { proveSecrets } from './secrets.ts';
import { proveSequences } from './sequences.ts';
import { proveSettings } from './settings.ts';
import { proveSilence } from './silence.ts';
import { proveStripe } from './stripe.ts';
import { proveTenants } from './tenants.ts';
import { proveTurns } from './turns.ts';
import { proveWallet } from './wallet.ts';
import { proveYears } from './years.ts';

export interface Figure {
  readonly name: string;
  readonly prove: Prove;
  /** Its share of the time, relative to the others. */
  readonly weight: number;
}

export const figures: readonly Figure[] = [
  { name: 'addresses', prove: proveAddresses, weight: 1 },
  { name: 'secrets', prove: proveSecrets, weight: 1 },
  { name: 'tenants', prove: proveTenants, weight: 1 },
  { name: 'settings', prove: proveSettings, weight: 1 },
  { name: 'readers', prove: proveReaders, weight: 1 },
  { name: 'wallet', prove: proveWallet, weight: 1 },
  { name: 'duplicates', prove: proveDuplicates, weight: 1 },
  { name: 'hostile', prove: proveHostile, weight: 2 },
  { name: 'turns', prove: proveTurns, weight: 4 },
  { name: 'silence', prove: proveSilence, weight: 2 },
  { name: 'events', prove: proveEvents, weight: 4 },
  { name: 'refunds', prove: proveRefunds, weight: 6 },
  { name: 'marketplace', prove: proveMarketplace, weight: 6 },
  { name: 'damage', prove: proveDamage, weight: 4 },
  { name: 'stripe', prove: proveStripe, weight: 10 },
  { name: 'sequences', prove: proveSequences, weight: 20 },
  { name: 'fuzz', prove: proveFuzz, weight: 6 },
  { name: 'boundaries', prove: proveBoundaries, weight: 6 },
  { name: 'effects', prove: proveEffects, weight: 10 },
  { name: 'captures', prove: proveCaptures, weight: 20 },
  { name: 'recurring', prove: proveRecurring, weight: 20 },
  { name: 'years', prove: proveYears, weight: 10 },
  { name: 'workers', prove: proveWorkers, weight: 10 },
  { name: 'kills', prove: proveKills, weight: 20 },
  { name: 'quiet', prove: proveQuiet, weight: 30 },
  { name: 'cluster', prove: proveCluster, weight: 5 },
];
