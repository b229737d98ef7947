// Refusals: expected errors of the caller. http/failures.ts has the statuses and texts of the codes that any room
// may give; every other code is declared by the room that gives it.

/** Codes that any room may give (docs/api.md#errors). */
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
  'invalid_client',
  'invalid_token',
  'access_denied',
  'not_found',
  'method_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'request_timeout',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** Codes that mean "not now". They are not refusals: the same request may succeed in a moment. */
export type UnavailableCode = 'request_in_progress' | 'too_many_requests' | 'service_unavailable';

/** The codes that have their status and texts in http/failures.ts. */
export type FailureCode = RefusalCode | UnavailableCode | 'internal_server_error';

/** What a code means, if the fault does not say it more exactly. */
export interface FailureTexts {
  readonly status: number;
  /** What is wrong: the default `errorMessage`. */
  readonly message: string;
  /** What to change: the default `devMessage`; empty if the message says it. */
  readonly fix: string;
  /** Advice for the code's own message only: a more exact message needs none. */
  readonly vague?: true;
}

/** A code with its status and texts, declared by the room that gives it. Two of them may share a code. */
export interface FailureKind {
  readonly code: string;
  readonly usual: FailureTexts;
}

export function failureKind(code: string, status: number, message: string, fix: string): FailureKind {
  return { code, usual: { status, message, fix } };
}

/** One fault of a request. `field` is a dotted path, empty if the fault is not about a single field. */
export type Fault = (FailureKind | { readonly code: RefusalCode; readonly usual?: undefined }) & FaultDetails;

interface FaultDetails {
  readonly field: string;
  /** What is wrong; defaults to the code's usual message. */
  readonly message?: string;
  /** What to change; defaults to the code's usual advice. */
  readonly devMessage?: string;
  /** What the value must be, as a code: the message in the language of its reader. */
  readonly rule?: { readonly code: string; readonly parameters: object };
  /** Further keys of the response. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Ends a use case with an error that the caller can act on: the request was not carried out, and repeating it changes
 * nothing. If a route's `check` throws it, nothing was done yet, and only then may an idempotency key be released.
 */
export class Refusal extends Error {
  readonly code: string;
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
  readonly code: string;
  readonly usual: FailureTexts | undefined;
  /** A message for the reader of the response; defaults to the code's usual message. */
  readonly sentence: string | undefined;
  readonly retryAfterSeconds: number;
  /** What the caller can do; defaults to the code's usual advice. */
  readonly fix: string | undefined;

  constructor(kind: UnavailableCode | FailureKind, sentence?: string, retryAfterSeconds = 1, fix?: string) {
    const { code, usual } = kindOf(kind);
    super(code);
    this.name = 'Unavailable';
    this.code = code;
    this.usual = usual;
    this.sentence = sentence;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fix = fix;
  }
}

/** Ends the use case with one fault. */
export function refuse(kind: RefusalCode | FailureKind, field = '', message?: string, devMessage?: string): never {
  const texts = { ...(message === undefined ? {} : { message }), ...(devMessage === undefined ? {} : { devMessage }) };
  throw new Refusal([{ ...kindOf(kind), field, ...texts }]);
}

/** Ends the use case with this fault. */
export function refuseFault(fault: Fault): never {
  throw new Refusal([fault]);
}

function kindOf<Code extends string>(kind: Code | FailureKind) {
  return typeof kind === 'string' ? { code: kind, usual: undefined } : kind;
}
