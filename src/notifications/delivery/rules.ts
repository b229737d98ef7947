// When to retry, and what counts as delivered (docs/decisions/0011). Pure.

import { readJson } from '../../http/index.ts';
import type { OutboundFault, Posted } from '../../outbound/index.ts';
import type { Random } from '../../runtime/index.ts';
import { formType } from '../payload.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds before each attempt of a round, after the previous one: the first is immediate, thirteen in total. */
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
/**
 * Delays from this length on are never shortened: the last attempt is then never before 73 hours, and an outage of 72
 * hours loses nothing.
 */
const shortenedBelow = 20 * hour;

/**
 * When to retry after `failedTries` attempts of this round; null if none is left. Each delay has up to 10 % jitter, so
 * that deliveries that failed together are not retried together.
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

/** Why this response does not confirm the notification; null if it does. */
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
    return (readJson(answer) as { readonly result?: unknown } | null)?.result === true;
  } catch {
    return false;
  }
}

/** How much of a response a sentence repeats. */
const quotedAtMost = 80;

/**
 * What was expected and what came, for a response that was read but does not confirm; null for other results. Quotes the
 * beginning of the response with card numbers hidden.
 */
export function explainAnswer(contentType: string, error: string | null, status: number | null, answer: string) {
  if (error !== 'wrong_answer' && error !== 'wrong_status' && error !== 'redirect') return null;
  const body = contentType === formType ? 'TRUE' : 'TRUE or {"result": true}';
  const hidden = answer.trim().replaceAll(/\d(?:[ -]?\d){11,18}/g, '****');
  const quoted = hidden.length > quotedAtMost ? `${hidden.slice(0, quotedAtMost).toWellFormed()}...` : hidden;
  const came = quoted === '' ? 'an empty body' : `the body ${JSON.stringify(quoted)}`;
  return `Expected status 200 and the body ${body}; got status ${status} and ${came}.`;
}

const keptBytes = 1_024;

/** The beginning of a response, for the delivery log, as text that PostgreSQL can store. */
export function keptAnswer(answer: Uint8Array): string {
  return Buffer.from(answer.subarray(0, keptBytes)).toString('utf8').replaceAll('\u0000', '\ufffd');
}
