import * as contract from '../../../contract/panel/routing.ts';
import { addRoute, removeRoute, routesOf } from '../../acquirer/index.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import type { Tools } from '../../tools.ts';
import { findNames } from './store.ts';

export function routingRoutes(tools: Tools): Route<Person>[] {
  return [
    on(contract.listRoutes, async ({ requestId }) => {
      const routes = await routesOf(tools);
      const names = await findNames(
        tools.db.sql,
        routes.flatMap(({ merchantId }) => merchantId ?? []),
      );
      return {
        ...done(requestId),
        acquirers: tools.acquirers.list.map(({ name, acquirer, takesNew }) => ({
          name,
          ledgerName: acquirer.name,
          takesNew,
        })),
        routes: routes.map(({ createdAt, ...route }) => ({
          ...route,
          merchantName: route.merchantId === null ? null : (names.get(route.merchantId) ?? null),
          createdAt: createdAt.toString(),
        })),
      };
    }),
    on(contract.addRoute, async ({ body, requestId }) => {
      await addRoute(tools, body);
      return done(requestId);
    }),
    on(contract.removeRoute, async ({ params, requestId }) => {
      await removeRoute(tools, params.id);
      return done(requestId);
    }),
  ];
}
