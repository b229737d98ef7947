// All SQL of routes and of what acquirers do. Owns: acquirer_route, acquirer_activity.

import type { RowOf, Sql } from '../database/index.ts';
import { acquirerActivityTable, acquirerRouteTable } from './table.ts';

export type Route = RowOf<typeof acquirerRouteTable>;

/** Every node keeps all of them in memory. */
export const routesAtMost = 10_000;

/** Every route, the most specific first and then in the order in which they are tried. */
export function listRoutes(sql: Sql): Promise<Route[]> {
  return sql.many(acquirerRouteTable.read)`
    select * from acquirer_route
     order by merchant_id nulls last, channel_id nulls last, currency nulls last, position, id limit ${routesAtMost}`;
}

/**
 * Inserts a route, or gives the same one another position; returns it, or undefined if there are too many or no such
 * merchant. No lock: two at once may exceed the limit by one.
 */
export function insertRoute(sql: Sql, route: Route): Promise<Route | undefined> {
  const { id, acquirer, merchantId, channelId, currency, position, createdAt } = route;
  return sql.maybeOne(acquirerRouteTable.read)`
    insert into acquirer_route (id, acquirer, merchant_id, channel_id, currency, position, created_at)
    select ${id}, ${acquirer}, ${merchantId}, ${channelId}, ${currency}, ${position}, ${createdAt}
     where (select count(*) from acquirer_route) < ${routesAtMost}
       and (${merchantId}::text is null or exists (select from account where id = ${merchantId}))
    on conflict on constraint acquirer_route_once do update set position = excluded.position
    returning *`;
}

/** Returns the removed one; undefined if there is none. */
export function deleteRoute(sql: Sql, id: string): Promise<Route | undefined> {
  return sql.maybeOne(acquirerRouteTable.read)`delete from acquirer_route where id = ${id} returning *`;
}

/** Never moves back: another process may be ahead. */
export async function upsertCallbackAt(sql: Sql, acquirer: string, at: Temporal.Instant): Promise<void> {
  await sql.run`
    insert into acquirer_activity (acquirer, callback_at) values (${acquirer}, ${at})
    on conflict (acquirer) do update set callback_at = greatest(acquirer_activity.callback_at, excluded.callback_at)`;
}

/** When each acquirer last sent something; a row for each that ever did. */
export function listActivity(sql: Sql): Promise<RowOf<typeof acquirerActivityTable>[]> {
  return sql.many(acquirerActivityTable.read)`select * from acquirer_activity order by acquirer`;
}
