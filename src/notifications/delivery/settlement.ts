// What is written back after a claim: the result of an attempt, or that there was none.

import { instantText } from '../../kernel/index.ts';
import type { Posted } from '../../outbound/index.ts';
import type { Tools } from '../../tools.ts';
import { faultOf, keptAnswer, nextTryAt, type TryFault } from './rules.ts';
import type { Claimed, Settlement } from './store.ts';

type TryTools = Pick<Tools, 'clock' | 'random'>;

/** The result of a send. If we closed the connection ourselves, it is not the receiver's fault and not an attempt. */
export function settlementOf(claimed: Claimed, posted: Posted, tools: TryTools): Settlement {
  if (posted.fault === 'closing') return untriedSettlement(claimed, tools);
  // A response may echo the card token in the body.
  const answer = claimed.sealed ? '' : keptAnswer(posted.answer);
  const { status, milliseconds } = posted;
  return tried(claimed, { error: faultOf(claimed.contentType, posted), status, milliseconds, answer }, tools);
}

/** A message that cannot be built counts as an attempt, so that it ends eventually and does not affect others. */
export function brokenSettlement(claimed: Claimed, tools: TryTools): Settlement {
  return tried(claimed, { error: 'internal_error', status: null, milliseconds: 0, answer: '' }, tools);
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

/** What came of an attempt. */
interface Tried {
  readonly error: TryFault | null;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly answer: string;
}

function tried(claimed: Claimed, { error, ...answered }: Tried, tools: TryTools): Settlement {
  const at = tools.clock.momentOf(claimed.dueAt);
  const next = error === null ? null : nextTryAt(at, claimed.roundTries + 1, tools.random);
  return {
    eventId: claimed.eventId,
    endpoint: claimed.endpoint,
    fence: claimed.fence,
    kind: error === null ? 'delivered' : 'failed',
    at: instantText(at),
    nextTryAt: next && instantText(next),
    error,
    ...answered,
  };
}
