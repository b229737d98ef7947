// The reasons of declined payments as merchants' programs read them. The only table of them: docs/api.md has the same
// rows, and a test compares.

import type { DeclineReason } from '../acquirer/index.ts';

interface Decline {
  /** `paymentErrorCode` of an attempt. A code never changes its meaning. */
  readonly code: string;
  /** `tr_error` of a notification. */
  readonly word: string;
}

export const declines: Readonly<Record<DeclineReason, Decline>> = {
  'insufficient funds': { code: '101', word: 'insufficient_funds' },
  'instrument invalid': { code: '102', word: 'instrument_invalid' },
  'instrument rejected': { code: '103', word: 'instrument_rejected' },
  'payer rejected': { code: '104', word: 'payer_rejected' },
  'internal error': { code: '105', word: 'internal_error' },
  'wrong code': { code: '106', word: 'wrong_code' },
  'timed out': { code: '107', word: 'timed_out' },
  'authentication failed': { code: '108', word: 'authentication_failed' },
};

/** A reason that is missing or older than the table counts as an internal error. */
export function declineOf(reason: string | null): Decline {
  return declines[reason as DeclineReason] ?? declines['internal error'];
}
