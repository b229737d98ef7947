// Every place where the service, the bank's host and the demo shop read untrusted input.

import { bodyBytesOf, type Endpoint, usualBodyBytes } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { type Shop, startShop } from '../../examples/shop/server.ts';
import {
  callbackPath,
  httpReceiver,
  openAcquirers,
  openHttpAcquirer,
  type SigningKey,
} from '../../src/acquirer/index.ts';
import { signRequest } from '../../src/acquirer/signature.ts';
import { build } from '../../src/app.ts';
import { quietPort } from '../../src/embedded/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import { openBankHost } from '../../src/simulators/index.ts';
import type { Place } from './cpu.ts';
import { attacksOn, formAttack, headerAttack, jsonAttack } from './hostile.ts';
import { aPayPage } from './payer.ts';
import { aTransaction } from './payments.ts';
import { aFolder, atEnd, roomsOf, type Service, type TestMerchant } from './service.ts';

const key: SigningKey = { id: 'test', secret: new Secret('k'.repeat(40)) };
const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** An endpoint of the contract, with everything that it accepts. */
export function endpointPlace(service: Service, merchant: TestMerchant, endpoint: Endpoint): Place {
  return {
    name: endpoint.id,
    url: service.url,
    method: endpoint.method,
    path: endpoint.path.replaceAll(/\{\w+\}/g, unknownId),
    headers: { authorization: `Bearer ${merchant.token}` },
    attacks: attacksOn(endpoint),
    bodyBytes: bodyBytesOf(endpoint),
  };
}

const apiHeaders = ['authorization', 'idempotency-key', 'content-type', 'accept', 'cookie', 'expect'];

/** Headers are read by the same code at every endpoint; one of each kind is enough. */
export function headerPlaces(service: Service, merchant: TestMerchant): Place[] {
  // An account that the token is not for is looked up, whatever its name: a plain request names an unknown one too.
  const attacks = [headerAttack(apiHeaders), headerAttack(['x-merchant-id'], { 'x-merchant-id': unknownId })];
  return endpoints
    .filter(({ id }) => ['A1', 'A2', 'E1'].includes(id))
    .map((endpoint) => ({ ...endpointPlace(service, merchant, endpoint), attacks }));
}

const pageHeaders = ['accept-language', 'cookie', 'origin', 'content-type'];

/** The pay page and the bank's pages. */
export async function formPlaces(service: Service, merchant: TestMerchant): Promise<Place[]> {
  const { url } = service;
  const paths = await Promise.all(
    ['card', 'blik'].map(async () => new URL((await aPayPage(service, merchant)).url).pathname),
  );
  const [card = '', blik = ''] = paths;
  const link = await aBankLink(service, merchant);
  const form = (name: string, path: string, fields: readonly string[], others: string, bytes: number): Place => ({
    name,
    url,
    method: 'POST',
    path,
    attacks: [formAttack(fields, others, bytes)],
  });
  return [
    form('card form', card, ['method', 'attempt'], 'z=1', 8_192),
    form('card form', card, ['number', 'expiry', 'code', 'card', 'save'], 'method=53&attempt=1', 8_192),
    form('BLIK form', blik, ['blik'], 'method=64&attempt=1', 8_192),
    form('page that does not exist', '/pay/x', ['method'], 'z=1', 8_192),
    form("the bank's form", link, ['choice'], 'z=1', 4_096),
    {
      name: 'embedded form',
      url,
      method: 'POST',
      path: `${card}/embed?origin=x`,
      attacks: [headerAttack(pageHeaders)],
    },
    { name: 'card form', url, method: 'POST', path: card, attacks: [headerAttack(pageHeaders)] },
    { name: 'pay page', url, method: 'GET', path: card, attacks: [headerAttack(pageHeaders)] },
    { name: "the bank's page", url, method: 'GET', path: link, attacks: [headerAttack(pageHeaders)] },
    { name: 'nowhere', url, method: 'POST', path: '/nowhere', attacks: [jsonAttack(undefined, usualBodyBytes)] },
  ];
}

async function aBankLink(service: Service, merchant: TestMerchant): Promise<string> {
  const id = await aTransaction(service, merchant, { amount: 10.02 });
  const { body } = await service.ask('POST', `/transactions/${id}/pay`, {
    token: merchant.token,
    body: { channelId: 21 },
  });
  return new URL(body.transactionPaymentUrl).pathname;
}

/** What an acquirer sends us, and what the host of the simulated bank accepts; signed, so that it is read. */
export async function acquirerPlaces(service: Service): Promise<Place[]> {
  const { bank, ...rest } = service.world;
  const { wall, log } = rest;
  const acquirer = openHttpAcquirer({ url: 'http://127.0.0.1', keys: [key], wall, log });
  const http = { name: 'http', acquirer, takesNew: true, receiver: httpReceiver([key], wall) };
  const acquirers = openAcquirers(rest, [http], { get: async () => [], forget: () => undefined });
  const world = { ...rest, bank: undefined, acquirers };
  const app = await build(world, await roomsOf(world));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const host = await openBankHost({ simulator: bank, keys: [key], wall, log, callbackUrl: url });
  const hostUrl = await host.app.listen({ host: '127.0.0.1', port: 0 });
  atEnd(() => Promise.all([app.close(), host.app.close()]));
  const place = (at: string, path: string, bytes: number, fields: readonly string[]): Place => ({
    name: path,
    url: at,
    method: 'POST',
    path,
    signed: (body) => signRequest(key, { method: 'POST', path, body }, wall),
    attacks: [jsonAttack({ properties: Object.fromEntries(fields.map((name) => [name, {}])) }, bytes)],
  });
  const callback = place(url, callbackPath, 8_192, ['kind', 'key', 'result']);
  const signature = [headerAttack(['acquirer-key-id', 'acquirer-timestamp', 'acquirer-signature'])];
  const charge = [
    'key',
    'merchantName',
    'language',
    'amount',
    'instrument',
    'description',
    'returnUrl',
    'deadlineMilliseconds',
  ];
  return [
    callback,
    { ...callback, attacks: signature },
    place(hostUrl, '/charges', 32_768, charge),
    place(hostUrl, '/refunds', 32_768, ['key', 'chargeKey', 'amount', 'deadlineMilliseconds']),
  ];
}

/** The demo shop of this merchant, in the service's process, as with `npm start`. */
export async function aShop(service: Service, merchant: TestMerchant): Promise<Shop> {
  const { clientId, clientSecret } = merchant;
  const grosz = {
    id: merchant.id,
    baseUrl: service.url,
    clientId,
    clientSecret,
    merchantNumber: 1,
    webhookSecret: 'whsec_x',
    securityCode: 'x',
  };
  const shop = await startShop({ host: '127.0.0.1', port: await quietPort(), dataDir: await aFolder(), grosz });
  atEnd(() => shop.close());
  return shop;
}

export async function shopPlaces(service: Service, merchant: TestMerchant): Promise<Place[]> {
  const shop = await aShop(service, merchant);
  const place = (path: string, fields: readonly string[], bytes: number): Place => ({
    name: `shop ${path}`,
    url: shop.url,
    method: 'POST',
    path,
    attacks: [formAttack(fields, 'z=1', bytes)],
  });
  return [
    place('/cart', ['id', 'change'], 8_192),
    place('/checkout', ['orderId', 'email', 'card'], 8_192),
    { ...place('/notifications', [], 8_192), attacks: [headerAttack(['webhook-id', 'webhook-signature', 'cookie'])] },
  ];
}
