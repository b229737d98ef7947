// What each kind of caller can send to hold up a node: nobody, a token, a partner, a seller, people in the panel
// (turn-people.ts), a payer, an acquirer, a receiver of notifications.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { seedBusiness } from '../../bench/panel/seed.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { callbackPath, type SigningKey } from '../../src/acquirer/index.ts';
import { signRequest } from '../../src/acquirer/signature.ts';
import { Secret } from '../../src/kernel/index.ts';
import { systemClock, within } from '../../src/runtime/index.ts';
import { attacksOn, formAttack, headerAttack, jsonAttack } from './hostile.ts';
import { aChild, aPartner, splitBody, type TestPartner } from './marketplace.ts';
import { fund } from './refunds.ts';
import { type Answer, aService, ask, atEnd, type Service, type TestMerchant } from './service.ts';
import { type Carts, ofPeople, worstOf } from './turn-people.ts';
import {
  idOf,
  json,
  many,
  manyNames,
  placeOf,
  products,
  type Send,
  sender,
  type Trial,
  times,
  trialsOf,
} from './turn-trial.ts';
import { aTurnNode, type TurnNode } from './turns.ts';

const signingKey: SigningKey = { id: 'test', secret: new Secret('k'.repeat(40)) };
/** Enough for several parts of a file. */
const transactionsOfBusiness = 5_000;
const answeredWithinMilliseconds = 3_000;

/** A node in this world, with everything that its callers need, and all their trials. */
export async function openTurnStage(): Promise<Trial[]> {
  const home = await aService();
  const business = await seedBusiness(home.world, home.world.databaseUrl, transactionsOfBusiness);
  const partner = await aPartner(home);
  for (const account of [partner, ...partner.sellers]) await fund(home, account, 1_000_000_000n);
  const node = await aTurnNode(home.world, { REQUESTS_PER_SECOND: '100000', ADDRESS_REQUESTS_PER_SECOND: '100000' });
  const token = await tokenOf(node, partner);
  const cart = await aPaidCart(node, partner, token);
  return [
    ...ofNobody(node),
    ...ofToken(node, token, partner),
    ...ofPartner(node, partner, token, cart.id),
    ...(await ofPeople(home, node, { partner, cart, businessId: business.id })),
    ...ofPayer(node, cart.page),
    ...(await ofReceiver(node, token)),
    ...(await ofAcquirer(home)),
  ];
}

