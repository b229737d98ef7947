// What is written back after a claim: the result of an attempt, or that there was none.

import { instantText } from '../../kernel/index.ts';
import type { Posted } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { faultOf, keptAnswer, nextTryAt, type TryFault } from './rules.ts';
import type { Claimed, Settlement } from './store.ts';

type TryTools = Pick<Tools, 'clock' | 'random'>;

/** The result of a send. If we closed the connection ourselves, it is not the receiver's fault and not an attempt. */
export function settlementOf(claimed: Claimed, posted: Posted, tools: TryTools): Settlement {
  if (posted.fault === 'closing') return untriedSettlement(claimed, tools);
  // A response may echo the card token in the body.
  const answer = claimed.sealed ? '' : keptAnswer(posted.answer);
  return tried(claimed, faultOf(claimed.contentType, posted), posted.status, posted.milliseconds, answer, tools);
}

/** A message that cannot be built counts as an attempt, so that it ends eventually and does not affect others. */
export function brokenSettlement(claimed: Claimed, tools: TryTools): Settlement {
  return tried(claimed, 'internal_error', null, 0, '', tools);
}

/** Releases the lease; the delivery stays due. */
export function untriedSettlement(claimed: Claimed, tools: TryTools): Settlement {
  return {
    eventId: claimed.eventId,
    endpoint: claimed.endpoint,
    fence: claimed.fence,
    kind: 'released',
    at: instantText(tools.clock.momentOf(claimed.dueAt)),
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
    at: instantText(at),
    nextTryAt: next && instantText(next),
    status,
    error,
    milliseconds,
    answer,
  };
}
