// Grosz: M1 and M2 with BLIK, and M6 of a large transaction, through the server's router without sockets.

import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { given, serveParent } from '../support/child.ts';
import { seedPartner, sellersOf } from './sellers.ts';

export interface SideGiven {
  readonly dataDir: string;
  readonly databaseUrl: string;
}

export interface PayAsk {
  readonly children: number;
  readonly connections: number;
  readonly milliseconds: number;
}

export interface PaySeen {
  readonly paid: number;
  readonly perSecond: number;
}

export interface ShowAsk {
  /** How often. */
  readonly show: number;
  /** With as many products as the limits of children and products allow, instead of as a body holds. */
  readonly full: boolean;
}

export type NodeAsk = PayAsk | ShowAsk;

export interface ShowSeen {
  readonly bytes: number;
  readonly milliseconds: readonly number[];
}

const { dataDir, databaseUrl } = given<SideGiven>();
const config = readConfig({
  MODE: 'sandbox',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  REQUESTS_PER_SECOND: '1000000',
  ADDRESS_REQUESTS_PER_SECOND: '1000000',
});
const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'bench' });
const partner = await seedPartner(service.tools);
const app = await build(service.tools, service.rooms);

async function ask(method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: object) {
  const { statusCode, payload } = await app.inject({
    method,
    url,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  });
  if (statusCode !== 200) throw new Error(`${method} ${url}: ${statusCode} ${payload}`);
  return payload;
}

const { clientId: client_id, clientSecret: client_secret } = partner;
const { access_token: token } = JSON.parse(await ask('POST', '/oauth/auth', {}, { client_id, client_secret }));
const authorized = { authorization: `Bearer ${token}` };
const path = '/marketplace/v1/transaction';

let number = 0;

async function create(children: number, products: readonly object[]): Promise<string> {
  number += 1;
  const childTransactions = sellersOf(partner.sellerIds, children, number).map((id) => ({
    amount: 10_000,
    commission: 500,
    description: 'Part',
    merchant: { id },
    products,
  }));
  const payload = await ask('POST', path, authorized, {
    currency: 'PLN',
    description: 'Cart',
    pos: { id: partner.posId },
    billingAddress: { email: 'payer@example.com', name: 'Jan Nowak' },
    childTransactions,
  });
  return JSON.parse(payload).transactionId;
}

async function pay({ children, connections, milliseconds }: PayAsk): Promise<PaySeen> {
  const begun = performance.now();
  const until = begun + milliseconds;
  let paid = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const id = await create(children, []);
        await ask('POST', `${path}/${id}/pay`, authorized, { blikPaymentData: { blikToken: '777123' } });
        paid += 1;
      }
    }),
  );
  return { paid, perSecond: (paid / (performance.now() - begun)) * 1_000 };
}

/** 100 children with 1,000 products each, which no body holds: written behind the service's back. */
async function copyInFull(id: string): Promise<string> {
  const { ids, db } = service.tools;
  const [copy, title] = [ids.ulid(), `TR-FULL-${String(number).padStart(7, '0')}`];
  const partIds = Array.from({ length: 100 }, () => ids.ulid());
  const products = JSON.stringify(
    Array.from({ length: 1_000 }, (_, index) => {
      return { externalId: `product-${index}`, name: 'A product', quantity: 1_500_000, unitPriceMinor: 100 };
    }),
  );
  await db.atomic(async (sql) => {
    await sql.run`
      insert into transaction
      select changed.* from transaction as kept
       cross join lateral jsonb_populate_record(kept, jsonb_build_object('id', ${copy}::text, 'title', ${title}::text)) as changed
       where kept.id = ${id}`;
    await sql.run`
      insert into transaction_part
      select changed.* from transaction_part as kept
        join unnest(${partIds}::text[]) with ordinality as given (id, number) on given.number = kept.number
       cross join lateral jsonb_populate_record(kept, jsonb_build_object('id', given.id, 'transaction_id', ${copy}::text, 'products', ${products}::text)) as changed
       where kept.transaction_id = ${id}`;
  });
  return copy;
}

/** About the largest cart that a body of 1 MiB holds. */
const productsPerChild = 120;

async function show({ show: times, full }: ShowAsk): Promise<ShowSeen> {
  const products = Array.from({ length: productsPerChild }, (_, index) => ({
    externalId: `product-${index}`,
    name: 'A product',
    quantity: 1.5,
    unitPrice: 100,
  }));
  const id = full ? await copyInFull(await create(100, [])) : await create(100, products);
  const milliseconds: number[] = [];
  let bytes = 0;
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    bytes = (await ask('GET', `${path}/${id}`, authorized)).length;
    milliseconds.push(performance.now() - begun);
  }
  return { bytes, milliseconds };
}

serveParent<NodeAsk>(
  {},
  (message) => ('show' in message ? show(message) : pay(message)),
  async () => {
    await app.close();
    await service.close();
  },
);
