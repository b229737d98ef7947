// When to try again, and what counts as delivered (docs/decisions.md 7). Pure.

import type { OutboundFault, Posted, Random } from '../../platform/index.ts';
import { formType } from '../payload.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds before each try of a round, counted from the try before: the first at once, thirteen in all. */
export const timetable: readonly number[] = [
  0,
  5,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitterShare = 0.1;
/** From this delay on none is shortened: the last try then never comes before 73 hours, and an outage of 72 loses nothing. */
const shortenedBelow = 20 * hour;

/**
 * When to try again after `failedTries` tries of this round, or null when the round is used up. Each delay is up to a
 * tenth longer or shorter, so that those who failed together do not come back together.
 */
export function nextTryAt(failedAt: Temporal.Instant, failedTries: number, random: Random): Temporal.Instant | null {
  const seconds = timetable[failedTries];
  if (seconds === undefined) return null;
  const least = seconds < shortenedBelow ? 1 - jitterShare : 1;
  const draw = Buffer.from(random.bytes(4)).readUInt32LE() / 0xffff_ffff;
  const share = least + (1 + jitterShare - least) * draw;
  return failedAt.add({ milliseconds: Math.round(seconds * 1_000 * share) });
}

export type TryFault = OutboundFault | 'redirect' | 'wrong_status' | 'wrong_answer' | 'internal_error';

/** Why this answer does not confirm the notification, or null when it does. */
export function faultOf(contentType: string, posted: Posted): TryFault | null {
  if (posted.fault) return posted.fault;
  const status = posted.status ?? 0;
  if (status >= 300 && status < 400) return 'redirect';
  if (status !== 200) return 'wrong_status';
  return confirms(contentType, posted.answer.toString('utf8').trim()) ? null : 'wrong_answer';
}

function confirms(contentType: string, answer: string): boolean {
  if (answer === 'TRUE') return true;
  return contentType !== formType && saysResultTrue(answer);
}

function saysResultTrue(answer: string): boolean {
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null && 'result' in value && value.result === true;
  } catch {
    return false;
  }
}

const keptBytes = 1_024;

/** The beginning of an answer for the log, as text that PostgreSQL can hold. */
export function keptAnswer(answer: Uint8Array): string {
  return Buffer.from(answer.subarray(0, keptBytes)).toString('utf8').replaceAll('\u0000', '\ufffd');
}
