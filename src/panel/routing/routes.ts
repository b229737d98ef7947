import * as contract from '../../../contract/panel/routing.ts';
import { addRoute, listActivity, removeRoute, routeStatusAt, routesOf } from '../../acquirer/index.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import type { Tools } from '../../tools.ts';
import { findNames, listLastStatements } from './store.ts';
import { serializeAcquirer } from './wire.ts';

async function acquirersShown({ acquirers: { list, activity }, config, db }: Tools) {
  const [cameAt, statements] = await Promise.all([
    listActivity(db.sql),
    listLastStatements(
      db.sql,
      list.map(({ acquirer }) => acquirer.name),
    ),
  ]);
  return list.map((one) =>
    serializeAcquirer(config, one, {
      callbackAt: cameAt.find(({ acquirer }) => acquirer === one.name)?.callbackAt,
      statement: statements.get(one.acquirer.name),
      recent: activity?.behaviorOf(one.acquirer.name),
    }),
  );
}

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
        acquirers: await acquirersShown(tools),
        routes: routes.map(({ createdAt, ...route }) => ({
          ...route,
          status: routeStatusAt(tools, { createdAt, ...route }),
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
