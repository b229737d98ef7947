// One request to the API: who asks, what for, whether it was asked before, what becomes of it.

import { pause } from '../../../runtime/index.ts';
import { authorize, identify } from '../access.ts';
import { ApiError, InvalidParameter, keyInUse, tooMany, unavailable } from '../errors.ts';
import type { FaultRule } from '../faults.ts';
import { readFields } from '../form.ts';
import { beginKey, canonical } from '../idempotency.ts';
import { expand } from '../lists.ts';
import { scopeName } from '../model.ts';
import type { Provider } from '../provider.ts';
import { readParameters } from '../spec.ts';
import type { UsedKey } from '../store.ts';
import { type Context, currentVersion, newId } from '../world.ts';
import type { Endpoint } from './endpoint.ts';
import { intentEndpoints } from './intents.ts';
import { methodEndpoints } from './methods.ts';
import { moneyEndpoints } from './money.ts';

export interface ApiRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** `lost`: the connection ends without a response. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lost?: boolean;
}

const endpoints: readonly Endpoint[] = [...intentEndpoints, ...methodEndpoints, ...moneyEndpoints];

interface Found {
  readonly endpoint: Endpoint;
  readonly id: string;
}

/** Paths without an id come first: `/v1/payment_intents/search` is no id. */
function findEndpoint(method: string, path: string): Found | undefined {
  const exact = endpoints.find(({ name }) => name === `${method} ${path}`);
  if (exact) return { endpoint: exact, id: '' };
  const parts = path.split('/');
  const id = parts[3] ?? '';
  const name = `${method} ${[...parts.slice(0, 3), ':id', ...parts.slice(4)].join('/')}`;
  const found = endpoints.find((one) => one.name === name);
  return found && { endpoint: found, id: decodeURIComponent(id) };
}

/** Objects that requests hold: another one for the same object must wait, and gives up. */
const locked = new WeakMap<Provider, Set<string>>();

export async function runApi(provider: Provider, request: ApiRequest): Promise<ApiAnswer> {
  provider.runDue();
  const requestId = newId(provider, 'req').replace('req_3', 'req_');
  const headers = { 'request-id': requestId, 'stripe-version': request.headers['stripe-version'] ?? currentVersion };
  try {
    const answer = await answerTo(provider, request, requestId);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorText(error, requestId), headers: { ...headers, ...retryHeader(error) } };
  }
}

function retryHeader({ status, body }: ApiError): Record<string, string> {
  if (status === 409 || body.code === 'lock_timeout') return { 'stripe-should-retry': 'true' };
  return status === 429 ? { 'retry-after': '1' } : {};
}

function errorText({ body }: ApiError, requestId: string): string {
  const about = body.code ? { doc_url: `https://docs.stripe.com/error-codes/${body.code.replaceAll('_', '-')}` } : {};
  return text({ error: { ...body, ...about, request_log_url: `https://example.com/logs/${requestId}` } });
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

type Plain = Omit<ApiAnswer, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

async function answerTo(provider: Provider, request: ApiRequest, requestId: string): Promise<Plain> {
  const found = findEndpoint(request.method, request.path);
  const key = identify(provider.keys(), request.headers.authorization);
  if (!found) throw unknownUrl(request);
  const { endpoint } = found;
  if (provider.settings.rateLimits) provider.limits.count(key.scope, endpoint.name, Math.floor(provider.now() / 1_000));
  const name = request.headers['idempotency-key'] ?? `${request.path}?${request.query}`;
  const rule = provider.faults.strike({ endpoint: endpoint.name, name });
  const early = rule && (await meetEarly(rule, found));
  if (early) return early;
  authorize(key, endpoint.group, endpoint.level, endpoint.publishable);
  const given = readFields(request.method === 'GET' ? request.query : request.body);
  const params = readParameters(given, endpoint.fields, endpoint.required);
  // A publishable key knows a payment only by its client secret.
  if (key.kind === 'publishable' && 'client_secret' in endpoint.fields && params.client_secret === undefined)
    authorize(key, endpoint.group, endpoint.level, false);
  const idempotencyKey = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  const context = provider.contextOf(key.scope, {
    version: versionOf(request),
    request: { id: requestId, idempotency_key: idempotencyKey ?? null },
  });
  if (rule?.kind === 'slow')
    return await locking(provider, found, () =>
      runSlow(provider, context, found, { params, rule, path: request.path }),
    );
  return execute(provider, context, found, { params, rule, path: request.path });
}

interface Order {
  readonly params: Record<string, unknown>;
  readonly rule: FaultRule | undefined;
  readonly path: string;
}

function versionOf({ headers }: ApiRequest): string {
  const version = headers['stripe-version'] ?? currentVersion;
  if (!/^20\d\d-\d\d-\d\d(\.\w+)?$/.test(version))
    throw new InvalidParameter('parameter_invalid', 'Stripe-Version', 'There is no such version.');
  return version;
}

function unknownUrl({ method, path }: ApiRequest): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `The fake does not know ${method} ${path.slice(0, 100)}.`,
  });
}

