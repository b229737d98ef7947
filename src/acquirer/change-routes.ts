// What an operator says about which acquirer new charges go through. It applies at once here, within seconds elsewhere.

import { channelIds } from '../../contract/methods.ts';
import type { Sql } from '../database/index.ts';
import { currencyFrom, type Fault, isUlid, Refusal, refuse } from '../kernel/index.ts';
import type { Clock, Ids } from '../runtime/index.ts';
import type { Acquirers } from './acquirers.ts';
import { type RouteStatus, routeStatusOf } from './rules.ts';
import { deleteRoute, insertRoute, listRoutes, type Route } from './store.ts';

interface RouteTools {
  readonly acquirers: Acquirers;
  readonly clock: Clock;
  readonly db: { readonly sql: Sql };
  readonly ids: Ids;
}

export interface RouteGiven {
  /** As in ACQUIRERS, or its name in the ledger. */
  readonly acquirer: string;
  readonly merchantId?: string | undefined;
  readonly channelId?: number | undefined;
  readonly currency?: string | undefined;
  /** By default after those that are there. */
  readonly position?: number | undefined;
}

export const positionsAtMost = 1_000;

export function routesOf({ db }: Pick<RouteTools, 'db'>): Promise<Route[]> {
  return listRoutes(db.sql);
}

/** What becomes of charges that follow this route now. */
export function routeStatusAt({ acquirers }: Pick<RouteTools, 'acquirers'>, route: Route): RouteStatus {
  const choices = acquirers.list.map(({ name, takesNew, acquirer }) => ({ name, takesNew, offers: acquirer.offers }));
  return routeStatusOf(route, choices);
}

/** Adds a route; the same one again gets another position. Refuses what could never fit a charge. */
export async function addRoute(tools: RouteTools, given: RouteGiven): Promise<Route> {
  const { acquirers, clock, db, ids } = tools;
  const found = acquirers.list.find(({ name, acquirer }) => [name, acquirer.name].includes(given.acquirer));
  const faults: Fault[] = [];
  if (!found) faults.push(notOf('acquirer', acquirers.list.map(({ name }) => name).join(', ')));
  if (given.channelId !== undefined && !channelIds.includes(given.channelId))
    faults.push(notOf('channelId', channelIds.join(', ')));
  const currency = given.currency === undefined ? null : tryCurrency(given.currency);
  if (currency === undefined) faults.push(notOf('currency', 'PLN'));
  const position = given.position ?? (await nextPosition(tools, given));
  if (!Number.isInteger(position) || position < 1 || position > positionsAtMost)
    faults.push(notOf('position', `1 to ${positionsAtMost}`));
  if (given.merchantId !== undefined && !isUlid(given.merchantId)) refuseMerchant();
  if (faults.length > 0 || !found || currency === undefined) throw new Refusal(faults);
  const route = await insertRoute(db.sql, {
    id: ids.ulid(),
    acquirer: found.name,
    merchantId: given.merchantId ?? null,
    channelId: given.channelId ?? null,
    currency,
    position,
    createdAt: clock.now(),
  });
  acquirers.routesChanged();
  return route ?? refuseMerchant();
}

function refuseMerchant(): never {
  return refuse('not_valid', 'merchantId', 'There is no such merchant, or there are too many routes.');
}

/** Removes a route; charges that were made through it stay where they are. */
export async function removeRoute({ acquirers, db }: Pick<RouteTools, 'acquirers' | 'db'>, id: string): Promise<Route> {
  const removed = await deleteRoute(db.sql, id);
  acquirers.routesChanged();
  return removed ?? refuse('not_found');
}

/** After the routes of the same merchant, channel and currency. */
async function nextPosition({ db }: RouteTools, given: RouteGiven): Promise<number> {
  const same = (await listRoutes(db.sql)).filter(
    ({ merchantId, channelId, currency }) =>
      merchantId === (given.merchantId ?? null) &&
      channelId === (given.channelId ?? null) &&
      currency === (given.currency ?? null),
  );
  return Math.min(positionsAtMost, Math.max(0, ...same.map(({ position }) => position)) + 1);
}

function tryCurrency(text: string): Route['currency'] | undefined {
  try {
    return currencyFrom(text);
  } catch {
    return undefined;
  }
}

function notOf(field: string, allowed: string): Fault {
  return { code: 'not_valid', field, message: `Must be one of ${allowed}.` };
}
