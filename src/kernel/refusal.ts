// Refusals: expected errors of the caller. Independent of HTTP; platform/http/failures.ts maps codes to statuses.

/** Codes of refusals (docs/decisions.md 2). */
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
  'duplicate_field',
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
  'belongs_to_marketplace',
  'recurring_not_active',
  'recurring_ended',
  'last_attempt_not_failed',
  'retry_limit_reached',
  'payment_failed',
  'wallet_domain_not_registered',
  'recurring_exists_with_different_data',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'request_timeout',
  'sign_in_failed',
  'wrong_password',
  'wrong_code',
  'weak_password',
  'user_exists',
  'last_owner',
  'second_factor_exists',
  'mail_not_configured',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** Codes that mean "not now". They are not refusals: the same request may succeed in a moment. */
export type UnavailableCode =
  | 'request_in_progress'
  | 'too_many_requests'
  | 'service_unavailable'
  | 'wallet_unavailable';

/** Every code that a response may have in `errorCode` (docs/decisions.md 2). */
export type FailureCode = RefusalCode | UnavailableCode | 'internal_server_error';

/** One fault of a request. `field` is a dotted path, empty if the fault is not about a single field. */
export interface Fault {
  readonly code: RefusalCode;
  readonly field: string;
  /** What is wrong; defaults to the code's usual message. */
  readonly message?: string;
  /** What to change; defaults to the code's usual advice. */
  readonly devMessage?: string;
  /** Further keys of the response. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Ends a use case with an error that the caller can act on: the request was not carried out, and repeating it changes
 * nothing. If a route's `check` throws it, nothing was done yet, and only then may an idempotency key be released.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(faults: readonly Fault[]) {
    const [first, ...others] = faults;
    if (!first) throw new Error('A refusal needs at least one fault.');
    super(first.code);
    this.name = 'Refusal';
    this.code = first.code;
    this.faults = [first, ...others];
  }
}

/**
 * Thrown when a request cannot continue for now, for example because a queue is full. It says nothing about what was
 * already done, so it is never stored as the response, and the request keeps its idempotency key.
 */
export class Unavailable extends Error {
  readonly code: UnavailableCode;
  /** A message for the reader of the response; defaults to the code's usual message. */
  readonly sentence: string | undefined;
  readonly retryAfterSeconds: number;
  /** What the caller can do; defaults to the code's usual advice. */
  readonly fix: string | undefined;

  constructor(code: UnavailableCode, sentence?: string, retryAfterSeconds = 1, fix?: string) {
    super(code);
    this.name = 'Unavailable';
    this.code = code;
    this.sentence = sentence;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fix = fix;
  }
}

/** Ends the use case with one fault. */
export function refuse(code: RefusalCode, field = '', message?: string, devMessage?: string): never {
  const texts = { ...(message === undefined ? {} : { message }), ...(devMessage === undefined ? {} : { devMessage }) };
  throw new Refusal([{ code, field, ...texts }]);
}