/** Faults that strike before the idempotency key is looked at. */
async function meetEarly({ kind, seconds = 0 }: FaultRule, { id }: Found): Promise<Plain | undefined> {
  switch (kind) {
    case 'lostRequest':
      return { status: 0, body: '', lost: true };
    case 'rateLimit':
      throw tooMany('rate_limit');
    case 'lockTimeout':
      throw tooMany('lock_timeout');
    case 'keyInUse':
      throw keyInUse();
    case 'unauthorized':
      throw new ApiError(401, { type: 'invalid_request_error', message: 'There is no such API key.' });
    case 'forbidden':
      throw new ApiError(403, { type: 'invalid_request_error', message: 'The key lacks a permission.' });
    case 'notFound':
      throw new ApiError(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `There is no object '${id}' for this key.`,
      });
    case 'badGateway':
      if (seconds > 0) await pause(seconds * 1_000);
      return { status: 502, body: '<html><body>Bad gateway</body></html>', headers: { 'content-type': 'text/html' } };
    default:
      return undefined;
  }
}

/** While it runs, other requests for the same object give up. */
async function locking(provider: Provider, { id }: Found, run: () => Promise<Plain>): Promise<Plain> {
  const objects = locked.get(provider) ?? new Set<string>();
  locked.set(provider, objects);
  objects.add(id);
  try {
    return await run();
  } finally {
    objects.delete(id);
  }
}

/** The key is in use from the beginning, although nothing happens yet. */
async function runSlow(provider: Provider, context: Context, found: Found, order: Order): Promise<Plain> {
  const used = begin(provider, context, found, order);
  if (used) return replay(used);
  await pause((order.rule?.seconds ?? 1) * 1_000);
  provider.runDue();
  return perform(provider, { ...context, now: Math.floor(provider.now() / 1_000) }, found, order);
}

async function execute(provider: Provider, context: Context, found: Found, order: Order): Promise<Plain> {
  const used = begin(provider, context, found, order);
  if (!used && found.id !== '' && locked.get(provider)?.has(found.id)) {
    release(context);
    throw tooMany('lock_timeout');
  }
  const answer = used ? replay(used) : perform(provider, context, found, order);
  if (order.rule?.kind === 'slowAnswer') await pause((order.rule.seconds ?? 1) * 1_000);
  return order.rule?.kind === 'lostAnswer' ? { ...answer, lost: true } : answer;
}

function begin({ store, settings }: Provider, context: Context, found: Found, order: Order): UsedKey | undefined {
  const key = context.request?.idempotency_key;
  if (!key) return undefined;
  const { scope, now } = context;
  const endpoint = `${found.endpoint.name.split(' ')[0]} ${order.path}`;
  const requestId = context.request?.id ?? '';
  return beginKey(
    store,
    { scope, key, endpoint, parameters: canonical(order.params), requestId, now },
    settings.keysForgottenSeconds,
  );
}

function replay({ status, body, requestId }: UsedKey): Plain {
  return {
    status: status ?? 500,
    body: body ?? '',
    headers: { 'idempotent-replayed': 'true', 'original-request': requestId },
  };
}

function release({ store, scope, request }: Context): void {
  if (request?.idempotency_key) store.deleteKey(scopeName(scope), request.idempotency_key);
}

/** The effect and the response under its key are one: both are there, or neither. */
function perform(provider: Provider, context: Context, { endpoint, id }: Found, order: Order): Plain {
  const { store, scope, request } = context;
  const kind = order.rule?.kind;
  try {
    return store.atomic(() => {
      const answer = kind === 'failedBefore' ? failure(request?.id ?? '') : outcome(context, endpoint, id, order);
      const said = kind === 'failedAfter' ? failure(request?.id ?? '') : answer;
      if (request?.idempotency_key) store.endKey(scopeName(scope), request.idempotency_key, said.status, said.body);
      return said;
    });
  } catch (error) {
    // Found before anything began: the key may be used again.
    release({ ...context, store: provider.store });
    throw error;
  }
}

function failure(requestId: string): Plain {
  return { status: 500, body: errorText(unavailable(), requestId) };
}

/** A refusal is a response, too; only what was wrong with the parameters is not kept. */
function outcome(context: Context, endpoint: Endpoint, id: string, { params }: Order): Plain {
  const { expand: paths = [], ...rest } = params as { expand?: string[] };
  try {
    const answer = endpoint.handle(context, rest, id);
    return { status: 200, body: text(expand(context, answer, paths)) };
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof InvalidParameter) throw error;
    return { status: error.status, body: errorText(error, context.request?.id ?? '') };
  }
}
