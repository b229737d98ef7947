// What people in the panel can send to hold up a node, in every role: bodies as large as allowed at every endpoint that
// takes one, also those of the API that the panel mirrors, the largest cart, files, lists.

import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { bodyBytesOf, type Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { UserRole } from '../../contract/identity/roles.ts';
import { panelEndpoints } from '../../contract/panel/endpoints.ts';
import { changePayPage } from '../../contract/panel/pay-page.ts';
import { pause } from '../../src/runtime/index.ts';
import { type Attack, attacksOn, type JsonSchema, jsonAttack } from './hostile.ts';
import type { TestPartner } from './marketplace.ts';
import { aPassword, aUser, cookieOf } from './panel.ts';
import { ask, type Service } from './service.ts';
import { json, manyNames, placeOf, products, type Send, sender, type Trial, times, trialsOf } from './turn-trial.ts';
import type { TurnNode } from './turns.ts';

const mirror = '/panel/api/merchant';

/** The inputs that cost the most at any endpoint; every input at every endpoint would take an hour. */
const worst = new Set([
  'emoji, known',
  'digits, known',
  'commas, known',
  'escaped letters, known',
  'empty objects, known',
  'short numbers, known',
  'many keys, unknown',
]);

/** The worst of an endpoint's own fields, and as many names as fit. */
export function worstOf(endpoint: Endpoint): Attack {
  const bytes = bodyBytesOf(endpoint);
  const whole = jsonAttack(endpoint.body as JsonSchema | undefined, bytes);
  const names = { name: 'many names', headers: json, body: manyNames(bytes) };
  return {
    plain: whole.plain,
    hostile: () => [...whole.hostile()].filter(({ name }) => worst.has(name)).concat(names),
  };
}

/** Those that change something, and so take a body and are written into the audit log. */
const changing = (of: readonly Endpoint[]) => of.filter(({ method, access }) => method !== 'GET' && access !== 'none');

/** A verification takes seconds. */
const askedAtMost = 1_000;

interface Signed {
  readonly send: Send;
  readonly trial: (name: string, run: Trial['run']) => Trial;
  readonly who: Pick<Trial, 'node' | 'caller'>;
}

async function signedIn(home: Service, node: TurnNode, role: UserRole, of: string | null, caller: string) {
  const { email } = await aUser(home, role, of);
  const credentials = { email, password: aPassword };
  const signed = await ask(node.url, 'POST', '/panel/api/sign-in', { body: credentials });
  assert.equal(signed.status, 200, signed.text);
  const cookie = cookieOf(signed);
  const session = await ask(node.url, 'GET', '/panel/api/session', { headers: { cookie } });
  const send = sender(node, { cookie, 'x-csrf-token': session.body.csrfToken });
  const trial = (name: string, run: Trial['run']): Trial => ({ node, caller, kind: name, name, run });
  return { send, trial, who: { node, caller } } satisfies Signed;
}

export interface Carts {
  /** Paid, as large as a body may be. */
  readonly id: string;
  /** The body of a cart that may be created again and again. */
  readonly body: string;
}

export interface Accounts {
  readonly partner: TestPartner;
  readonly cart: Carts;
  /** With years of business. */
  readonly businessId: string;
}

export async function ofPeople(home: Service, node: TurnNode, accounts: Accounts): Promise<Trial[]> {
  const { partner, cart } = accounts;
  const owner = await signedIn(home, node, 'owner', partner.id, 'an owner');
  const staff = await signedIn(home, node, 'staff', partner.id, 'staff');
  const seller = await signedIn(home, node, 'owner', partner.sellers[0]?.id ?? null, "a seller's owner");
  const operator = await signedIn(home, node, 'operator', null, 'an operator');
  const mirrored = changing(endpoints).map((endpoint) => ({ ...endpoint, path: `${mirror}${endpoint.path}` }));
  const own = changing(panelEndpoints);
  const ofOperators = own.filter(({ access }) => access === 'operator');
  return [
    ...everywhere(owner, [...own.filter(({ access }) => access !== 'operator'), ...mirrored]),
    ...everywhere(seller, mirrored),
    ...everywhere(operator, [...ofOperators, ...mirrored.filter(({ access }) => access === 'operator')]),
    ...trialsOf(owner.who, placeOf(changePayPage), attacksOn(changePayPage), owner.send, 6),
    ...ofMarket(owner, partner, cart),
    ...ofMarket(staff, partner, cart),
    ...ofLogos(owner),
    aVerification(home, operator),
    ...(await ofReaders(home, node, accounts)),
  ];
}

function everywhere({ who, send }: Signed, all: readonly Endpoint[]): Trial[] {
  return all.flatMap((endpoint) =>
    trialsOf(who, placeOf(endpoint), [worstOf(endpoint)], send, bodyBytesOf(endpoint) > 100_000 ? 3 : 6),
  );
}

function ofMarket({ send, trial }: Signed, partner: TestPartner, cart: Carts): Trial[] {
  const path = `${mirror}/marketplace/v1/transaction`;
  const children = partner.sellers.map(({ id }) => ({ merchantId: id, products: products(900) }));
  const raw = JSON.stringify({ childTransactions: children });
  return [
    trial(
      'the largest cart',
      times(3, () => send('POST', path, { raw: cart.body, headers: json })),
    ),
    trial(
      'the largest cart, shown',
      times(5, () => send('GET', `/panel/api/transactions/${cart.id}`, {})),
    ),
    trial(
      'the largest cart, as the API shows it',
      times(5, () => send('GET', `${path}/${cart.id}`, {})),
    ),
    trial(
      'a preview of 2,700 products',
      times(3, () => send('POST', `${path}/${cart.id}/refund?dryRun=true`, { raw, headers: json })),
    ),
    trial('a refund of 2,700 products', () => send('POST', `${path}/${cart.id}/refund`, { raw, headers: json })),
  ];
}

/** What an operator starts runs in the node itself, which serves everybody else meanwhile. */
function aVerification({ world }: Service, { send, trial }: Signed): Trial {
  return trial('a verification of everything', async () => {
    await send('POST', '/panel/api/operator/verify', { raw: '{}', headers: json });
    const isRunning = () => world.db.sql.maybeOne(() => true)`select from verify_run where ended_at is null`;
    for (let asked = 0; (await isRunning()) && asked < askedAtMost; asked += 1) await pause(20);
  });
}

function ofLogos({ send, trial }: Signed): Trial[] {
  const noise = Buffer.alloc(100_000, 'logo').toString('base64');
  const logos = { noise, 'many chunks': pngOfChunks(8_000, 0), 'one chunk': pngOfChunks(1, 90_000) };
  return Object.entries(logos).map(([name, logo]) => {
    const raw = JSON.stringify({ logo });
    return trial(
      `a logo: ${name}`,
      times(6, () => send('POST', changePayPage.path, { raw, headers: json })),
    );
  });
}

/** A PNG of 2,000 × 2,000 pixels whose data comes in so many chunks of so many bytes. */
function pngOfChunks(count: number, bytes: number): string {
  const chunk = (type: string, data: Buffer) => {
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, check]);
  };
  const header = Buffer.from([0, 0, 7, 208, 0, 0, 7, 208, 8, 0, 0, 0, 0]);
  const picture = deflateSync(Buffer.alloc(2_001 * 2_000));
  const data = Array.from({ length: count }, () => chunk('tEXt', Buffer.alloc(bytes, 'x')));
  const parts = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', picture), ...data];
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]).toString('base64');
}

