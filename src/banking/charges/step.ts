// A charge after a step. Pure.

import { afterLook, lookDelay } from '../rules.ts';
import type { SettlingCharge } from './model.ts';
import { type ChargeStep, isOpen } from './rules.ts';

/** The times that a step may write. */
export interface StepTimes {
  readonly now: Temporal.Instant;
  /** Of a charge that ends with this step. */
  readonly endedAt: Temporal.Instant;
  /** From which the next lookup is scheduled. */
  readonly lookedAt: Temporal.Instant;
  readonly waitingLook: Temporal.Duration;
}

/** The charge after a step; a final state does not change, and parking ends unless the step is to park. */
export function afterStep<C extends SettlingCharge>(charge: C, step: ChargeStep, times: StepTimes): C {
  const before: C = { ...charge, nextCheckAt: null, parkedAt: null, parkedWhy: null, neverSent: false };
  // The link is only for the payer and may contain secrets of the acquirer, so it is removed once nobody can follow it.
  const ended: C = { ...before, link: null };
  const { endedAt: settledAt, now, lookedAt } = times;
  switch (step.kind) {
    case 'none':
      return charge;
    case 'correct':
    case 'canceled':
      return { ...ended, state: step.kind, settledAt };
    case 'failed':
      return { ...ended, state: 'failed', reason: step.reason, settledAt };
    case 'giveBack':
      return step.final ? { ...ended, state: step.final, settledAt } : ended;
    case 'wait':
      return {
        ...before,
        state: 'waiting',
        link: step.link ?? charge.link,
        nextCheckAt: lookedAt.add(times.waitingLook),
      };
    case 'look':
      return {
        ...before,
        ...afterLook(charge, step.because),
        state: isOpen(charge.state) && charge.state !== 'waiting' ? 'unknown' : charge.state,
        nextCheckAt: lookedAt.add(lookDelay(charge, step.because)),
        // Kept during lookups, so that a charge that the bank never received is sent again immediately.
        neverSent: step.because !== 'doubt' && (charge.neverSent || step.because === 'neverSent'),
      };
    case 'park':
      return { ...before, parkedAt: now, parkedWhy: step.why };
  }
}
