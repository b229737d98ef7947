// 405 for methods that a path does not have, 404 with the nearest path for those that do not exist. Looked up only when
// no route was found: a route for every other method of every path took half of the time in which the server is built.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../kernel/index.ts';
import { type KnownPath, nearestPath } from './nearest.ts';

interface Known extends KnownPath {
  readonly shape: RegExp;
  readonly allow: string;
  /** Of the contract: such a path is also taken with a slash at its end. */
  readonly api: boolean;
  readonly suggested: boolean;
}

const otherPath = { api: false, suggested: false };

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
export function refuseOtherMethods(
  app: FastifyInstance,
  path: string,
  methods: readonly string[],
  of: Pick<Known, 'api' | 'suggested'> = otherPath,
): void {
  const paths = known.get(app.server) ?? [];
  known.set(app.server, [...paths, { path, methods, shape: patternOf(path), allow: allowOf(methods), ...of }]);
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** The URL without the slash at the end of its path, if that is a path of the contract. */
export function withoutLastSlash(app: FastifyInstance, url: string): string {
  const path = pathOf(url);
  if (path.length < 2 || !path.endsWith('/')) return url;
  const shorter = path.slice(0, -1);
  const isApi = known.get(app.server)?.some(({ api, shape }) => api && shape.test(shorter));
  return isApi ? `${shorter}${url.slice(path.length)}` : url;
}

/** Refuses a path that does not exist, and names the one that was probably meant. Nothing of the path is repeated. */
export function refuseUnknownPath(app: FastifyInstance, { method, url }: FastifyRequest): never {
  const paths = (known.get(app.server) ?? []).filter(({ suggested }) => suggested);
  const near = nearestPath(method, pathOf(url), paths);
  const methods = near?.methods.includes(method) ? method : near?.methods.join(' or ');
  const advice = near ? `Did you mean ${methods} ${near.path}?` : 'The reference at /docs lists all paths.';
  return refuse('not_found', '', 'There is no such path.', advice);
}

/** For a request without a route: refuses it if its path has others. */
export function refuseWrongMethod(app: FastifyInstance, { url }: FastifyRequest, reply: FastifyReply): void {
  const path = pathOf(url);
  const found = known.get(app.server)?.find(({ shape }) => shape.test(path));
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
