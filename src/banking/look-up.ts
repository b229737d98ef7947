// Lookups of unknown results: claimed in batches under a lease, asked by key outside any database transaction.

import type { Acquirer } from '../acquirer/index.ts';
import type { BusinessClock } from '../platform/index.ts';
import { cancelAtBank, findAtBank, refuseChallenge } from './ask.ts';
import type { ChargeResult } from './charge-rules.ts';
import { type Finding, type Patience, parkIfOld, readEndedFinding, readFinding } from './rules.ts';

const atOnce = 200;

/**
 * How long a lookup keeps other nodes away. Lookups are idempotent, so the lease may be shorter than a slow bank takes;
 * if the process dies, the next lookup comes after it.
 */
const lease = Temporal.Duration.from({ seconds: 15 });

/** Claims due items, passes them on to be looked up and settled, and returns how many there were. */
export async function askDue<Row>(
  clock: BusinessClock,
  claim: (now: Temporal.Instant, leaseUntil: Temporal.Instant, atMost: number) => Promise<readonly Row[]>,
  ask: (due: readonly Row[], now: Temporal.Instant) => Promise<unknown>,
): Promise<number> {
  const now = clock.now();
  const due = await claim(now, now.add(lease), atOnce);
  if (due.length > 0) await ask(due, now);
  return due.length;
}

export interface LookedUpCharge {
  readonly key: string;
  readonly open: boolean;
  /** No longer wanted: it is canceled at the bank first, so that it cannot succeed during the lookup. */
  readonly unwanted: boolean;
  /** Whether a payer is there to confirm it. */
  readonly payerPresent: boolean;
  readonly askedAt: Temporal.Instant;
  readonly checks: number;
  readonly timesNotFound: number;
  /** Whether no byte of it was ever sent. */
  readonly neverSent: boolean;
}

/** Looks up a charge; `absent` says what to do if the bank has never received it. */
export async function lookUpCharge(
  acquirer: Acquirer,
  charge: LookedUpCharge,
  patience: Patience,
  now: Temporal.Instant,
  absent: () => Promise<ChargeResult>,
): Promise<ChargeResult> {
  const { key, open, checks, askedAt } = charge;
  if (!open) return readEndedFinding(await findAtBank(acquirer, key), checks);
  if (charge.unwanted) return parkIfOld(await cancelAtBank(acquirer, key, { kind: 'canceled' }), askedAt, now);
  const found = readFinding(await findAtBank(acquirer, key), charge, patience, now);
  return parkIfOld(await follow(acquirer, charge, found, absent), askedAt, now);
}

async function follow(
  acquirer: Acquirer,
  { key, payerPresent }: LookedUpCharge,
  found: Finding,
  absent: () => Promise<ChargeResult>,
): Promise<ChargeResult> {
  switch (found.kind) {
    case 'overdue':
      return cancelAtBank(acquirer, key, { kind: 'declined', reason: 'timed out' });
    case 'absent':
      return absent();
    case 'waiting':
      return found.link !== null && !payerPresent ? refuseChallenge(acquirer, key) : found;
    default:
      return found;
  }
}
