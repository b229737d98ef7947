// The table from refusal codes to statuses and sentences, and the one envelope that carries them (docs/decisions.md 2).

import { type FailureCode, Refusal, Unavailable } from '../../kernel/index.ts';
import { DatabaseAway } from '../db/index.ts';

/** Status and usual sentence of each code. The sentence says what to mend. */
const failures: Record<FailureCode, readonly [status: number, message: string, shownAs?: string]> = {
  invalid_request_body: [400, 'The body could not be read.'],
  field_required: [400, 'This field is required.'],
  not_valid: [400, 'The value is not valid.'],
  not_string: [400, 'The value must be a string.'],
  not_number: [400, 'The value must be a number.'],
  not_integer: [400, 'The value must be an integer.'],
  not_boolean: [400, 'The value must be true or false.'],
  not_object: [400, 'The value must be an object.'],
  not_array: [400, 'The value must be an array.'],
  too_low: [400, 'The value is too low.'],
  too_high: [400, 'The value is too high.'],
  too_short: [400, 'The value is too short.'],
  too_long: [400, 'The value is too long.'],
  too_few: [400, 'There are too few items.'],
  too_many: [400, 'There are too many items.'],
  incorrect_precision: [400, 'The amount may have at most two decimal places.'],
  unexpected_field: [400, 'This field is not known here.'],
  channel_passed_with_group: [400, 'Give either channelId or groupId, not both.'],
  invalid_client: [401, 'The client_id or the client_secret is wrong.'],
  invalid_token: [401, 'The access token is missing, unknown, expired or revoked. Get one at POST /oauth/auth.'],
  access_denied: [403, 'This credential is not allowed to do that.'],
  not_found: [404, 'There is no such thing for this account.'],
  method_not_allowed: [405, 'The address exists, but not with this method.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  already_paid: [409, 'The transaction is paid already.'],
  transaction_canceled: [409, 'The transaction was canceled.'],
  already_refunded: [409, 'The transaction was refunded.'],
  refund_exceeds_paid: [409, 'The amount is more than what is left of the payment.'],
  cannot_create_refund: [409, 'This transaction cannot be refunded.'],
  refund_already_sent: [
    409,
    'The refund was sent to the bank or has ended; one by BLIK must be held before it is canceled.',
  ],
  insufficient_funds: [409, 'The balance does not cover the amount and the fee.'],
  attempt_limit_reached: [409, 'There were too many attempts to pay this transaction. Create a new one.'],
  belongs_to_recurring: [409, 'The transaction belongs to a recurring payment, which makes its own attempts.'],
  recurring_not_active: [406, 'The recurring payment is not active.'],
  // R4 answers 406 and R5, R6 answer 409 under the same code (docs/decisions.md 2 and 8).
  recurring_ended: [409, 'The recurring payment is not active.', 'recurring_not_active'],
  last_attempt_not_failed: [406, 'The last attempt did not fail, or one is on its way.'],
  retry_limit_reached: [406, 'There were 30 retries of this charge already.'],
  recurring_exists_with_different_data: [409, 'There is a recurring payment with this id and other data.'],
  request_in_progress: [409, 'A request with this Idempotency-Key is still running. Ask again in a moment.'],
  body_too_large: [413, 'The body is larger than this endpoint takes.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another request.'],
  too_many_requests: [429, 'Too many requests. Wait for the seconds of Retry-After.'],
  internal_server_error: [500, 'Something went wrong on our side. It was logged under the requestId.'],
  service_unavailable: [503, 'The service is not available for a moment. Ask again after the seconds of Retry-After.'],
};

export function statusOf(code: FailureCode): number {
  return failures[code][0];
}

/** The status of a page about an error: what is not the caller's matter is 500. */
export function pageStatusOf(error: unknown): number {
  if (error instanceof DatabaseAway) return 503;
  if (error instanceof Refusal || error instanceof Unavailable) return statusOf(error.code);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Every code with its status and sentence, for the documentation. */
export function listFailures(): { code: FailureCode; status: number; message: string }[] {
  return Object.entries(failures).map(([code, [status, message]]) => ({ code: code as FailureCode, status, message }));
}

/** One line of a failure's envelope: a refusal's fault, or what went wrong on our side. */
export interface Failed {
  readonly code: FailureCode;
  readonly field: string;
  readonly message?: string;
}

export function failureBody(requestId: string, faults: readonly Failed[], docsUrl: string) {
  return {
    result: 'failed' as const,
    requestId,
    errors: faults.map(({ code, field, message }) => ({
      errorCode: failures[code][2] ?? code,
      errorMessage: message ?? failures[code][1],
      fieldName: field,
      devMessage: '',
      docUrl: docsUrl,
    })),
  };
}
