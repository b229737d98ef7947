// Events: what happened, for `GET /v1/events` and for webhooks.

import type { Stripe } from 'stripe';
import { shareOf } from './ids.ts';
import type { Scope } from './model.ts';
import type { Store } from './store.ts';
import { add, type Context, currentVersion, newId } from './world.ts';

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** Two while one replaces the other: both sign. */
  readonly secrets: readonly string[];
  readonly account: string;
  readonly live: boolean;
  /** Types of events; `*` is every one. */
  readonly events: readonly string[];
  readonly stopped: boolean;
  /** Deliveries go out in an order drawn from the seed. */
  readonly shuffled: boolean;
  /** How many of them are sent twice: from 0 to 1. */
  readonly duplicates: number;
}

const places = 1_000_000;

export function endpointsOf(store: Store): readonly WebhookEndpoint[] {
  return store.recall<readonly WebhookEndpoint[]>('webhooks', []);
}

export function saveEndpoints(store: Store, endpoints: readonly WebhookEndpoint[]): void {
  store.remember('webhooks', endpoints);
}

function isFor(endpoint: WebhookEndpoint, { account, live }: Scope, type: string): boolean {
  if (endpoint.account !== account || endpoint.live !== live) return false;
  return endpoint.events.includes('*') || endpoint.events.includes(type);
}

/** Records the event and what is to be delivered. */
export function emit(context: Context, type: Stripe.Event['type'], object: object): void {
  const endpoints = endpointsOf(context.store).filter((one) => isFor(one, context.scope, type));
  const base = {
    id: newId(context, 'evt'),
    object: 'event',
    api_version: currentVersion,
    created: context.now,
    livemode: context.scope.live,
    pending_webhooks: endpoints.length,
    request: context.request,
    type,
  } as const;
  const event = { ...base, data: { object } } as unknown as Stripe.Event;
  add(context, 'event', event, null);
  for (const endpoint of endpoints) planDelivery(context, endpoint, base.id);
}

function planDelivery({ store, seed, now }: Context, endpoint: WebhookEndpoint, event: string): void {
  const placeOf = (word: string) => (endpoint.shuffled ? Math.floor(shareOf(seed, word, event) * places) : 0);
  store.insertTry(endpoint.id, event, now * 1_000, placeOf('place'));
  if (shareOf(seed, 'duplicate', event) < endpoint.duplicates)
    store.insertTry(endpoint.id, event, now * 1_000, placeOf('second place'));
}
