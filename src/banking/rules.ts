// What the bank's responses mean, before a room decides what to do. Pure.

import type { UnresolvedCode } from '../../contract/codes/parking.ts';
import type { FindAnswer } from '../acquirer/index.ts';
import type { Money } from '../kernel/index.ts';

/**
 * `lookedUp`: found by its key, by us or by the connector, as opposed to a response or a callback, which can be corrupted or
 * forged in transit.
 */
export interface Approval {
  readonly kind: 'approved';
  readonly amountMinor: bigint;
  readonly lookedUp: boolean;
}

/** Translates a response or a callback for the rules. `lookedUp`: the connector fetched it by its key before it told us. */
export function learnedOf<Learned extends { readonly kind: string }>(
  answer: Learned | { readonly kind: 'approved'; readonly amount: Money },
  lookedUp = false,
): Exclude<Learned, { kind: 'approved' }> | Approval {
  return isApproved(answer)
    ? { kind: 'approved', amountMinor: answer.amount.minor, lookedUp }
    : (answer as Exclude<Learned, { kind: 'approved' }>);
}

function isApproved(answer: {
  readonly kind: string;
}): answer is { readonly kind: 'approved'; readonly amount: Money } {
  return answer.kind === 'approved';
}

export interface Park {
  readonly kind: 'park';
  readonly why: UnresolvedCode;
}

/** How many lookups must report the different amount before an operator is asked. */
const otherAmountLooks = 3;

/**
 * Whether an approval is accepted. A different amount than requested never is: the bank is asked again by key, and if
 * it insists, an operator decides. `otherAmounts` is how many earlier lookups reported a different amount.
 */
export function judgeAmount(
  askedMinor: bigint,
  { amountMinor, lookedUp }: Approval,
  otherAmounts: number,
): 'believe' | 'askAgain' | 'park' {
  if (amountMinor === askedMinor) return 'believe';
  return lookedUp && otherAmounts + 1 >= otherAmountLooks ? 'park' : 'askAgain';
}

/** How often the bank was looked up, and how often it did not know the key or reported a different amount. */
export interface Looks {
  readonly checks: number;
  readonly timesNotFound: number;
  readonly otherAmounts: number;
}

/**
 * Why the bank is asked (again) by key. `neverSent`: no byte was sent. `otherAmount`: a lookup reported one. `doubt`:
 * an item that ended without money is reported as approved with a different amount.
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

/**
 * The delay before the next lookup: short at first, so that money is found within 20 s, then backing off. A doubt is
 * looked up immediately.
 */
export function lookDelay({ checks }: Pick<Looks, 'checks'>, because: LookReason): Temporal.Duration {
  return Temporal.Duration.from({ seconds: because === 'doubt' ? 0 : (delays[checks] ?? longestDelay) });
}

/** How patient a room is with the bank. */
export interface Patience {
  /** "Not found" is accepted only after this long, because a request may still be in transit... */
  readonly bankTime: Temporal.Duration;
  /** ...and after this many lookups. */
  readonly timesNotFound: number;
  /** How long the bank may report something as waiting. */
  readonly waitingAtMost: Temporal.Duration;
}

/** `overdue`: it has been waiting for too long. `absent`: the bank does not know the key. `again`: still unknown. */
export type Finding =
  | Approval
  | Extract<FindAnswer, { kind: 'declined' | 'canceled' | 'waiting' }>
  | { readonly kind: 'overdue' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'again'; readonly notFound: boolean };

/** When the bank was asked, and what it reported since. */
export interface Asked {
  readonly askedAt: Temporal.Instant;
  readonly timesNotFound: number;
  /** No byte was sent: a single "not found" is enough. */
  readonly neverSent?: boolean;
}

/** Interprets a lookup of an open item. */
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

/**
 * Interprets a lookup of an item that ended without money and was then reported as approved with a different amount.
 */
export function readEndedFinding(
  found: FindAnswer,
  checks: number,
): Approval | Extract<Finding, { kind: 'again' }> | Park {
  if (found.kind === 'approved') return { kind: 'approved', amountMinor: found.amount.minor, lookedUp: true };
  const unanswered = found.kind === 'notReached' || found.kind === 'unknown';
  if (unanswered && checks < endedLooksAtMost) return { kind: 'again', notFound: false };
  return { kind: 'park', why: 'ended_contradicted' };
}

/** Items unresolved for this long are parked for an operator. */
const unresolvedAtMost = Temporal.Duration.from({ hours: 72 });
const unresolved: Park = { kind: 'park', why: 'no_result' };
const unresolvedKinds: readonly string[] = ['again', 'notReached', 'unknown'];

/** Returns the result, unless it leaves open what has already been open for three days, whichever request it was. */
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
