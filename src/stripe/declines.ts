// What the provider's codes mean for us. Pure maps; a code that is unknown is a refusal of the instrument, and is kept for
// the operator.

import type { RefundDeclineReason } from '../../contract/codes/refund-declines.ts';
import type { DeclineReason } from '../acquirer/index.ts';

type Code = string | null | undefined;

function reasons<Reason>(given: Readonly<Record<string, Reason>>): ReadonlyMap<Code, Reason> {
  return new Map(Object.entries(given));
}

/** By the code of why the bank declined; it says more than the code of the error. */
const byDeclineCode = reasons<DeclineReason>({
  insufficient_funds: 'insufficient funds',
  withdrawal_count_limit_exceeded: 'insufficient funds',
  card_velocity_exceeded: 'insufficient funds',
  expired_card: 'instrument invalid',
  incorrect_cvc: 'instrument invalid',
  incorrect_number: 'instrument invalid',
  incorrect_pin: 'instrument invalid',
  incorrect_zip: 'instrument invalid',
  invalid_account: 'instrument invalid',
  invalid_amount: 'instrument rejected',
  invalid_cvc: 'instrument invalid',
  invalid_expiry_month: 'instrument invalid',
  invalid_expiry_year: 'instrument invalid',
  invalid_number: 'instrument invalid',
  invalid_pin: 'instrument invalid',
  authentication_required: 'authentication failed',
  authentication_not_handled: 'authentication failed',
  mobile_device_authentication_required: 'authentication failed',
  code_invalid: 'wrong code',
  code_expired: 'timed out',
  customer_declined: 'payer rejected',
  issuer_not_available: 'internal error',
  processing_error: 'internal error',
  reenter_transaction: 'internal error',
  try_again_later: 'internal error',
});

/** By the code of the error, where the decline code says nothing. */
const byCode = reasons<DeclineReason>({
  authentication_required: 'authentication failed',
  expired_card: 'instrument invalid',
  incorrect_cvc: 'instrument invalid',
  incorrect_number: 'instrument invalid',
  incorrect_zip: 'instrument invalid',
  insufficient_funds: 'insufficient funds',
  invalid_cvc: 'instrument invalid',
  invalid_expiry_month: 'instrument invalid',
  invalid_expiry_year: 'instrument invalid',
  invalid_number: 'instrument invalid',
  payment_intent_authentication_failure: 'authentication failed',
  // Whoever is sent to the bank's page and does not pay there: closed it, refused, or was too late.
  payment_intent_payment_attempt_expired: 'timed out',
  payment_intent_payment_attempt_failed: 'payer rejected',
  payment_method_customer_decline: 'payer rejected',
  payment_method_provider_timeout: 'timed out',
  processing_error: 'internal error',
});

export interface ProviderFailure {
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
}

/** Why nothing was paid. A timeout is told by the error, whatever the bank calls it. */
export function reasonOf({ code, decline_code: decline }: ProviderFailure): DeclineReason {
  return byDeclineCode.get(decline) ?? byCode.get(code) ?? 'instrument rejected';
}

/** The provider's word for the operator: the more precise one. */
export function codeOf({ code, decline_code: decline }: ProviderFailure): string {
  return (decline || code || 'unknown').slice(0, 100);
}

const refundErrors = reasons<RefundDeclineReason>({
  balance_insufficient: 'no_funds',
  insufficient_funds: 'no_funds',
  charge_already_refunded: 'already_refunded',
  amount_too_large: 'already_refunded',
  charge_disputed: 'disputed',
  refund_disputed_payment: 'disputed',
  charge_for_pending_refund_disputed: 'disputed',
});

/** Why money does not go back: the code of an error, or the reason of a refund that failed. */
export function refundWhy(code: string | null | undefined): RefundDeclineReason {
  return refundErrors.get(code) ?? 'refused';
}