/** Lists and files, of an account with years of business and of one with the largest carts. */
async function ofReaders(home: Service, node: TurnNode, { cart, partner, businessId }: Accounts): Promise<Trial[]> {
  const readers = [
    await signedIn(home, node, 'read_only', businessId, 'who may only read'),
    await signedIn(home, node, 'read_only', partner.id, 'who may only read the carts'),
  ];
  const days = 'from=2024-01-01&to=2030-01-01';
  const places = [
    '/panel/api/transactions?limit=100',
    '/panel/api/transactions/export',
    '/panel/api/ledger?limit=100',
    '/panel/api/ledger/export',
    '/panel/api/statements/export?by=day&from=2026-01-01&to=2026-12-31',
    `/panel/api/overview?${days}`,
    '/panel/api/recurring?limit=100',
    '/panel/api/recurring/calendar',
    '/panel/api/notifications?limit=100',
    '/panel/api/requests?limit=100',
    '/panel/api/attention',
    `${mirror}/events?limit=100`,
    `${mirror}/transactions?limit=100`,
    `${mirror}/refunds?limit=100`,
    `${mirror}/marketplace/v1/transaction?limit=100`,
    `/panel/api/transactions/${cart.id}`,
  ];
  const owner = await signedIn(home, node, 'owner', partner.id, 'an owner');
  const wrong = { raw: JSON.stringify({ email: 'nobody@example.com', password: 'x'.repeat(70) }), headers: json };
  return [
    ...readers.flatMap(({ trial, send }) =>
      places.map((place) =>
        trial(
          place,
          times(5, () => send('GET', place, {})),
        ),
      ),
    ),
    owner.trial(
      'the audit log',
      times(5, () => owner.send('GET', '/panel/api/audit?limit=100', {})),
    ),
    owner.trial(
      'wrong passwords',
      times(10, () => sender(node)('POST', '/panel/api/sign-in', wrong)),
    ),
  ];
}
