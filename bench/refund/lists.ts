// Lists of refunds on databases of different sizes, as the API queries them, without HTTP.

import { readConfig } from '../../src/config.ts';
import { type AccountId, knownId, type RefundId, type TransactionId } from '../../src/kernel/index.ts';
import { openService, type Service } from '../../src/open.ts';
import { findRefund, type ListQuery, listOfOne, listRefunds } from '../../src/refunds/index.ts';
import { given, serveParent } from '../support/child.ts';
import { drawsOf } from '../support/figures.ts';
import type { ListKind, ListsGiven, ListsOptions, ListsSeen, ListsSide } from './kinds.ts';
import { paidId, type SeededMerchant, seedMerchant, seedPaid, seedRefunds, tokenOf } from './seed.ts';

const limit = 35;

interface Side {
  readonly service: Service;
  readonly merchant: SeededMerchant;
  readonly paid: number;
  readonly each: number;
  readonly refunds: number;
}

async function open(dataDir: string, { databaseUrl, paid, each }: ListsSide): Promise<Side> {
  const config = readConfig({ MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'lists' });
  const merchant = await seedMerchant(service.tools);
  await seedPaid(databaseUrl, merchant, paid);
  await seedRefunds(databaseUrl, merchant, paid, each);
  return { service, merchant, paid, each, refunds: paid * each };
}

const begin = Temporal.PlainDateTime.from('2026-01-01T01:00:00');
/** An instant in the list, in the API's format: refunds were made one per second. */
const moment = (refunds: number, share: number) =>
  begin
    .add({ seconds: Math.floor(share * refunds) })
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');

/** Also returns the expected total, so that a fast result is also a correct one. */
async function ask(side: Side, kind: ListKind, draw: () => number): Promise<{ total: number; expected: number }> {
  const { service, merchant, paid, each, refunds } = side;
  const owner = { id: knownId<AccountId>(merchant.id), zone: 'Europe/Warsaw' };
  const pageOf = (count: number) => 1 + Math.floor(draw() * Math.max(1, Math.floor(count / limit)));
  const list = async (options: ListQuery, expected: number) => {
    const { total } = await listRefunds(service.tools, owner, { limit, ...options });
    return { total, expected };
  };
  const transaction = 1 + Math.floor(draw() * (paid - 1));
  switch (kind) {
    case 'the first page':
      return list({}, refunds);
    case 'any page':
      return list({ page: pageOf(refunds) }, refunds);
    case 'the last page':
      return list({ page: Math.ceil(refunds / limit) }, refunds);
    case 'any page of cards':
      return list({ context: 'card', page: pageOf(refunds / 2) }, refunds / 2);
    case 'any page of the others':
      return list({ context: 'transactional', page: pageOf(refunds / 2) }, refunds / 2);
    case 'any page of any period': {
      const [from, to] = [draw() / 2, 0.5 + draw() / 2];
      const count = Math.floor(to * refunds) - Math.floor(from * refunds) + (Math.floor(from * refunds) === 0 ? 0 : 1);
      return list({ from: moment(refunds, from), to: moment(refunds, to), page: pageOf(count) }, count);
    }
    case 'any page of cards of any period': {
      const from = draw() / 2;
      const expected = refunds / 2 - Math.max(0, Math.floor((Math.floor(from * refunds) - 1) / 2));
      return list({ context: 'card', from: moment(refunds, from), page: pageOf(refunds / 4) }, expected);
    }
    case 'one payer': {
      const payer = Math.floor(transaction / 10);
      return list({ payerEmail: `payer${payer}@example.com` }, (payer === 0 ? 9 : 10) * each);
    }
    case 'one card': {
      const payer = 1 + Math.floor(draw() * (paid / 10 - 2));
      return list({ context: 'card', token: tokenOf(payer) }, 5 * each);
    }
    case 'one title':
      return list({ transactionTitle: `TR-BNCH-${String(transaction).padStart(7, '0')}` }, each);
    case 'one transaction (E5)': {
      const { total } = await listOfOne(service.tools, owner, knownId<TransactionId>(paidId(transaction)), { limit });
      return { total, expected: each };
    }
    case 'one refund (E7)': {
      const id = `01BENCHREF${String(1 + Math.floor(draw() * (refunds - 1))).padStart(16, '0')}`;
      const found = await findRefund(service.tools.db.sql, owner.id, knownId<RefundId>(id));
      return { total: found ? 1 : 0, expected: 1 };
    }
  }
}

const { dataDir, sides } = given<ListsGiven>();
const opened: Side[] = [];
for (const side of sides) opened.push(await open(dataDir, side));

/** The sides alternate with every query, so that a slow moment of the machine affects all of them. */
async function run({ kind, times, seed }: ListsOptions): Promise<ListsSeen> {
  const draws = opened.map(() => drawsOf(seed));
  const milliseconds: number[][] = opened.map(() => []);
  for (let time = 0; time < times; time += 1) {
    for (const [index, side] of opened.entries()) {
      const begun = performance.now();
      const { total, expected } = await ask(side, kind, draws[index] ?? (() => 0));
      milliseconds[index]?.push(performance.now() - begun);
      if (total !== expected) throw new Error(`${kind}: ${total} in all, expected ${expected}.`);
    }
  }
  return { milliseconds };
}

serveParent({}, run, () => Promise.all(opened.map(({ service }) => service.close())));
