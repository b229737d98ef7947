// Lists in pages, newest first, and objects in the place of their ids.

import { InvalidParameter } from './errors.ts';
import { type ObjectKind, type Objects, scopeName } from './model.ts';
import type { Context } from './world.ts';

export interface ListParams {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
  readonly created?: number | { gt?: number; gte?: number; lt?: number; lte?: number };
}

export interface Filter {
  readonly first?: string | undefined;
  readonly second?: string | undefined;
}

const limitAtMost = 100;
const usualLimit = 10;

export function limitOf(limit = usualLimit): number {
  if (limit < 1 || limit > limitAtMost)
    throw new InvalidParameter('parameter_invalid_integer', 'limit', `A page has 1 to ${limitAtMost} objects.`);
  return limit;
}

export function listOf<Kind extends ObjectKind>(
  context: Context,
  kind: Kind,
  url: string,
  params: ListParams,
  filter: Filter = {},
) {
  const limit = limitOf(params.limit);
  const scope = scopeName(context.scope);
  const seqOf = (name: 'starting_after' | 'ending_before') => {
    const id = params[name];
    if (id === undefined) return undefined;
    const seq = context.store.findSeq(kind, scope, id);
    if (seq === undefined) throw new InvalidParameter('resource_missing', name, `There is no ${kind} '${id}'.`);
    return seq;
  };
  const newerThan = seqOf('ending_before');
  const found: Objects[Kind][] = context.store.list(kind, scope, {
    ...filter,
    ...boundsOf(params.created),
    olderThan: seqOf('starting_after'),
    newerThan,
    limit: limit + 1,
  });
  const data = found.slice(0, limit);
  return {
    object: 'list' as const,
    data: newerThan === undefined ? data : data.reverse(),
    has_more: found.length > limit,
    url,
  };
}

function boundsOf(created: ListParams['created']): { from?: number; until?: number } {
  if (created === undefined) return {};
  if (typeof created === 'number') return { from: created, until: created + 1 };
  const from = created.gte ?? (created.gt === undefined ? undefined : created.gt + 1);
  const until = created.lt ?? (created.lte === undefined ? undefined : created.lte + 1);
  return { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
}

const depthAtMost = 4;

/** Puts objects in the place of the ids at the paths, such as `latest_charge.balance_transaction` or `data.source`. */
export function expand(context: Context, answer: unknown, paths: readonly string[]): unknown {
  let expanded = answer;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > depthAtMost) throw cannot(path);
    expanded = expandAt(context, expanded, parts, path);
  }
  return expanded;
}

function expandAt(context: Context, value: unknown, parts: readonly string[], path: string): unknown {
  const [part, ...rest] = parts;
  if (part === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => expandAt(context, one, parts, path));
  if (typeof value !== 'object' || !Object.hasOwn(value, part)) throw cannot(path);
  const now = (value as Record<string, unknown>)[part];
  const found = typeof now === 'string' ? context.store.findAny(now, scopeName(context.scope)) : now;
  if (typeof now === 'string' && found === undefined) throw cannot(path);
  return { ...value, [part]: expandAt(context, found ?? null, rest, path) };
}

function cannot(path: string): InvalidParameter {
  return new InvalidParameter('parameter_invalid', 'expand', `${path} cannot be expanded.`);
}
