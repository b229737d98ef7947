// Status and texts of the error codes that any room may give, and the envelope of error responses (docs/api.md#errors).

import { DatabaseAway } from '../database/index.ts';
import { type FailureCode, type FailureKind, type FailureTexts, Refusal, Unavailable } from '../kernel/index.ts';

const failures: Record<FailureCode, FailureTexts> = {
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

/** The codes above, for the documentation; rooms declare their own. */
export const httpFailures: readonly FailureKind[] = Object.entries(failures).map(([code, usual]) => ({
  code,
  usual,
}));

/** The URL that documents a code. */
export function errorDocUrl(docsUrl: string, code: string): string {
  return `${docsUrl}/errors#${code}`;
}

/** One entry of an error envelope: a fault of a refusal, or an error on our side. */
export interface Failed {
  readonly code: string;
  /** Missing for the codes above. */
  readonly usual?: FailureTexts | undefined;
  readonly field: string;
  readonly message?: string;
  readonly devMessage?: string;
  readonly rule?: { readonly code: string; readonly parameters: object };
  readonly details?: Readonly<Record<string, unknown>>;
}

function usualOf({ code, usual }: Pick<Failed, 'code' | 'usual'>): FailureTexts {
  return usual ?? failures[code as FailureCode];
}

export function statusOf(failed: Pick<Failed, 'code' | 'usual'>): number {
  return usualOf(failed).status;
}

/** The status of an error page: errors that are not the caller's are 500. */
export function pageStatusOf(error: unknown): number {
  if (error instanceof DatabaseAway) return 503;
  if (error instanceof Refusal) return statusOf(error.faults[0]);
  if (error instanceof Unavailable) return statusOf(error);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** One error as it is written. */
export interface ShownError {
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly fieldName: string;
  readonly devMessage: string;
  readonly docUrl: string;
}

/** How the service writes errors. */
export interface Envelope {
  readonly docsUrl: string;
  /** Responses below this path have what values must be as codes too. */
  readonly rulesBelow?: string;
  /** Further keys of responses below some paths. */
  readonly furtherKeys?: (path: string, status: number, errors: readonly ShownError[]) => object;
}

/** For programs that say it in the language of their reader: what the values must be, by field. */
function rulesOf(faults: readonly Failed[]): { rules?: Readonly<Record<string, object>> } {
  const rules = faults.flatMap(({ field, rule }) => (rule ? [[field, rule] as const] : []));
  return rules.length === 0 ? {} : { rules: Object.fromEntries(rules) };
}

/** `path` is that of the request. */
export function failureBody(
  requestId: string,
  faults: readonly [Failed, ...Failed[]],
  { docsUrl, furtherKeys, rulesBelow }: Envelope,
  path: string,
) {
  const errors = faults.map((failed): ShownError => {
    const { code, field, message, devMessage } = failed;
    const usual = usualOf(failed);
    return {
      errorCode: code,
      errorMessage: message ?? usual.message,
      fieldName: field,
      devMessage: devMessage ?? (usual.vague && message !== undefined ? '' : usual.fix),
      docUrl: errorDocUrl(docsUrl, code),
    };
  });
  const rules = rulesBelow !== undefined && path.startsWith(rulesBelow) ? rulesOf(faults) : {};
  const details = Object.assign({}, ...faults.map((fault) => fault.details), rules);
  const further = furtherKeys?.(path, statusOf(faults[0]), errors) ?? {};
  return { result: 'failed' as const, requestId, errors, ...further, ...details };
}
