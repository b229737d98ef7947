// Builds the HTTP server from the routes of every room. Used by the commands and by every test.

import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { healthLive, healthReady } from '../contract/platform.ts';
import type { Merchant } from './accounts/index.ts';
import type { Rooms } from './capabilities.ts';
import { readMigrations, whyNotReady } from './database/index.ts';
import { measure } from './engine/index.ts';
import {
  AddressLimit,
  on,
  openServer,
  RateLimit,
  type Route,
  refuseOtherMethods,
  registerRoutes,
} from './http/index.ts';
import type { Person } from './identity/index.ts';
import { refuse, type Secret, Unavailable } from './kernel/index.ts';
import { marketplaceFailureKeys } from './marketplace/index.ts';
import { notFoundDocument, sendDocument } from './pages/index.ts';
import { isMirrored, panelPath } from './panel/index.ts';
import { registerReference } from './reference.ts';
import { within } from './runtime/index.ts';
import type { Tools } from './tools.ts';

export interface BuildOptions {
  /** Why the process is not ready yet, although it listens; undefined once it is. */
  readonly starting?: () => string | undefined;
  /** Tests check every response against the contract. */
  readonly checkAnswer?: (endpoint: Endpoint, status: number, body: unknown) => void;
}

/** Prometheus times out after ten seconds by default. */
const measuredWithinMilliseconds = 5_000;

/** Builds the server; the caller starts listening. */
export async function build(tools: Tools, rooms: Rooms, options: BuildOptions = {}): Promise<FastifyInstance> {
  const { capabilities } = rooms;
  const routes = capabilities.flatMap((room) => room.routes ?? []);
  const app = openWith(
    tools,
    rooms,
    options,
    [...routes, ...(await healthRoutes(tools, options))],
    rooms.panel.panelRoutes,
  );
  // On a public address metrics require a token; a live service without one does not serve them.
  if (tools.config.mode === 'sandbox' || tools.config.metricsToken) registerMetrics(app, tools, rooms);
  for (const { register } of capabilities) await register?.(app);
  registerReference(app, tools);
  return app;
}

/** The server of a worker: health and metrics only. */
export async function buildMonitor(tools: Tools, rooms: Rooms, options: BuildOptions = {}): Promise<FastifyInstance> {
  const app = openWith(tools, rooms, {}, await healthRoutes(tools, options));
  registerMetrics(app, tools, rooms);
  return app;
}

/** A server with these routes of the contract. */
function openWith(
  { config, log, random, metrics, ids, wall }: Tools,
  rooms: Rooms,
  options: BuildOptions,
  routes: readonly Route<Merchant>[],
  panelRoutes: readonly Route<Person>[] = [],
): FastifyInstance {
  const envelope = { docsUrl: `${config.baseUrl}/docs`, rulesBelow: panelPath, furtherKeys: marketplaceFailureKeys };
  const addressLimit = new AddressLimit(wall, config.proxies, config.addressRequestsPerSecond);
  const sendNotFound = (reply: FastifyReply) => sendDocument(reply, 404, notFoundDocument, 'no-cache');
  const namesIgnored = config.mode === 'sandbox';
  const singleHeaders = rooms.capabilities.flatMap((room) => room.singleHeaders ?? []);
  const app = openServer({ log, random, metrics, envelope, addressLimit, singleHeaders, sendNotFound });
  const onLate = ({ id: requestId, endpoint }: FastifyRequest, error: unknown) =>
    log.warn({ requestId, endpoint, err: error }, 'failed after its response');
  const common = {
    idempotency: rooms.keys,
    ids,
    limit: new RateLimit(wall),
    addressLimit,
    envelope,
    namesIgnored,
    onLate,
    ...options,
  };
  const { requests } = rooms.panel;
  registerRoutes(app, routes, {
    ...common,
    authenticate: rooms.accounts.authenticate,
    record: (request, reply, payload) => requests.record(request, reply, payload),
  });
  const { authenticate, identification } = rooms.identity;
  registerRoutes(app, panelRoutes, { ...common, authenticate, identification, isSecondary: isMirrored });
  return app;
}

async function healthRoutes(tools: Tools, { starting }: BuildOptions): Promise<Route<Merchant>[]> {
  const migrations = await readMigrations();
  return [
    on(healthLive, async () => ({ status: 'ok' as const })),
    on(healthReady, async () => {
      const why = starting?.() ?? (await whyNotReady(tools.db, migrations));
      if (why !== undefined) throw new Unavailable('service_unavailable', why);
      return { status: 'ok' as const };
    }),
  ];
}

/** Public unless there is a token. */
function registerMetrics(app: FastifyInstance, tools: Tools, { works }: Rooms): void {
  const { metricsToken } = tools.config;
  app.get('/metrics', async (request, reply) => {
    if (metricsToken && !isBearer(request.headers.authorization, metricsToken)) refuse('invalid_token');
    const { registry, workDue, workLag } = tools.metrics;
    // Without the database, depth and lag are unknown, but the metrics of the process are still useful.
    const measured = within(measuredWithinMilliseconds, 'The database does not answer in time.', measure(tools, works));
    await measured.catch((error: unknown) => {
      tools.log.warn({ err: error }, 'depth and lag could not be measured');
      workDue.reset();
      workLag.reset();
    });
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  refuseOtherMethods(app, '/metrics', ['GET']);
}

function isBearer(authorization: string | undefined, token: Secret): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token.reveal()}`));
}
