// Refusals: expected answers that are the caller's matter. No HTTP in here; platform/http/failures.ts maps codes to statuses.

/** Every code that an answer may carry in `errorCode` (decisions 2). */
export const refusalCodes = [
  'invalid_request_body',
  'field_required',
  'not_valid',
  'not_string',
  'not_number',
  'not_integer',
  'not_boolean',
  'not_object',
  'not_array',
  'too_low',
  'too_high',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'incorrect_precision',
  'unexpected_field',
  'channel_passed_with_group',
  'invalid_client',
  'invalid_token',
  'access_denied',
  'not_found',
  'method_not_allowed',
  'already_paid',
  'transaction_canceled',
  'already_refunded',
  'refund_exceeds_paid',
  'cannot_create_refund',
  'refund_already_sent',
  'insufficient_funds',
  'attempt_limit_reached',
  'belongs_to_recurring',
  'recurring_not_active',
  'recurring_ended',
  'last_attempt_not_failed',
  'retry_limit_reached',
  'recurring_exists_with_different_data',
  'request_in_progress',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'too_many_requests',
  'request_timeout',
  'internal_server_error',
  'service_unavailable',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** One fault of a request. `field` is a dotted path, empty when the fault is of no single field. */
export interface Fault {
  readonly code: RefusalCode;
  readonly field: string;
  /** A sentence for the reader of the answer; the code's usual sentence when left out. */
  readonly message?: string;
}

/** Thrown to end a use case with an answer that the caller can act on. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(faults: readonly Fault[], retryAfterSeconds?: number) {
    const first = faults[0];
    if (!first) throw new Error('A refusal needs at least one fault.');
    super(first.code);
    this.name = 'Refusal';
    this.code = first.code;
    this.faults = faults;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Ends the use case with one fault. */
export function refuse(code: RefusalCode, field = '', message?: string): never {
  throw new Refusal([message === undefined ? { code, field } : { code, field, message }]);
}
