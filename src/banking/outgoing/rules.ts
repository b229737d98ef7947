// How a step changes an outgoing refund, and when it is looked at next. Pure.

import { afterLook, lookDelay, type Patience } from '../rules.ts';
import type { Change, Outgoing, OutgoingResult, OutgoingState, OutgoingStep } from './model.ts';

const endStates: readonly OutgoingState[] = ['done', 'refused', 'canceled'];

export function hasEnded({ state }: Pick<Outgoing, 'state'>): boolean {
  return endStates.includes(state);
}

type None = Extract<OutgoingStep, { kind: 'none' }>;
type CameBack = Extract<OutgoingStep, { kind: 'cameBack' }>;
type Doubt = Extract<OutgoingResult, { kind: 'waiting' | 'again' | 'park' }>;

/** What a result without an end means for one that was sent. */
export function afterDoubt(result: Doubt): Extract<OutgoingStep, { kind: 'wait' | 'look' | 'park' }> {
  switch (result.kind) {
    case 'waiting':
      return { kind: 'wait' };
    case 'again':
      return { kind: 'look', because: result.otherAmount ? 'otherAmount' : 'unknown' };
    case 'park':
      return result;
  }
}

const unparked = { parkedAt: null, parkedWhy: null } as const;

/** Keeps why the bank declined it, whatever is done next. */
export function toldWhy(outgoing: Outgoing, result: OutgoingResult): Outgoing {
  return result.kind === 'declined' ? { ...outgoing, refusedWhy: result.why ?? null } : outgoing;
}

/** The outgoing refund after its step. */
export function movedBy(
  outgoing: Outgoing,
  step: Change<OutgoingStep>,
  now: Temporal.Instant,
  lookedAt: Temporal.Instant = now,
): Outgoing {
  const { checks } = outgoing;
  switch (step.kind) {
    case 'held':
      return { ...outgoing, ...unparked, state: 'held', nextTryAt: null };
    case 'released':
      return { ...outgoing, ...unparked, state: 'new', sentAt: null, nextTryAt: now, refusedWhy: null };
    case 'wait':
      return { ...outgoing, ...unparked, checks: checks + 1, nextTryAt: lookedAt.add(nextWaitingLook(checks)) };
    case 'look': {
      const { checks: looks, otherAmounts } = afterLook({ ...outgoing, timesNotFound: 0 }, step.because);
      const nextTryAt = lookedAt.add(lookDelay(outgoing, step.because));
      return { ...outgoing, ...unparked, checks: looks, otherAmounts, nextTryAt };
    }
    case 'park':
      return { ...outgoing, nextTryAt: null, parkedAt: now, parkedWhy: step.why };
    case 'done':
      return { ...doneAt(outgoing, now), ...unparked };
    case 'returned':
      return { ...outgoing, ...unparked, state: step.by === 'bank' ? 'refused' : 'canceled', nextTryAt: null };
    case 'withdrawn':
      return { ...outgoing, ...unparked, state: 'canceled', withdrawnAt: now, nextTryAt: null };
    case 'paidLate':
      return { ...doneAt(outgoing, now), parkedAt: now, parkedWhy: step.why };
    case 'cameBack': {
      const done = step.first === null ? outgoing : doneAt(outgoing, now);
      return { ...done, cameBackAt: now, parkedAt: now, parkedWhy: step.why };
    }
  }
}

function doneAt(outgoing: Outgoing, now: Temporal.Instant): Outgoing {
  const sentAt = outgoing.sentAt ?? now;
  return { ...outgoing, state: 'done', sentAt, doneAt: now, nextTryAt: null, refusedWhy: null };
}

/** One that waits for the bank is settled by callback; lookups are for lost callbacks. */
export function nextWaitingLook(checks: number): Temporal.Duration {
  return Temporal.Duration.from({ minutes: Math.min(5 * (checks + 1), 60) });
}

/** What the bank does not know is sent again immediately: under its key it is paid once. */
export const patience: Patience = {
  bankTime: Temporal.Duration.from({ seconds: 0 }),
  timesNotFound: 1,
  waitingAtMost: Temporal.Duration.from({ hours: 24 * 30 }),
};

/** The effect of money that came back, for what has no rules of its own about it; once. */
export function afterComingBack({ state, cameBackAt }: Pick<Outgoing, 'state' | 'cameBackAt'>): CameBack | None {
  if (cameBackAt !== null) return { kind: 'none' };
  return { kind: 'cameBack', first: state === 'done' ? null : 'done', why: 'came_back' };
}
