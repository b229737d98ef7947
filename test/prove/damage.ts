// Rows that are changed behind the service's back, in the database or at the bank. Every single change in the table of
// damages is noticed by the one who must: the schema or verify. Of what vanishes altogether, or at the bank, reconciliation must
// name everything that touched money, and nothing else.

import { readText } from '../../src/database/index.ts';
import { changeBank, deleteJournals, deleteRows } from '../support/damage.ts';
import { allDamages } from '../support/damages/all.ts';
import { inWords } from '../support/findings.ts';
import { aPaidTransaction, aTransaction, payBlik } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { unnoticed } from '../support/tampering.ts';
import { findingsOf } from '../support/verify.ts';
import { aWholeBusiness } from '../support/whole-business.ts';
import { figureText, isOver, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalCases = 1_000;

/** What is expected of a case: `kind difference key`, or nothing if no money was touched. */
type Expected = string | undefined;
interface Shop {
  readonly service: Service;
  readonly merchant: TestMerchant;
}
type Damage = (shop: Shop) => Promise<Expected>;

async function attemptOf({ service }: Shop, transactionId: string): Promise<string> {
  return service.world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${transactionId} order by number desc limit 1`;
}

const money = ['payment', 'surplus', 'surplus refund', 'refund', 'refund executed'];

async function aPayment(shop: Shop): Promise<{ id: string; key: string }> {
  const id = await aPaidTransaction(shop.service, shop.merchant);
  return { id, key: await attemptOf(shop, id) };
}

async function aCharge(shop: Shop): Promise<string> {
  const id = await aRecurring(shop.service, shop.merchant);
  await tickAll(shop.service.world);
  return shop.service.world.db.sql.one((row) => readText(row, 'transaction_id'))`
    select transaction_id from charge where recurring_id = ${id}`;
}

async function aDoneRefund(shop: Shop): Promise<string> {
  const { service, merchant } = shop;
  const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 });
  service.world.clock.advance({ seconds: 6 });
  await tickAll(service.world);
  return refundId;
}

/** Deletes one row of a table by its id. */
const row = (table: string, value: string, where = 'id') => ({ table, where, values: [value] });

const damages: Readonly<Record<string, Damage>> = {
  async 'an acknowledged create'(shop) {
    const id = await aTransaction(shop.service, shop.merchant);
    await deleteRows(shop.service.world, [row('transaction', id)]);
    return undefined;
  },
  async 'a declined payment'(shop) {
    const id = await aTransaction(shop.service, shop.merchant);
    await payBlik(shop.service, shop.merchant, id, '111111');
    await deleteRows(shop.service.world, [row('charge', id, 'transaction_id'), row('transaction', id)]);
    return undefined;
  },
  async 'a payment with everything'(shop) {
    const { id, key } = await aPayment(shop);
    await deleteJournals(shop.service.world, [key], money);
    await deleteRows(shop.service.world, [row('charge', key), row('transaction', id)]);
    return `capture not_booked ${key}`;
  },
  async 'the journal of a payment'(shop) {
    const { key } = await aPayment(shop);
    await deleteJournals(shop.service.world, [key], money);
    return `capture not_booked ${key}`;
  },
  async 'the attempt of a payment'(shop) {
    const { key } = await aPayment(shop);
    await deleteRows(shop.service.world, [row('charge', key)]);
    return `capture row_missing ${key}`;
  },
  async 'the transaction of a payment'(shop) {
    const { id, key } = await aPayment(shop);
    await deleteRows(shop.service.world, [row('transaction', id)]);
    return `capture row_missing ${key}`;
  },
  async 'a recurring charge with everything'(shop) {
    const key = await aCharge(shop);
    await deleteJournals(shop.service.world, [key], money);
    await deleteRows(shop.service.world, [row('charge', key), row('transaction', key)]);
    return `capture not_booked ${key}`;
  },
  async 'the attempt of a recurring charge'(shop) {
    const key = await aCharge(shop);
    await deleteRows(shop.service.world, [row('charge', key)]);
    return `capture row_missing ${key}`;
  },
  async 'a refund with everything'(shop) {
    const key = await aDoneRefund(shop);
    await deleteJournals(shop.service.world, [key], money);
    await deleteRows(shop.service.world, [row('refund', key), row('outgoing_refund', key)]);
    return `refund not_booked ${key}`;
  },
  async 'the row of a refund'(shop) {
    const key = await aDoneRefund(shop);
    await deleteRows(shop.service.world, [row('refund', key)]);
    return `refund row_missing ${key}`;
  },
  async 'the outgoing refund of a refund'(shop) {
    const key = await aDoneRefund(shop);
    await deleteRows(shop.service.world, [row('outgoing_refund', key)]);
    return `refund row_missing ${key}`;
  },
  async 'the request of a refund in the books'(shop) {
    const key = await aDoneRefund(shop);
    await deleteJournals(shop.service.world, [key], ['refund']);
    return `refund row_missing ${key}`;
  },
  async 'the execution of a refund in the books'(shop) {
    const key = await aDoneRefund(shop);
    await deleteJournals(shop.service.world, [key], ['refund executed']);
    return `refund not_booked ${key}`;
  },
  async 'a capture at the bank'(shop) {
    const { key } = await aPayment(shop);
    changeBank(shop.service.world, 'delete from charge where key = ?', key);
    return `capture not_at_bank ${key}`;
  },
  async 'a refund at the bank'(shop) {
    const key = await aDoneRefund(shop);
    changeBank(shop.service.world, 'delete from refund where key = ?', key);
    return `refund not_at_bank ${key}`;
  },
  async 'another amount of a capture'(shop) {
    const { key } = await aPayment(shop);
    changeBank(shop.service.world, 'update charge set amount_minor = amount_minor + 1 where key = ?', key);
    return `capture other_amount ${key}`;
  },
  async 'another amount of a refund'(shop) {
    const key = await aDoneRefund(shop);
    changeBank(shop.service.world, 'update refund set amount_minor = amount_minor - 1 where key = ?', key);
    return `refund other_amount ${key}`;
  },
  async nothing(shop) {
    await aPayment(shop);
    return undefined;
  },
};

export async function proveDamage(options: ProveOptions): Promise<Seen[]> {
  return [await proveTable(options), ...(await proveVanished(options))];
}

const fewest = 15;

/** The table of damages, or a part of it by chance. */
async function proveTable(options: ProveOptions): Promise<Seen> {
  const service = await aWholeBusiness();
  const alarms = await findingsOf(service.world);
  const { damages } = await allDamages(service.world.db.sql);
  const draws = new Seeded(`${options.seed} damages`);
  const chosen = options.scale >= 1 ? damages : draws.some(damages, Math.max(fewest, scaled(damages.length, options)));
  const { tried, missed } = await unnoticed(service, chosen, { until: options.until });
  for (const note of [...inWords(alarms), ...missed].slice(0, 20)) options.print(`  ${note}`);
  return {
    figure: 'single changes by SQL, in every table and money column, noticed by the one who must (schema, verify)',
    goal: `${figureText(damages.length)} of ${figureText(damages.length)}, and nothing before the damage`,
    seen: `${figureText(tried - missed.length)} of ${figureText(tried)}, and ${alarms.length} before the damage`,
    met: missed.length === 0 && alarms.length === 0 && tried === chosen.length,
  };
}

/** Each kind of damage at least once, then at random. */
async function proveVanished(options: ProveOptions): Promise<Seen[]> {
  const cases = Math.max(Object.keys(damages).length, scaled(goalCases, options));
  const service = await aService();
  const { clock, wall, db } = service.world;
  const merchant = await aMerchant(service);
  await fund(service, merchant, 100_000_000n);
  const draws = new Seeded(options.seed);
  const kinds = Object.entries(damages);
  const expected: string[] = [];
  let tried = 0;
  for (; tried < cases && !isOver(options); tried += 1) {
    const [, damage] = kinds[tried] ?? draws.of(kinds);
    const found = await damage({ service, merchant });
    if (found !== undefined) expected.push(found);
    if (tried % 100 === 99) options.print(`${figureText(tried + 1)} of ${figureText(cases)} cases`);
  }
  const named = () =>
    db.sql.many((row) => readText(row, 'named'))`
      select kind || ' ' || difference || ' ' || key as named from reconciliation_item`;
  // A period ends before its last instant.
  clock.advance({ seconds: 1 });
  await service.rooms.reconciliation.reconcile({});
  const found = await named();
  const missed = expected.filter((one) => !found.includes(one));
  const invented = found.filter((one) => !expected.includes(one));
  for (const note of [...missed, ...invented].slice(0, 10)) options.print(`  ${note}`);
  wall.advance({ minutes: 1 });
  const again = await service.rooms.reconciliation.reconcile({});
  return [
    {
      figure: 'rows deleted or changed behind the service, found by reconciliation',
      goal: `0 missed, 0 invented of ${figureText(goalCases)} cases; nothing new in a second run`,
      seen: `${missed.length} missed, ${invented.length} invented of ${figureText(tried)} cases with ${expected.length} that touched money; ${again?.found} new`,
      met: missed.length === 0 && invented.length === 0 && again?.found === 0 && expected.length > 0,
    },
  ];
}
