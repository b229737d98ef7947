// What each kind of caller can send to hold up a node: nobody, a token, a partner, a seller, a person in the panel, a
// payer, an acquirer, a receiver of notifications.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { bodyBytesOf, type Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { changePayPage } from '../../contract/panel/pay-page.ts';
import { callbackPath, type SigningKey } from '../../src/acquirer/index.ts';
import { signRequest } from '../../src/acquirer/signature.ts';
import { Secret } from '../../src/kernel/index.ts';
import { systemClock, within } from '../../src/runtime/index.ts';
import { type Attack, attacksOn, formAttack, headerAttack, jsonAttack } from './hostile.ts';
import { aChild, aPartner, splitBody, type TestPartner } from './marketplace.ts';
import { aPassword, aUser, cookieOf } from './panel.ts';
import { fund } from './refunds.ts';
import { type Answer, aService, ask, atEnd, type Service, type TestMerchant } from './service.ts';
import { aTurnNode, type TurnNode } from './turns.ts';

export interface Trial {
  readonly node: TurnNode;
  readonly caller: string;
  /** Trials of a kind differ in their input only. */
  readonly kind: string;
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

type Send = (
  method: string,
  path: string,
  asking: { raw?: string; headers?: Record<string, string> },
) => Promise<unknown>;

const someId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const signingKey: SigningKey = { id: 'test', secret: new Secret('k'.repeat(40)) };
const answeredWithinMilliseconds = 3_000;
const json = { 'content-type': 'application/json' };

function times(count: number, run: () => Promise<unknown>): () => Promise<unknown> {
  return () => Promise.all(Array.from({ length: count }, run));
}

/** A node in this world, with everything that its callers need, and all their trials. */
export async function openTurnStage(): Promise<Trial[]> {
  const home = await aService();
  const partner = await aPartner(home);
  for (const account of [partner, ...partner.sellers]) await fund(home, account, 1_000_000_000n);
  const node = await aTurnNode(home.world, { REQUESTS_PER_SECOND: '100000', ADDRESS_REQUESTS_PER_SECOND: '100000' });
  const token = await tokenOf(node, partner);
  const cart = await aPaidCart(node, partner, token);
  return [
    ...ofNobody(node),
    ...ofToken(node, token, partner),
    ...ofPartner(node, partner, token, cart.id),
    ...(await ofPerson(home, node, partner, cart.id)),
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

/** Plain requests, whatever the response: most are refused. */
function sender({ url }: TurnNode, always: Readonly<Record<string, string>> = {}): Send {
  return async (method, path, { raw, headers }) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...headers },
      redirect: 'manual',
      ...(raw === undefined || method === 'GET' ? {} : { body: raw }),
    });
    const text = await response.text();
    assert.ok(response.status < 500, `${method} ${path.slice(0, 100)}: ${response.status} ${text.slice(0, 200)}`);
  };
}

/** Each hostile input of an attack, several at once. */
function trialsOf(
  { node, caller }: Pick<Trial, 'node' | 'caller'>,
  { method, path, name }: { readonly method: string; readonly path: string; readonly name: string },
  attacks: readonly Attack[],
  send: Send,
  atOnce: number,
): Trial[] {
  return attacks.flatMap((attack, index) =>
    [...attack.hostile()]
      .filter(({ headers }) => isSendable(headers))
      .map((sent): Trial => {
        const { query, headers, body } = sent;
        const asking = {
          ...(headers ? { headers: { ...headers } } : {}),
          ...(body === undefined ? {} : { raw: body }),
        };
        const url = query === undefined ? path : `${path}?${query}`;
        const run = times(atOnce, () => send(method, url, asking));
        return { node, caller, kind: `${name} ${index}`, name: sent.name, run };
      }),
  );
}

/** What `fetch` lets us send. */
function isSendable(headers: Readonly<Record<string, string>> | undefined): boolean {
  return !Object.entries(headers ?? {}).some(([name, value]) => name === 'expect' || /[^\x20-\x7e]/.test(value));
}

const idOf = (id: string): Endpoint => endpoints.find((endpoint) => endpoint.id === id) as Endpoint;
const pathOf = ({ path }: Endpoint) => path.replaceAll(/\{\w+\}/g, someId);
const placeOf = (endpoint: Endpoint) => ({ method: endpoint.method, path: pathOf(endpoint), name: endpoint.id });
const many = (endpoint: Endpoint) => (bodyBytesOf(endpoint) > 100_000 ? 4 : 20);

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
  ];
}