async function tokenOf({ url }: TurnNode, { clientId, clientSecret }: TestMerchant): Promise<string> {
  const body = { client_id: clientId, client_secret: clientSecret };
  const answer = await ask(url, 'POST', '/oauth/auth', { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.access_token;
}

function ofNobody(node: TurnNode): Trial[] {
  const [send, A1] = [sender(node), idOf('A1')];
  const headers = headerAttack(['authorization', 'accept', 'cookie', 'x-merchant-id', 'x-forwarded-for']);
  return [
    ...trialsOf({ node, caller: 'nobody' }, placeOf(A1), [...attacksOn(A1), headers], send, 20),
    ...trialsOf({ node, caller: 'nobody' }, placeOf(idOf('E3')), [headers], send, 20),
    ...trialsOf(
      { node, caller: 'nobody' },
      { method: 'POST', path: '/nowhere', name: 'nowhere' },
      [jsonAttack(undefined, 65_536)],
      send,
      20,
    ),
    {
      node,
      caller: 'nobody',
      kind: 'health',
      name: 'many at once',
      run: times(200, () => send('GET', '/health/live', {})),
    },
    {
      node,
      caller: 'nobody',
      kind: 'metrics',
      name: 'what is wrong and what waits',
      run: times(5, () => send('GET', '/metrics', {})),
    },
  ];
}

function ofToken(node: TurnNode, token: string, partner: TestPartner): Trial[] {
  const authorization = { authorization: `Bearer ${token}` };
  const send = sender(node, authorization);
  const asSeller = sender(node, { ...authorization, 'x-merchant-id': partner.sellers[0]?.id ?? '' });
  const E1 = idOf('E1');
  const changing = endpoints.filter(({ method, access }) => method !== 'GET' && access === 'write');
  const order = JSON.stringify({ amount: 1, description: 'Tea' });
  const logged = (sending: Send) => () =>
    sending('POST', `/transactions?${'&'.repeat(14_000)}`, { raw: manyNames(65_000), headers: json });
  const trial = (caller: string, name: string, run: Trial['run']): Trial => ({ node, caller, kind: name, name, run });
  return [
    ...['E1', 'E2', 'E4', 'R1', 'M1', 'M3'].flatMap((id) =>
      trialsOf({ node, caller: 'a token' }, placeOf(idOf(id)), attacksOn(idOf(id)), send, many(idOf(id))),
    ),
    ...changing.flatMap((endpoint) =>
      trialsOf({ node, caller: 'a token' }, placeOf(endpoint), [worstOf(endpoint)], send, many(endpoint)),
    ),
    trial('a token', 'the log of requests', times(60, logged(send))),
    trial(
      'a token',
      'events of the largest carts',
      times(5, () => send('GET', '/events?limit=100', {})),
    ),
    trial(
      'a token',
      'many orders',
      times(200, () => send('POST', '/transactions', { raw: order, headers: json })),
    ),
    trial(
      'a token',
      'the longest list',
      times(20, () => send('GET', '/transactions?limit=100', {})),
    ),
    trial(
      'a token',
      'many names',
      times(20, () => send('POST', '/transactions', { raw: manyNames(65_000), headers: json })),
    ),
    trial('a seller', 'the log of requests', times(60, logged(asSeller))),
    ...trialsOf({ node, caller: 'a seller' }, placeOf(E1), [jsonAttack(undefined, 65_536)], asSeller, 20),
  ];
}

/** The largest cart that fits into a body, paid. */
async function aPaidCart(node: TurnNode, partner: TestPartner, token: string): Promise<Carts & { page: string }> {
  const made = await createCart(node, partner, token);
  const path = `/marketplace/v1/transaction/${made.body.transactionId}/pay`;
  const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
  const paid = await ask(node.url, 'POST', path, { token, body });
  assert.equal(paid.body.status, 'paid', paid.text);
  return {
    id: made.body.transactionId,
    body: JSON.stringify(cartOf(partner)),
    page: new URL((await createCart(node, partner, token)).body.paymentUrl).pathname,
  };
}

/** As many products as fit into a body, in a few children or in as many as there may be. */
function cartOf(partner: TestPartner, [children, each] = [18, 900] as readonly [number, number]): object {
  return splitBody(
    partner,
    Array.from({ length: children }, (_, index) => aChild(partner, index % 3, 1_000, { products: products(each) })),
  );
}

async function createCart({ url }: TurnNode, partner: TestPartner, token: string): Promise<Answer> {
  const answer = await ask(url, 'POST', '/marketplace/v1/transaction', { token, body: cartOf(partner) });
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  return answer;
}

function ofPartner(node: TurnNode, partner: TestPartner, token: string, cartId: string): Trial[] {
  const send = sender(node, { authorization: `Bearer ${token}` });
  const path = `/marketplace/v1/transaction/${cartId}`;
  const children = partner.sellers.map(({ id }) => ({ merchantId: id, products: products(900) }));
  const raw = JSON.stringify({ childTransactions: children });
  const wide = JSON.stringify(cartOf(partner, [100, 100]));
  const trial = (name: string, run: Trial['run']): Trial => ({ node, caller: 'a partner', kind: name, name, run });
  return [
    trial(
      'the largest cart',
      times(3, () => createCart(node, partner, token)),
    ),
    trial(
      'a hundred children of a hundred products',
      times(3, () => send('POST', '/marketplace/v1/transaction', { raw: wide, headers: json })),
    ),
    trial(
      'the largest cart, shown',
      times(5, () => send('GET', path, {})),
    ),
    trial(
      'lists of the largest carts',
      times(5, () => send('GET', '/marketplace/v1/transaction?limit=100', {})),
    ),
    trial(
      'a preview of 2,700 products',
      times(3, () => send('POST', `${path}/refund?dryRun=true`, { raw, headers: json })),
    ),
    trial('a refund of 2,700 products', () => send('POST', `${path}/refund`, { raw, headers: json })),
    trial(
      'many names in 1 MiB',
      times(4, () => send('POST', '/marketplace/v1/transaction', { raw: manyNames(1_000_000), headers: json })),
    ),
  ];
}

function ofPayer(node: TurnNode, page: string): Trial[] {
  const send = sender(node);
  const place = { method: 'POST', path: page, name: 'pay form' };
  const fields = ['number', 'expiry', 'code', 'card', 'save'];
  const forms = [formAttack(fields, 'method=53&attempt=1', 8_192), formAttack(['blik'], 'method=64&attempt=1', 8_192)];
  return [
    ...trialsOf(
      { node, caller: 'a payer' },
      place,
      [...forms, headerAttack(['accept-language', 'cookie', 'origin'])],
      send,
      20,
    ),
    { node, caller: 'a payer', kind: 'page', name: 'the largest cart', run: times(20, () => send('GET', page, {})) },
  ];
}

/** Responses to notifications: long, in many pieces, JSON that is expensive to read. */
async function ofReceiver(node: TurnNode, token: string): Promise<Trial[]> {
  const answers = [
    'TRUE',
    'x'.repeat(4_000_000),
    '['.repeat(1_000_000),
    `{"result":[${'{},'.repeat(300_000)}1]}`,
    '1'.repeat(1_000_000),
  ];
  let [answer, waiting]: [string, () => void] = ['', () => undefined];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.on('close', () => waiting()).on('error', () => undefined);
      response.writeHead(
        200,
        Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}`, 'y'.repeat(100)])),
      );
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const body = {
    amount: 1,
    description: 'Tea',
    pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
    callbacks: { notification: { url: `http://127.0.0.1:${port}/` } },
  };
  return answers.map((text, index): Trial => {
    const run = async () => {
      answer = text;
      const answered = new Promise<void>((resolve) => {
        waiting = resolve;
      });
      await times(20, () => ask(node.url, 'POST', '/transactions', { token, body }))();
      // The first answer is enough: an endpoint with wrong answers gets the next notification only after a while, and
      // then none may come at all.
      await within(answeredWithinMilliseconds, 'no notification', answered).catch(() => undefined);
    };
    return { node, caller: 'a receiver', kind: `answer ${index}`, name: `${text.slice(0, 20)}...`, run };
  });
}

/** A node with an acquirer over HTTP: its callbacks, signed. */
async function ofAcquirer({ world }: Service): Promise<Trial[]> {
  const secret = `${signingKey.id}:${signingKey.secret.reveal()}`;
  const node = await aTurnNode(world, { ACQUIRER_URL: 'http://127.0.0.1:9', ACQUIRER_SECRET: secret });
  const plain = sender(node);
  const send: Send = (method, path, asking) => {
    const signed = signRequest(signingKey, { method, path, body: asking.raw ?? '' }, systemClock);
    return plain(method, path, { ...asking, headers: { ...signed, ...asking.headers } });
  };
  const schema = { properties: { kind: {}, key: {}, result: {} } };
  const headers = headerAttack(['acquirer-key-id', 'acquirer-timestamp', 'acquirer-signature']);
  const place = { method: 'POST', path: callbackPath, name: 'callback' };
  return trialsOf({ node, caller: 'an acquirer' }, place, [jsonAttack(schema, 8_192), headers], send, 20);
}
