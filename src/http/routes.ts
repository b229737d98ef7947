// Turns an endpoint of the contract into a route: access, limits, validation, idempotency, response. Handlers stay
// thin.

import type { FastifyInstance, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { bodyBytesOf } from '../../contract/endpoint.ts';
import { Entrance } from './entrance.ts';
import { RouteHandler } from './handler.ts';
import { refuseOtherMethods } from './methods.ts';
import type { Caller, Route, RouteTools } from './route.ts';

/** Registers the routes, and a 405 for every other method of their paths. */
export function registerRoutes<C extends Caller>(
  app: FastifyInstance,
  routes: readonly Route<C>[],
  tools: RouteTools<C>,
): void {
  for (const route of routes) registerRoute(app, route, tools);
  const paths = Map.groupBy(routes, (route) => route.endpoint.path);
  for (const [path, ofPath] of paths)
    refuseOtherMethods(
      app,
      path,
      ofPath.map((route) => route.endpoint.method),
      { api: true, suggested: !tools.isSecondary?.(path) },
    );
}

function registerRoute<C extends Caller>(app: FastifyInstance, route: Route<C>, tools: RouteTools<C>): void {
  const { endpoint } = route;
  const handler = new RouteHandler(route, tools);
  app.route({
    method: endpoint.method,
    url: urlOf(endpoint.path),
    config: { endpoint: endpoint.id, counts: true },
    bodyLimit: bodyBytesOf(endpoint),
    onRequest: entering(endpoint.id, new Entrance(route, tools)),
    ...(tools.record ? { onSend: recorder(tools.record) } : {}),
    handler: (request, reply) => handler.handle(request, reply),
    errorHandler: (error, request, reply) => {
      // An empty body is `{}`, whatever its content type, even without one (docs/api.md#conventions).
      if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && hasNoBody(request)) return handler.handle(request, reply);
      throw error;
    },
  });
}

function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** With a callback: most callers are known immediately, and nothing is awaited. */
function entering<C extends Caller>(endpointId: string, entrance: Entrance<C>): onRequestHookHandler {
  return (request, _reply, done) => {
    request.endpoint = endpointId;
    let entered: Promise<void> | void;
    try {
      entered = entrance.enter(request);
    } catch (error) {
      return done(error as Error);
    }
    if (entered) entered.then(() => done(), done);
    else done();
  };
}

function recorder(record: NonNullable<RouteTools<Caller>['record']>): onSendHookHandler {
  return (request, reply, payload, done) => {
    record(request, reply, payload);
    done(null, payload);
  };
}

function hasNoBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
