// The fuzz targets: a service with one of everything, the same service as an acquirer's callbacks reach it, and the
// bank as a separate server. Routes outside the contract are those that the servers report.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpoints } from '../../../contract/endpoints.ts';
import type { SigningKey } from '../../../src/acquirer/index.ts';
import { signRequest } from '../../../src/acquirer/signature.ts';
import { build } from '../../../src/app.ts';
import { readText } from '../../../src/database/index.ts';
import { Secret } from '../../../src/kernel/index.ts';
import { idsFrom, systemRandom } from '../../../src/runtime/index.ts';
import { SandboxClock } from '../../../src/sandbox/index.ts';
import { openBankHost } from '../../../src/simulators/index.ts';
import { sealSource } from '../../../src/simulators/mail/source.ts';
import { aPaidTransaction, aTransaction } from '../../support/payments.ts';
import { aRecurring } from '../../support/recurring.ts';
import { aRefund, fund } from '../../support/refunds.ts';
import { aMerchant, aService, atEnd, roomsOf, type Service, type TestMerchant } from '../../support/service.ts';
import { type FuzzedRequest, type FuzzIds, type PageRoute, type Place, placesOf, placesOfPage } from './places.ts';
import { jsons, texts } from './values.ts';

/** A server, its caller, and the places to fuzz. */
export interface Target {
  readonly url: string;
  readonly caller: Caller;
  readonly places: readonly Place[];
}

/** A merchant who gets a new token before the old one expires. */
export interface Caller {
  readonly service: Service;
  readonly merchant: TestMerchant;
}

const requestsPerSecond = 1_000_000;
const someId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const signingKey: SigningKey = { id: 'fuzz', secret: new Secret('a secret of the fuzz, of 32 characters') };

export async function openTargets(): Promise<Target[]> {
  const routes: RouteOptions[] = [];
  const stop = watchRoutes(routes);
  const service = await aService({ config: { requestsPerSecond } });
  stop();
  const merchant = await aMerchant(service);
  await fund(service, merchant, 100_000_000n);
  const known = await furnish(service, merchant);
  const fresh = idsFrom(service.world.clock, systemRandom());
  const ids: FuzzIds = { known: (name) => known[name] ?? someId, fresh: () => fresh.ulid() };
  const pages = await Promise.all(pagesOf(routes).map((page) => withFields(service, page, ids)));
  const caller = { service, merchant };
  const usual = endpoints.filter((endpoint) => !movesTime(endpoint)).flatMap((endpoint) => placesOf(endpoint, ids));
  return [
    { url: service.url, caller, places: usual },
    { url: service.url, caller, places: pages.flatMap((page) => placesOfPage(page, ids)) },
    await clockTarget(ids),
    { ...(await callbackTarget(service)), caller },
    { ...(await bankTarget(service)), caller },
  ];
}

const movesTime = ({ tag }: Endpoint) => tag === 'Sandbox';

/** A sandbox whose clock is almost at its maximum: a long move is refused, a short one is made. */
async function clockTarget(ids: FuzzIds): Promise<Target> {
  const service = await aService({
    config: { requestsPerSecond },
    clockOver: (wall) => new SandboxClock(wall),
  });
  const merchant = await aMerchant(service, {}, 'operator');
  await service.world.db.sql.run`update sandbox_clock set ahead_milliseconds = 3653::bigint * 86400000 - 3600000`;
  const places = endpoints.filter(movesTime).flatMap((endpoint) => placesOf(endpoint, ids));
  return { url: service.url, caller: { service, merchant }, places };
}

/** Fastify publishes each server that it creates, and each server its routes. */
function watchRoutes(routes: RouteOptions[]): () => void {
  const channel = 'fastify.initialization';
  const onServer = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe(channel, onServer);
  return () => void unsubscribe(channel, onServer);
}

function pagesOf(routes: readonly RouteOptions[]): PageRoute[] {
  const ofContract = new Set(endpoints.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')));
  return routes
    .filter(({ url }) => !ofContract.has(url))
    .flatMap(({ method, url }): PageRoute[] => {
      // A route for many methods is the one that responds with 405.
      if (method === 'GET') return [{ method: 'GET', url, fields: {} }];
      return method === 'POST' ? [{ method: 'POST', url, fields: {} }] : [];
    });
}

/** The fields are those of the forms on the same page. */
async function withFields({ url: base }: Service, page: PageRoute, ids: FuzzIds): Promise<PageRoute> {
  if (page.method !== 'POST') return page;
  const path = page.url.replaceAll(/:(\w+)/g, (_, name: string) => ids.known(name));
  const shown = await Promise.all(
    ['', '?method=53', '?method=64', '?method=21'].map(async (query) => (await fetch(`${base}${path}${query}`)).text()),
  );
  const inputs = shown.join('').matchAll(/<(?:input|button)\b[^>]*\bname="(\w+)"(?:[^>]*\bvalue="([^"]*)")?/g);
  return { ...page, fields: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value])) };
}

