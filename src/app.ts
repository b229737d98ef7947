// build(world): the HTTP server with every route. main and every test call this.

import { hash, timingSafeEqual } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { openApi } from '../contract/openapi.ts';
import { getIdempotency, healthLive, healthReady } from '../contract/platform.ts';
import { accountRoutes, type Merchant, openAuthenticate } from './accounts/index.ts';
import { type Callback, callbackBytesAtMost, callbackPath, readCallback, registerBankPages } from './acquirer/index.ts';
import { cardRoutes } from './cards/index.ts';
import { measure } from './engine/index.ts';
import { refuse, type Secret, Unavailable } from './kernel/index.ts';
import { notificationRoutes, registerCertificates } from './notifications/index.ts';
import { registerPayPage } from './pages/index.ts';
import {
  AddressLimit,
  type Idempotency,
  on,
  openIdempotency,
  openServer,
  RateLimit,
  type Route,
  readMigrations,
  refuseOtherMethods,
  registerRoutes,
  whyNotReady,
  within,
} from './platform/index.ts';
import { recurringRoutes } from './recurring/index.ts';
import { refundRoutes } from './refunds/index.ts';
import { registerMailPages, sandboxRoutes } from './sandbox/index.ts';
import { transactionRoutes } from './transactions/index.ts';
import { version } from './version.ts';
import { takeCallback, works } from './works.ts';
import type { World } from './world.ts';

export { works };

export interface BuildOptions {
  /** Tests check every answer against the contract. */
  readonly checkAnswer?: (endpoint: Endpoint, status: number, body: unknown) => void;
}

/** Whoever collects figures waits for ten seconds, usually. */
const measuredWithinMilliseconds = 5_000;

/** Builds the server; it listens when its caller says so. */
export async function build(world: World, options: BuildOptions = {}): Promise<FastifyInstance> {
  const idempotency = openIdempotency(world.db, world.wall, world.random, world.vault);
  const app = openWith(world, options, idempotency, [
    ...accountRoutes(world),
    ...cardRoutes<Merchant>(world.cards),
    ...transactionRoutes(world),
    ...refundRoutes(world),
    ...recurringRoutes(world),
    ...notificationRoutes<Merchant>(world),
    ...(world.config.mode === 'sandbox' ? sandboxRoutes(world, works) : []),
    ...idempotencyRoutes(idempotency),
    ...(await healthRoutes(world)),
  ]);
  // On a public address figures need a token; a live service without one does not show them there.
  if (world.config.mode === 'sandbox' || world.config.metricsToken) registerMetrics(app, world);
  registerCertificates(app, world.signing);
  await registerAcquirer(app, world);
  await registerPayPage(app, world);
  // Whoever has a mail server reads the mail there.
  if (world.config.mode === 'sandbox' && world.config.mail === undefined) registerMailPages(app, world);
  await registerReference(app, world);
  return app;
}

/** What a worker tells: its health and its figures, and nothing else. */
export async function buildMonitor(world: World): Promise<FastifyInstance> {
  const idempotency = openIdempotency(world.db, world.wall, world.random, world.vault);
  const app = openWith(world, {}, idempotency, await healthRoutes(world));
  registerMetrics(app, world);
  return app;
}

/** A server with these routes of the contract. */
function openWith(
  world: World,
  options: BuildOptions,
  idempotency: Idempotency,
  routes: readonly Route<Merchant>[],
): FastifyInstance {
  const { config, log, random, metrics, ids, wall } = world;
  const docsUrl = `${config.baseUrl}/docs`;
  const addressLimit = new AddressLimit(wall, config.proxies, config.addressRequestsPerSecond);
  const app = openServer({ log, random, metrics, docsUrl, addressLimit });
  registerRoutes(app, routes, {
    authenticate: openAuthenticate(world),
    idempotency,
    ids,
    limit: new RateLimit(wall),
    addressLimit,
    docsUrl,
    checkAnswer: options.checkAnswer,
  });
  app.addHook('onClose', () => idempotency.close());
  return app;
}

/** The bank's pages when it is in this process; else the address where the acquirer tells its results. */
async function registerAcquirer(app: FastifyInstance, world: World): Promise<void> {
  const { bank, config, log, wall } = world;
  const onCallback = (callback: Callback) => takeCallback(world, callback);
  if (bank) return registerBankPages(app, bank, { basePath: '/bank', onCallback, log });
  const keys = config.acquirer?.keys;
  if (!keys) return;
  const path = new URL(config.baseUrl + callbackPath).pathname;
  app.post(callbackPath, { bodyLimit: callbackBytesAtMost }, async (request, reply) => {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const received = readCallback({ headers: request.headers, rawBody }, keys, wall, path);
    if (received.kind === 'refused') {
      log.warn({ requestId: request.id, why: received.why }, 'a callback was refused');
      return refuse(received.why === 'malformed' ? 'invalid_request_body' : 'invalid_token');
    }
    await onCallback(received.callback);
    return reply.code(204).send();
  });
  refuseOtherMethods(app, callbackPath, ['POST']);
}

function idempotencyRoutes(idempotency: Idempotency): Route<Merchant>[] {
  return [
    on(getIdempotency, async ({ caller, params, requestId }) => {
      const row = (await idempotency.find(caller.id, params.key)) ?? refuse('not_found');
      return {
        result: 'success' as const,
        requestId,
        key: row.key,
        status: row.answeredAt ? ('answered' as const) : ('running' as const),
        method: row.method,
        path: row.path,
        startedAt: row.startedAt.toString(),
        answeredAt: row.answeredAt?.toString() ?? null,
        responseStatus: row.status,
        response: row.body === null ? null : JSON.parse(row.body),
      };
    }),
  ];
}

async function healthRoutes(world: World): Promise<Route<Merchant>[]> {
  const migrations = await readMigrations();
  return [
    on(healthLive, async () => ({ status: 'ok' as const })),
    on(healthReady, async () => {
      const why = await whyNotReady(world.db, migrations);
      if (why !== undefined) throw new Unavailable('service_unavailable', why);
      return { status: 'ok' as const };
    }),
  ];
}

/** Open to everybody who reaches the address, unless there is a token. */
function registerMetrics(app: FastifyInstance, world: World): void {
  const { metricsToken } = world.config;
  app.get('/metrics', async (request, reply) => {
    if (metricsToken && !isBearer(request.headers.authorization, metricsToken)) refuse('invalid_token');
    const { registry, workDue, workLag } = world.metrics;
    // Without the database nobody knows what waits, but the figures of the process are wanted all the more.
    const measured = within(measuredWithinMilliseconds, 'The database does not answer in time.', measure(world, works));
    await measured.catch((error: unknown) => {
      world.log.warn({ err: error }, 'depth and lag could not be measured');
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

/** Everything that the reference page loads comes from us; it can call nobody else. */
const referencePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'";

/** A page about this service and nothing else: no tools, links, fonts or telemetry of its maker. */
const referenceConfiguration = {
  url: '/openapi.json',
  pageTitle: 'Grosz API',
  favicon: '/assets/pay/icon.svg',
  withDefaultFonts: false,
  operationTitleSource: 'path',
  documentDownloadType: 'json',
  authentication: { preferredSecurityScheme: 'credential' },
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  customCss: '.darklight-reference a { display: none; }',
} as const;

async function registerReference(app: FastifyInstance, world: World): Promise<void> {
  const document = JSON.stringify(openApi(world.config.baseUrl, version));
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
  refuseOtherMethods(app, '/openapi.json', ['GET']);
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: referenceConfiguration,
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', referencePolicy);
        done();
      },
    },
  });
}
