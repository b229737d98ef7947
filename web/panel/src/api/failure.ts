// A refused request, as the envelope of the API tells it.

import type { ValueRule } from '../../../../contract/codes/values.ts';

export interface Fault {
  readonly code: string;
  readonly message: string;
  /** Empty if it is about the request as a whole. */
  readonly field: string;
  /** What the value must be, where the service says more than the code does. */
  readonly rule?: ValueRule | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly faults: readonly Fault[];
  /** For support: names the request in the log. */
  readonly requestId: string;
  readonly retryAfterSeconds: number | undefined;
  /** The reason as a code with parameters, where the endpoint gives one. */
  readonly why: unknown;

  constructor(
    status: number,
    faults: readonly Fault[],
    requestId: string,
    { retryAfterSeconds, why }: { readonly retryAfterSeconds?: number | undefined; readonly why?: unknown } = {},
  ) {
    super(faults[0]?.message ?? `The service answered ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.faults = faults;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.why = why;
  }

  get code(): string {
    return this.faults[0]?.code ?? '';
  }
}

/** The service could not be reached at all. */
export class Offline extends Error {
  constructor(cause: unknown) {
    super('The service could not be reached.', { cause });
    this.name = 'Offline';
  }
}

interface Envelope {
  readonly why?: unknown;
  readonly rules?: Readonly<Record<string, ValueRule>>;
  readonly requestId?: unknown;
  readonly errors?: readonly { errorCode?: unknown; errorMessage?: unknown; fieldName?: unknown }[];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Anything may stand between the browser and the service, so nothing is assumed of the body. */
export async function failureOf(response: Response): Promise<ApiError> {
  const body: Envelope = await response.json().catch(() => ({}));
  const list = Array.isArray(body?.errors) ? body.errors : [];
  const faults = list.map((one) => ({
    code: textOf(one.errorCode),
    message: textOf(one.errorMessage),
    field: textOf(one.fieldName),
    rule: body?.rules?.[textOf(one.fieldName)],
  }));
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(response.status, faults, textOf(body?.requestId), {
    retryAfterSeconds: Number.isFinite(after) ? after : undefined,
    why: body?.why,
  });
}
