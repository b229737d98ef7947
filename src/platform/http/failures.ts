// Status and texts of each error code, and the envelope of error responses (docs/decisions.md 2).

import { type FailureCode, Refusal, Unavailable } from '../../kernel/index.ts';
import { DatabaseAway } from '../db/index.ts';

interface FailureText {
  readonly status: number;
  /** What is wrong: the default `errorMessage`. */
  readonly message: string;
  /** What to change: the default `devMessage`; empty if the message says it. */
  readonly fix: string;
  /** Advice for the code's own message only: a more exact message needs none. */
  readonly vague?: true;
  /** The code on the wire, if several refusals share one. */
  readonly shownAs?: string;
}

const failures: Record<FailureCode, FailureText> = {
  invalid_request_body: {
    status: 400,
    message: 'The body could not be read.',
    fix: 'Check the syntax, the encoding (UTF-8) and the Content-Type of the body.',
  },
  field_required: { status: 400, message: 'This field is required.', fix: '' },
  not_valid: {
    status: 400,
    message: 'The value is not valid.',
    fix: 'Compare the value with the description of the field in the API reference.',
    vague: true,
  },
  not_string: { status: 400, message: 'Must be a string.', fix: 'Send a JSON string, in quotes.' },
  not_number: { status: 400, message: 'Must be a number.', fix: 'Send a JSON number, without quotes.' },
  not_integer: {
    status: 400,
    message: 'Must be an integer.',
    fix: 'Send a whole number, without quotes or decimal places.',
  },
  not_boolean: { status: 400, message: 'Must be true or false.', fix: '' },
  not_object: { status: 400, message: 'Must be an object.', fix: '' },
  not_array: { status: 400, message: 'Must be an array.', fix: '' },
  too_low: { status: 400, message: 'The value is too low.', fix: '' },
  too_high: { status: 400, message: 'The value is too high.', fix: '' },
  too_short: { status: 400, message: 'The value is too short.', fix: '' },
  too_long: { status: 400, message: 'The value is too long.', fix: '' },
  too_few: { status: 400, message: 'There are too few items.', fix: '' },
  too_many: { status: 400, message: 'There are too many items.', fix: '' },
  incorrect_precision: {
    status: 400,
    message: 'Must have at most two decimal places.',
    fix: 'Round the amount before you send it; the API never rounds amounts.',
  },
  unexpected_field: {
    status: 400,
    message: 'This field is not allowed here.',
    fix: 'Remove the field or correct its name.',
  },
  duplicate_field: {
    status: 400,
    message: 'The body has this field more than once.',
    fix: 'Send each field once: most parsers keep one and silently drop the others.',
  },
  channel_passed_with_group: {
    status: 400,
    message: 'channelId and groupId cannot be used together.',
    fix: '',
  },
  invalid_client: {
    status: 401,
    message: 'The client_id or the client_secret is wrong.',
    fix: 'Check both; a revoked or replaced secret no longer works.',
  },
  invalid_token: {
    status: 401,
    message: 'The access token is missing, unknown, expired or revoked.',
    fix: 'Get a token from POST /oauth/auth and send it as Authorization: Bearer TOKEN.',
  },
  access_denied: {
    status: 403,
    message: 'This credential does not have the required permission.',
    fix: 'Use a credential with more permissions.',
  },
  not_found: {
    status: 404,
    message: 'Not found for this account.',
    fix: 'Check the path, the id, and that the credential belongs to the account that owns the resource.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive.',
    fix: 'Send the request again, without pauses in its body.',
  },
  sign_in_failed: {
    status: 401,
    message: 'The email address or the password is wrong, or the sign-in has expired.',
    fix: 'Check both, or start again.',
  },
  wrong_password: { status: 403, message: 'The password is wrong.', fix: '' },
  wrong_code: {
    status: 403,
    message: 'The code or the passkey was not accepted.',
    fix: 'Use the current code, which works once, or a recovery code.',
  },
  weak_password: {
    status: 400,
    message: 'The password is too easy to guess.',
    fix: 'Use several unrelated words or random characters: no common password or pattern, not your name or address.',
  },
  user_exists: {
    status: 409,
    message: 'There is already a user with this email address.',
    fix: 'Use another address, or remove the existing user first.',
  },
  last_owner: {
    status: 409,
    message: 'The account needs an active owner.',
    fix: 'Make somebody else an owner first.',
  },
  second_factor_exists: {
    status: 409,
    message: 'This second factor is already set up, or there is none to confirm.',
    fix: 'Remove it first, or start again.',
  },
  mail_not_configured: {
    status: 409,
    message: 'The service cannot send mail.',
    fix: 'Set SMTP_URL, or create users with grosz user create.',
  },
  already_paid: {
    status: 409,
    message: 'The transaction is already paid.',
    fix: 'Do not pay or cancel it again; to return the money, refund it.',
  },
  transaction_canceled: {
    status: 409,
    message: 'The transaction is canceled.',
    fix: 'Create a new transaction.',
  },
  already_refunded: {
    status: 409,
    message: 'The transaction is already refunded.',
    fix: 'List its refunds to see their status.',
  },
  refund_exceeds_paid: {
    status: 409,
    message: 'The amount exceeds what is left of the payment.',
    fix: 'Send a smaller amount, or {} to refund what is left.',
  },
  cannot_create_refund: {
    status: 409,
    message: 'This transaction cannot be refunded.',
    fix: 'Refund only paid transactions, and only of channels that support refunds.',
  },
  refund_already_sent: {
    status: 409,
    message: 'The refund was already sent to the bank or has ended.',
    fix: 'Only a refund that has not been sent can be changed; a BLIK refund must be held before it is canceled.',
  },
  insufficient_funds: {
    status: 409,
    message: 'The balance does not cover the amount and the fee.',
    fix: 'Retry when the balance is high enough, or refund a smaller amount.',
  },
  attempt_limit_reached: {
    status: 409,
    message: 'The transaction has reached the limit on payment attempts.',
    fix: 'Create a new transaction.',
  },
  belongs_to_recurring: {
    status: 409,
    message: 'The transaction belongs to a recurring payment.',
    fix: 'Use the endpoints of the recurring payment, which makes its own attempts.',
  },
  belongs_to_marketplace: {
    status: 409,
    message: 'The transaction belongs to the marketplace.',
    fix: 'Use the endpoints below /marketplace/v1/transaction, which know the parts of its sellers.',
  },
  recurring_not_active: {
    status: 406,
    message: 'The recurring payment is not active.',
    fix: 'If it has failed, replace the payment instrument, which restores it; otherwise create a new recurring payment.',
  },
  // R4 returns 406, R5 and R6 return 409 under the same code (docs/decisions.md 2 and 8).
  recurring_ended: {
    status: 409,
    message: 'The recurring payment is finished or canceled.',
    fix: 'Create a new recurring payment.',
    shownAs: 'recurring_not_active',
  },
  last_attempt_not_failed: {
    status: 406,
    message: 'The last attempt did not fail, or another is due or in progress.',
    fix: 'Retry only after a failed attempt was reported.',
  },
  retry_limit_reached: {
    status: 406,
    message: 'This charge has reached the limit of 30 manual retries.',
    fix: 'Wait for the scheduled retries, or replace the payment instrument for them.',
  },
  recurring_exists_with_different_data: {
    status: 409,
    message: 'A recurring payment with this id and different data exists.',
    fix: 'Use a new id, or send exactly the data of the first request.',
  },
  payment_failed: {
    status: 400,
    message: 'The payment was refused.',
    fix: 'Let the payer try again, or choose another payment method.',
  },
  wallet_domain_not_registered: {
    status: 403,
    message: 'This domain is not registered for wallet payments.',
    fix: 'Register the domain with POST /wallet/domains, then retry.',
  },
  wallet_unavailable: {
    status: 503,
    message: 'The wallet vendor did not answer as expected.',
    fix: 'Start a new wallet session in the browser, which gets a new validationUrl.',
  },
  request_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running.',
    fix: 'Repeat the same request in a moment.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is too large for this endpoint.',
    fix: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'This Content-Type is not supported.',
    fix: 'Send the body as application/json.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request.',
    fix: 'Use a new key for a new request, and repeat a request unchanged.',
  },
  too_many_requests: {
    status: 429,
    message: 'Rate limit exceeded.',
    fix: 'Wait as many seconds as the Retry-After header says, then retry.',
  },
  internal_server_error: {
    status: 500,
    message: 'Internal error. It was logged under the requestId.',
    fix: 'Retry with the same Idempotency-Key. If it fails again, report the requestId.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable.',
    fix: 'Wait as many seconds as the Retry-After header says, then retry with the same Idempotency-Key.',
  },
};