/** As many names as one object may have, in as many objects as fit. */
function manyNames(bytes: number): string {
  const object = `{${Array.from({ length: 100 }, (_, index) => `"name${index}":1`).join()}}`;
  return `{"unknown":[${Array.from({ length: Math.floor(bytes / (object.length + 1)) - 1 }, () => object).join()}]}`;
}

function ofToken(node: TurnNode, token: string, partner: TestPartner): Trial[] {
  const authorization = { authorization: `Bearer ${token}` };
  const send = sender(node, authorization);
  const asSeller = sender(node, { ...authorization, 'x-merchant-id': partner.sellers[0]?.id ?? '' });
  const E1 = idOf('E1');
  const order = JSON.stringify({ amount: 1, description: 'Tea' });
  const logged = (sending: Send) => () =>
    sending('POST', `/transactions?${'&'.repeat(14_000)}`, { raw: manyNames(65_000), headers: json });
  const trial = (caller: string, name: string, run: Trial['run']): Trial => ({ node, caller, kind: name, name, run });
  return [
    ...['E1', 'E2', 'E4', 'R1', 'M1', 'M3'].flatMap((id) =>
      trialsOf({ node, caller: 'a token' }, placeOf(idOf(id)), attacksOn(idOf(id)), send, many(idOf(id))),
    ),
    trial('a token', 'the log of requests', times(60, logged(send))),
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

const products = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: 'Tea', externalId: `e${index}`, quantity: 1, unitPrice: 1 }));

/** The largest cart that fits into a body, paid. */
async function aPaidCart(node: TurnNode, partner: TestPartner, token: string): Promise<{ id: string; page: string }> {
  const made = await createCart(node, partner, token);
  const path = `/marketplace/v1/transaction/${made.body.transactionId}/pay`;
  const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
  const paid = await ask(node.url, 'POST', path, { token, body });
  assert.equal(paid.body.status, 'paid', paid.text);
  return {
    id: made.body.transactionId,
    page: new URL((await createCart(node, partner, token)).body.paymentUrl).pathname,
  };
}

async function createCart({ url }: TurnNode, partner: TestPartner, token: string): Promise<Answer> {
  const children = Array.from({ length: 18 }, (_, index) =>
    aChild(partner, index % 3, 1_000, { products: products(900) }),
  );
  const answer = await ask(url, 'POST', '/marketplace/v1/transaction', { token, body: splitBody(partner, children) });
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  return answer;
}

function ofPartner(node: TurnNode, partner: TestPartner, token: string, cartId: string): Trial[] {
  const send = sender(node, { authorization: `Bearer ${token}` });
  const path = `/marketplace/v1/transaction/${cartId}`;
  const children = partner.sellers.map(({ id }) => ({ merchantId: id, products: products(900) }));
  const raw = JSON.stringify({ childTransactions: children });
  const trial = (name: string, run: Trial['run']): Trial => ({ node, caller: 'a partner', kind: name, name, run });
  return [
    trial(
      'the largest cart',
      times(3, () => createCart(node, partner, token)),
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

async function ofPerson(home: Service, node: TurnNode, partner: TestPartner, cartId: string): Promise<Trial[]> {
  const { email } = await aUser(home, 'owner', partner.id);
  const credentials = { email, password: aPassword };
  const signedIn = await ask(node.url, 'POST', '/panel/api/sign-in', { body: credentials });
  const cookie = cookieOf(signedIn);
  const session = await ask(node.url, 'GET', '/panel/api/session', { headers: { cookie } });
  const send = sender(node, { cookie, 'x-csrf-token': session.body.csrfToken });
  const wrong = { raw: JSON.stringify({ email: 'nobody@example.com', password: 'x'.repeat(70) }), headers: json };
  const logo = { raw: JSON.stringify({ logo: Buffer.alloc(100_000, 'logo').toString('base64') }), headers: json };
  const trial = (name: string, run: Trial['run']): Trial => ({ node, caller: 'a person', kind: name, name, run });
  return [
    ...trialsOf({ node, caller: 'a person' }, placeOf(changePayPage), attacksOn(changePayPage), send, 6),
    trial(
      'a logo',
      times(10, () => send('POST', changePayPage.path, logo)),
    ),
    trial(
      'the largest cart',
      times(5, () => send('GET', `/panel/api/transactions/${cartId}`, {})),
    ),
    trial(
      'the longest list',
      times(10, () => send('GET', '/panel/api/transactions?limit=100', {})),
    ),
    trial(
      'the log of requests',
      times(10, () => send('GET', '/panel/api/requests?limit=100', {})),
    ),
    trial(
      'a file of transactions',
      times(3, () => send('GET', '/panel/api/transactions/export', {})),
    ),
    trial(
      'wrong passwords',
      times(10, () => send('POST', '/panel/api/sign-in', wrong)),
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
