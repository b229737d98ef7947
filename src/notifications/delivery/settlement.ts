// What is written back after a claim: the outcome of a try, or that there was none.

import type { Posted } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { faultOf, keptAnswer, nextTryAt, type TryFault } from './rules.ts';
import type { Claimed, Settlement } from './store.ts';

type TryTools = Pick<Tools, 'clock' | 'random'>;

/** The outcome of a send. When we closed the line ourselves it was no fault of the receiver's, and no try. */
export function settlementOf(claimed: Claimed, posted: Posted, tools: TryTools): Settlement {
  if (posted.fault === 'closing') return untriedSettlement(claimed, tools);
  // An answer may echo the card token that the body carried.
  const answer = claimed.sealed ? '' : keptAnswer(posted.answer);
  return tried(claimed, faultOf(claimed.contentType, posted), posted.status, posted.milliseconds, answer, tools);
}

/** A message that could not even be built counts as a try, so that it ends eventually and does not affect the others. */
export function brokenSettlement(claimed: Claimed, tools: TryTools): Settlement {
  return tried(claimed, 'internal_error', null, 0, '', tools);
}

/** Gives the lease back; the delivery is due as before. */
export function untriedSettlement(claimed: Claimed, tools: TryTools): Settlement {
  return {
    eventId: claimed.eventId,
    endpoint: claimed.endpoint,
    fence: claimed.fence,
    kind: 'released',
    at: tools.clock.momentOf(claimed.dueAt).toString(),
    nextTryAt: null,
    status: null,
    error: null,
    milliseconds: 0,
    answer: '',
  };
}

function tried(
  claimed: Claimed,
  error: TryFault | null,
  status: number | null,
  milliseconds: number,
  answer: string,
  tools: TryTools,
): Settlement {
  const at = tools.clock.momentOf(claimed.dueAt);
  const next = error === null ? null : nextTryAt(at, claimed.roundTries + 1, tools.random);
  return {
    eventId: claimed.eventId,
    endpoint: claimed.endpoint,
    fence: claimed.fence,
    kind: error === null ? 'delivered' : 'failed',
    at: at.toString(),
    nextTryAt: next?.toString() ?? null,
    status,
    error,
    milliseconds,
    answer,
  };
}