/** One of everything, by the name of the parameter that takes its id. */
async function furnish(service: Service, merchant: TestMerchant): Promise<Readonly<Record<string, string>>> {
  const { token } = merchant;
  const { sql } = service.world.db;
  const pending = await service.ask('POST', '/transactions', { token, body: { amount: 10.02, description: 'Order' } });
  const paid = await aPaidTransaction(service, merchant, { amount: 90_000 });
  const atBank = await aTransaction(service, merchant);
  const paying = await service.ask('POST', `/transactions/${atBank}/pay`, { token, body: { channelId: 21 } });
  const lastOf = (url: unknown) => String(url).split('/').at(-1) ?? '';
  const body = { amount: 1, description: 'x' };
  await service.ask('POST', '/transactions', { token, body, headers: { 'idempotency-key': 'known' } });
  await sql.run`
    insert into caught_mail (id, received_at, source_sealed)
    values (${someId}, ${service.world.clock.now()},
            ${sealSource(service.world.vault, someId, Buffer.from('Subject: x\r\n\r\ntext'))})`;
  const [eventId = ''] = await sql.many((row) => readText(row, 'id'))`select id from event limit 1`;
  return {
    transactionId: paid,
    refundId: await aRefund(service, merchant, paid, { amount: 1 }),
    recurringId: await aRecurring(service, merchant),
    eventId,
    key: 'known',
    id: someId,
    address: lastOf(pending.body.transactionPaymentUrl),
    linkId: lastOf(paying.body.transactionPaymentUrl),
  };
}

/** Signed and unsigned requests with a known key. */
function signedPlaces({ world }: Service, method: 'GET' | 'POST', path: string): Place[] {
  const signed = (body: string): FuzzedRequest => ({
    method,
    path,
    headers: { 'content-type': 'application/json', ...signRequest(signingKey, { method, path, body }, world.wall) },
    ...(method === 'POST' ? { body } : {}),
  });
  const headers = ['acquirer-key-id', 'acquirer-timestamp', 'acquirer-signature'];
  return [
    { name: `${method} ${path} signed body`, values: ['', ...jsons], request: signed },
    ...headers.map((name) => ({
      name: `${method} ${path} header ${name}`,
      values: texts,
      request: (value: string) => ({
        ...signed(''),
        headers: { ...signed('').headers, [name]: value.slice(0, 4_000).replaceAll(/[^ -~]/gu, '?') },
      }),
    })),
  ];
}

/** The service without an in-process bank: then an acquirer sends callbacks. */
async function callbackTarget(service: Service): Promise<Omit<Target, 'caller'>> {
  const { world } = service;
  const acquirer = { url: 'http://127.0.0.1:9', keys: [signingKey] as const, name: 'acquirer' };
  const hosted = { ...world, bank: undefined, config: { ...world.config, acquirer } };
  const app = await build(hosted, await roomsOf(hosted));
  atEnd(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, places: signedPlaces(service, 'POST', '/acquirer/callback') };
}

async function bankTarget(service: Service): Promise<Omit<Target, 'caller'>> {
  const { bank: simulator, wall, log } = service.world;
  const callbackUrl = 'http://127.0.0.1:9/acquirer/callback';
  const { app } = await openBankHost({ simulator, keys: [signingKey], wall, log, callbackUrl });
  atEnd(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const lookUps = texts.map((text) => encodeURIComponent(text.slice(0, 300).toWellFormed()));
  return {
    url,
    places: [
      ...['/charges', '/refunds', '/cancels'].flatMap((path) => signedPlaces(service, 'POST', path)),
      ...['/charges', '/refunds'].map((path) => ({
        name: `GET ${path} key`,
        values: lookUps,
        request: (value: string) => {
          const message = { method: 'GET', path: `${path}/${value}` };
          return { ...message, headers: signRequest(signingKey, { ...message, body: '' }, wall) };
        },
      })),
    ],
  };
}
