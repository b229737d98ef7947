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

/** From now on other methods of the path get 405; `Allow` lists those that it has. */
export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const allow = (allowed.includes('GET') ? ['HEAD', ...allowed] : allowed).join(', ');
  const paths = known.get(app.server) ?? [];
  known.set(app.server, [...paths, { path: patternOf(path), allow }]);
}

/** For a request without a route: refuses it if its path has others. */
export function refuseWrongMethod(app: FastifyInstance, { url }: FastifyRequest, reply: FastifyReply): void {
  const end = url.search(/[?#;]/);
  const path = end < 0 ? url : url.slice(0, end);
  const found = known.get(app.server)?.find((one) => one.path.test(path));
  if (!found) return;
  reply.header('allow', found.allow);
  refuse('method_not_allowed', '', `This path does not support the method. Use ${found.allow}.`);
}
