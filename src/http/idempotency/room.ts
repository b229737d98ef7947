// Idempotency keys as a capability: the endpoint that shows one, and the work that deletes old ones.

import type { WorkName } from '../../../contract/codes/works.ts';
import { getIdempotency } from '../../../contract/platform.ts';
import type { Database, Nodes } from '../../database/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { Clock, Work } from '../../runtime/index.ts';
import { type Caller, on, type Route } from '../route.ts';
import { forgetOldKeys, type Idempotency } from './index.ts';

export function idempotencyRoom<C extends Caller>(
  idempotency: Idempotency,
  { db, wall }: { readonly db: Database; readonly wall: Clock },
  nodes: Nodes,
) {
  // Keys are released before others may take them.
  const close = async () => {
    await idempotency.close();
    await nodes.close();
  };
  const works: Work<WorkName>[] = [{ name: 'forget_idempotency_keys', run: () => forgetOldKeys(db, wall, 1_000) }];
  return { name: 'idempotency', routes: routesOf<C>(idempotency), works, close };
}

function routesOf<C extends Caller>(idempotency: Idempotency): Route<C>[] {
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