/** A payment declined by the bank is not a failed request: it is reported in `payments.errors` with this code. */
export const paymentFailed = { code: 'payment_failed', fix: failures.payment_failed.fix } as const;

/** The URL that documents a code. */
export function errorDocUrl(docsUrl: string, code: string): string {
  return `${docsUrl}/errors#${code}`;
}

export function statusOf(code: FailureCode): number {
  return failures[code].status;
}

/** The status of an error page: errors that are not the caller's are 500. */
export function pageStatusOf(error: unknown): number {
  if (error instanceof DatabaseAway) return 503;
  if (error instanceof Refusal || error instanceof Unavailable) return statusOf(error.code);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Every code as shown to callers, with its status and texts, for the documentation. */
export function listFailures(): { code: string; status: number; message: string; fix: string }[] {
  return Object.entries(failures).map(([code, { shownAs, status, message, fix }]) => ({
    code: shownAs ?? code,
    status,
    message,
    fix,
  }));
}

/** One entry of an error envelope: a fault of a refusal, or an error on our side. */
export interface Failed {
  readonly code: FailureCode;
  readonly field: string;
  readonly message?: string;
  readonly devMessage?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `path` is that of the request: marketplace responses have further keys. */
export function failureBody(requestId: string, faults: readonly Failed[], docsUrl: string, path: string) {
  const errors = faults.map(({ code, field, message, devMessage }) => {
    const usual = failures[code];
    const errorCode = usual.shownAs ?? code;
    return {
      errorCode,
      errorMessage: message ?? usual.message,
      fieldName: field,
      devMessage: devMessage ?? (usual.vague && message !== undefined ? '' : usual.fix),
      docUrl: errorDocUrl(docsUrl, errorCode),
    };
  });
  const details = Object.assign({}, ...faults.map((fault) => fault.details));
  return { result: 'failed' as const, requestId, errors, ...marketplaceKeys(faults, errors, path), ...details };
}

/** `violations` of invalid input by field, `reasons` of any other refusal (docs/decisions.md 2). */
function marketplaceKeys(
  [first]: readonly Failed[],
  errors: readonly { readonly fieldName: string; readonly errorMessage: string }[],
  path: string,
): object {
  if (!path.startsWith('/marketplace/') || !first) return {};
  if (statusOf(first.code) !== 400) return { reasons: errors.map(({ errorMessage }) => errorMessage) };
  return { violations: Object.fromEntries(errors.map(({ fieldName, errorMessage }) => [fieldName, errorMessage])) };
}
