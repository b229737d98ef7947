// What the bank's responses mean, before a room decides what to do about them. Pure.

import type { DeclineReason, FindAnswer } from '../acquirer/index.ts';
import type { Money } from '../kernel/index.ts';

/** `lookedUp`: found by its key, as opposed to an answer or a callback, which can be confused or forged in transit. */
export interface Approval {
  readonly kind: 'approved';
  readonly amountMinor: bigint;
  readonly lookedUp: boolean;
}

/** A response or a callback, in the terms of the rules. */
export function learnedOf<Told extends { readonly kind: string }>(
  told: Told | { readonly kind: 'approved'; readonly amount: Money },
): Exclude<Told, { kind: 'approved' }> | Approval {
  return isApproved(told)
    ? { kind: 'approved', amountMinor: told.amount.minor, lookedUp: false }
    : (told as Exclude<Told, { kind: 'approved' }>);
}

function isApproved(told: { readonly kind: string }): told is { readonly kind: 'approved'; readonly amount: Money } {
  return told.kind === 'approved';
}

export interface Park {
  readonly kind: 'park';
  readonly why: string;
}

/** So many lookups must name the other amount before an operator is asked. */
const otherAmountLooks = 3;
export const otherAmountWhy = 'The bank names another amount.';

/**
 * Whether an approval is believed. Another amount than was asked for never is: the bank is asked again by key, and when
 * it keeps to it, an operator decides. `otherAmounts` is how many lookups named another amount before this one.
 */
export function judgeAmount(
  askedMinor: bigint,
  { amountMinor, lookedUp }: Approval,
  otherAmounts: number,
): 'believe' | 'askAgain' | 'park' {
  if (amountMinor === askedMinor) return 'believe';
  return lookedUp && otherAmounts + 1 >= otherAmountLooks ? 'park' : 'askAgain';
}

/** How often the bank was looked up, and how often it had not heard of the key or named another amount. */
export interface Looks {
  readonly checks: number;
  readonly timesNotFound: number;
  readonly otherAmounts: number;
}

/**
 * Why the bank is asked (again) by key. `neverSent`: not a byte left us. `otherAmount`: a lookup named one. `doubt`: what
 * had ended without money is called approved, with another amount.
 */
export type LookReason = 'unknown' | 'notFound' | 'neverSent' | 'otherAmount' | 'doubt';

export function afterLook({ checks, timesNotFound, otherAmounts }: Looks, because: LookReason): Looks {
  switch (because) {
    case 'doubt':
      return { checks: 0, timesNotFound: 0, otherAmounts: 0 };
    case 'notFound':
      return { checks: checks + 1, timesNotFound: timesNotFound + 1, otherAmounts };
    case 'otherAmount':
      return { checks: checks + 1, timesNotFound, otherAmounts: otherAmounts + 1 };
    case 'neverSent':
    case 'unknown':
      return { checks: checks + 1, timesNotFound, otherAmounts };
  }
}

const delays = [3, 3, 5, 5, 10, 30, 60];
const longestDelay = 300;

/** How long to wait before the next look: soon at first, so that money is found within 20 s, then rarely. A doubt at once. */
export function lookDelay({ checks }: Pick<Looks, 'checks'>, because: LookReason): Temporal.Duration {
  return Temporal.Duration.from({ seconds: because === 'doubt' ? 0 : (delays[checks] ?? longestDelay) });
}

/** How patient a room is with the bank. */
export interface Patience {
  /** "Not found" is believed after so long, because a request may still be on its way... */
  readonly bankTime: Temporal.Duration;
  /** ...and so many times. */
  readonly timesNotFound: number;
  /** How long the bank may call something waiting. */
  readonly waitingAtMost: Temporal.Duration;
}

/** `overdue`: the bank waits for too long. `absent`: it does not know the key. `again`: still unknown. */
export type Finding =
  | Approval
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting'; readonly link: string | null }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'again'; readonly notFound: boolean };

/** When the bank was asked to do it, and what it said since. */
export interface Asked {
  readonly askedAt: Temporal.Instant;
  readonly timesNotFound: number;
  /** Not a byte left us: "not found" needs no second look. */
  readonly neverSent?: boolean;
}

/** What a lookup of something that is still open says. */
export function readFinding(
  found: FindAnswer,
  { askedAt, timesNotFound, neverSent = false }: Asked,
  patience: Patience,
  now: Temporal.Instant,
): Finding {
  switch (found.kind) {
    case 'approved':
      return { kind: 'approved', amountMinor: found.amount.minor, lookedUp: true };
    case 'declined':
    case 'canceled':
      return found;
    case 'waiting':
      return isOlder(askedAt, patience.waitingAtMost, now) ? { kind: 'overdue' } : found;
    case 'notFound': {
      const asked = timesNotFound + 1 >= patience.timesNotFound && isOlder(askedAt, patience.bankTime, now);
      return asked || neverSent ? { kind: 'absent' } : { kind: 'again', notFound: true };
    }
    case 'notReached':
    case 'unknown':
      return { kind: 'again', notFound: false };
  }
}

/** About a day of lookups at the longest delay. */
const endedLooksAtMost = 300;

/** What a lookup says of something that had ended without money and was then called approved with another amount. */
export function readEndedFinding(
  found: FindAnswer,
  checks: number,
): Approval | Extract<Finding, { kind: 'again' }> | Park {
  if (found.kind === 'approved') return { kind: 'approved', amountMinor: found.amount.minor, lookedUp: true };
  const unanswered = found.kind === 'notReached' || found.kind === 'unknown';
  if (unanswered && checks < endedLooksAtMost) return { kind: 'again', notFound: false };
  return { kind: 'park', why: 'The bank contradicts itself about a payment that had ended.' };
}

/** What could not be resolved in so long is parked for an operator. */
const unresolvedAtMost = Temporal.Duration.from({ hours: 72 });
const unresolved: Park = { kind: 'park', why: 'The bank could not be asked for three days.' };
const unresolvedKinds: readonly string[] = ['again', 'notReached', 'unknown'];

/** The result itself, unless it leaves open what has been open for three days, whichever question it was. */
export function parkIfOld<Result extends { readonly kind: string }>(
  result: Result,
  askedAt: Temporal.Instant,
  now: Temporal.Instant,
): Result | Park {
  return unresolvedKinds.includes(result.kind) && isOlder(askedAt, unresolvedAtMost, now) ? unresolved : result;
}

export function isOlder(since: Temporal.Instant, age: Temporal.Duration, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since.add(age), now) <= 0;
}
