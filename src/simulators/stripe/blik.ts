// BLIK: what the code must look like, and what becomes of a payment. In test mode every code of six digits is taken, and
// the email of the payer's billing details says what fails. Pure.

export const blikOutcomes = [
  'approve',
  'invalid_code',
  'expired_code',
  'limit_exceeded',
  'insufficient_funds',
  'customer_declined',
  'bank_declined',
  'blik_declined',
  'customer_timeout',
  'bank_timeout',
  'blik_timeout',
  'recurring_not_supported',
] as const;

export type BlikOutcome = (typeof blikOutcomes)[number];
export type BlikFailure = Exclude<BlikOutcome, 'approve'>;

export interface BlikError {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  /** Since 2026-09-30; versions before it say generic_decline. */
  readonly decline_code: string;
}

const declined = (decline_code: string): BlikError => ({
  type: 'card_error',
  code: 'payment_method_provider_decline',
  decline_code,
});
const timedOut: BlikError = {
  type: 'card_error',
  code: 'payment_method_provider_timeout',
  decline_code: 'partner_generic_decline',
};
const wrongCode = (decline_code: string): BlikError => ({
  type: 'invalid_request_error',
  code: 'payment_method_invalid_parameter',
  decline_code,
});

const errors: Readonly<Record<BlikFailure, BlikError>> = {
  invalid_code: wrongCode('code_invalid'),
  expired_code: wrongCode('code_expired'),
  limit_exceeded: declined('payment_limit_exceeded'),
  insufficient_funds: declined('insufficient_funds'),
  customer_declined: declined('customer_declined'),
  bank_declined: declined('partner_generic_decline'),
  blik_declined: declined('partner_generic_decline'),
  customer_timeout: timedOut,
  bank_timeout: timedOut,
  blik_timeout: timedOut,
  recurring_not_supported: declined('recurring_not_supported_by_bank'),
};

/** How long the payer may take to confirm in the app of the bank. */
export const blikSeconds = 60;
/** The most that one charge without the payer may take. */
export const recurringMinorAtMost = 200_000;

const declineSeconds = 8;
const granularSince = '2026-09-30';

export function isBlikCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** The outcome that the payer's email asks for. */
export function outcomeOfEmail(email: string | null): BlikOutcome | undefined {
  const [local = ''] = (email ?? '').split('@');
  return email === null ? undefined : blikOutcomes.find((outcome) => outcome !== 'approve' && local.endsWith(outcome));
}

export function isImmediate(outcome: BlikOutcome): outcome is 'invalid_code' | 'expired_code' {
  return outcome === 'invalid_code' || outcome === 'expired_code';
}

export function secondsUntil(outcome: BlikOutcome): number {
  return outcome.endsWith('_timeout') ? blikSeconds : declineSeconds;
}

export function blikError(outcome: BlikFailure, version: string): BlikError {
  const error = errors[outcome];
  return version.slice(0, granularSince.length) >= granularSince
    ? error
    : { ...error, decline_code: 'generic_decline' };
}
