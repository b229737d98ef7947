// 405 for methods that a path does not have. Looked up only when no route was found: a route for every other method of
// every path took half of the time in which the server is built.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../kernel/index.ts';

interface Known {
  readonly path: RegExp;
  readonly allow: string;
}

/** By the server that all scopes of an instance share. */
const known = new WeakMap<object, Known[]>();

const special = /[.+?^$()|[\]\\]/g;

/** `{id}` and `:id` match one segment, `*` the rest. */
function patternOf(path: string): RegExp {
  const plain = path.replaceAll(special, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${plain.replaceAll(/\{\w+\}|(?<=\/):\w+/g, '[^/]+')}$`);
}

function allowOf(allowed: readonly string[]): string {
  return (allowed.includes('GET') ? ['HEAD', ...allowed] : allowed).join(', ');
}

function refuseMethod(reply: FastifyReply, allow: string): never {
  reply.header('allow', allow);
  return refuse('method_not_allowed', '', `This path does not support the method. Use ${allow}.`);
}

/** From now on other methods of the path get 405; `Allow` lists those that it has. */
export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const allow = allowOf(allowed);
  const paths = known.get(app.server) ?? [];
  known.set(app.server, [...paths, { path: patternOf(path), allow }]);
}

/** For a request without a route: refuses it if its path has others. */
export function refuseWrongMethod(app: FastifyInstance, { url }: FastifyRequest, reply: FastifyReply): void {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const found = known.get(app.server)?.find((one) => one.path.test(path));
  if (found) refuseMethod(reply, found.allow);
}

/** The same with routes, for a scope whose errors are pages of its own. */
export function routeOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
  const present = allowed.includes('GET') ? ['HEAD', ...allowed] : allowed;
  scope.route({
    method: scope.supportedMethods.filter((method) => !present.includes(method)),
    url,
    // In onRequest, so that an unreadable body does not hide the wrong method.
    onRequest: async (_request, reply) => refuseMethod(reply, allowOf(allowed)),
    handler: async () => undefined,
  });
}
