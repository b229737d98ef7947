// The only place that talks to the service.

import type { Answer, Name, ReadName, Request } from './endpoints.ts';
import { failureOf, Offline } from './failure.ts';

/**
 * The account that a partner or an operator looks through, from the address. It never changes in a document: leaving
 * and entering load the panel anew, so nothing of one account is ever shown under another.
 */
export const viewAs = new URLSearchParams(location.search).get('as') ?? undefined;

const state: { csrfToken: string | undefined; onSignedOut: () => void } = {
  csrfToken: undefined,
  onSignedOut: () => undefined,
};

/** Every request that changes something carries it; it comes with the session and is kept in memory only. */
export function setCsrfToken(token: string | undefined): void {
  state.csrfToken = token;
}

/** Called when the service says that nobody is signed in. */
export function whenSignedOut(listener: () => void): void {
  state.onSignedOut = listener;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Repeating a call with the same key has no second effect. */
  readonly idempotencyKey?: string;
}

type Values = Readonly<Record<string, unknown>>;

interface Loose {
  readonly params?: Values | undefined;
  readonly query?: Values | undefined;
  readonly body?: unknown;
}

/** The arguments may be left out where the endpoint needs none. */
export type Args<N extends Name> =
  Partial<Request<N>> extends Request<N> ? [request?: Request<N>] : [request: Request<N>];

const ownPrefix = '/panel/api';
const merchantPrefix = '/panel/api/merchant';

/** Where an endpoint is for the panel: the merchant API is under a prefix of its own. */
export function addressOf(path: string, { params = {}, query = {} }: Loose): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const item of value) search.append(`${name}[]`, String(item));
    else if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const suffix = search.size > 0 ? `?${search}` : '';
  return `${path.startsWith(`${ownPrefix}/`) ? '' : merchantPrefix}${filled}${suffix}`;
}

function headersOf(method: string, body: unknown, { idempotencyKey }: CallOptions): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (viewAs !== undefined) headers.set('x-view-as', viewAs);
  if (method !== 'GET' && state.csrfToken !== undefined) headers.set('x-csrf-token', state.csrfToken);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  return headers;
}

/** The response of a request that was not refused, its body unread. */
export async function send(name: string, request: Loose, options: CallOptions): Promise<Response> {
  const [method = 'GET', path = ''] = name.split(' ');
  const { body } = request;
  const response = await fetch(addressOf(path, request), {
    method,
    credentials: 'same-origin',
    headers: headersOf(method, body, options),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((error: unknown) => {
    throw options.signal?.aborted ? error : new Offline(error);
  });
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.status === 401 && !path.startsWith('/panel/api/sign-in')) state.onSignedOut();
  throw failure;
}

/** Calls an endpoint of the contract and resolves with its success response; throws `ApiError` or `Offline`. */
export function call<N extends Name>(name: N, ...args: Args<N>): Promise<Answer<N>> {
  return callWith({}, name, ...args);
}

/** The same with an idempotency key or a signal. */
export async function callWith<N extends Name>(options: CallOptions, name: N, ...args: Args<N>): Promise<Answer<N>> {
  const response = await send(name, args[0] ?? {}, options);
  return (await response.json()) as Answer<N>;
}

/** For `useQuery`: the data of a GET endpoint, cached by its name and arguments. */
export function read<N extends ReadName>(name: N, ...args: Args<N>) {
  const [request = {}] = args;
  return {
    queryKey: [name, request] as const,
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Answer<N>> => callWith({ signal }, name, ...args),
  };
}
