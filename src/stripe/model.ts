// Words that the files of this room share.

import type { RefundDeclineReason } from '../../contract/codes/refund-declines.ts';
import type { DeclineReason } from '../acquirer/index.ts';
import type { Database } from '../database/index.ts';
import type { BusinessClock, Clock, Ids, Log, Vault } from '../runtime/index.ts';
import type { Line } from './line.ts';

/** Its name in the ledger, in routes and in the address of its events. */
export const stripeName = 'stripe';

export interface Decline {
  readonly reason: DeclineReason;
  /** The provider's word, for the operator. */
  readonly code: string;
}

export interface RefundDecline {
  readonly why: RefundDeclineReason;
  readonly code: string;
}

/** What every operation needs. */
export interface StripeTools {
  readonly db: Database;
  readonly clock: BusinessClock;
  readonly wall: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly vault: Pick<Vault, 'mac' | 'macs'>;
  readonly line: Line;
  readonly account: string;
  readonly installation: string;
  readonly live: boolean;
  /** Whether the account may be sent card numbers. */
  readonly rawCards: boolean;
}

/** An object of the provider that must not exist: another mode, or gone. Logged where it is found. */
export const unknown = { kind: 'unknown' } as const;
