// A random month of business of a merchant and of a marketplace, through the API: what the panel's sums are tested with.

import assert from 'node:assert/strict';
import { aChild, aPaidSplit, aPartner, refundSplit, type TestPartner } from './marketplace.ts';
import { aPaidTransaction, aTransaction, payBlik, payCard, settleAll } from './payments.ts';
import { fund } from './refunds.ts';
import { Seeded } from './seeded.ts';
import { aMerchant, type Service, type TestMerchant } from './service.ts';

export interface Business {
  readonly merchant: TestMerchant;
  readonly partner: TestPartner;
}

const fees = { paymentFeeBasisPoints: 150, paymentFeeMinor: 25n, refundFeeMinor: 40n };

/** Accounts with fees, of the default time zone, with money for refunds. */
export async function aBusiness(service: Service): Promise<Business> {
  const merchant = await aMerchant(service, { name: 'Tea shop', ...fees });
  const partner = await aPartner(service, [fees, {}]);
  await fund(service, merchant, 100_000n);
  for (const account of [partner, ...partner.sellers]) await fund(service, account, 50_000n);
  return { merchant, partner };
}

type Act = (service: Service, business: Business, draw: Seeded, paid: string[]) => Promise<void>;

const amountOf = (draw: Seeded) => (1 + (draw.chance(0.2) ? draw.below(30) : draw.below(50_000))) / 100;

const pay: Act = async (service, { merchant }, draw, paid) => {
  const payer = { email: `payer${draw.below(5)}@example.com`, name: 'Jan Nowak' };
  const body = { amount: amountOf(draw), hiddenDescription: `order-${draw.below(1_000)}`, payer };
  if (draw.chance(0.5)) {
    paid.push(await aPaidTransaction(service, merchant, body));
    return;
  }
  const id = await aTransaction(service, merchant, body);
  const answer = await payCard(service, merchant, id);
  // Some amounts are confirmed on the bank's page; nobody does.
  if (answer.body.status === 'paid') paid.push(id);
};

const decline: Act = async (service, { merchant }, draw) => {
  const id = await aTransaction(service, merchant, { amount: amountOf(draw) });
  await payBlik(service, merchant, id, '222000');
  if (draw.chance(0.5)) {
    const answer = await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    assert.equal(answer.status, 200, answer.text);
  }
};

/** In part, so that it can be refunded again, or what is left of it. */
const refundSome: Act = async (service, { merchant }, draw, paid) => {
  const id = paid.length > 0 ? draw.of(paid) : undefined;
  if (id === undefined) return;
  const part = draw.chance(0.6) ? { amount: 0.01 } : {};
  const answer = await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body: part });
  // Refunded before: nothing is left.
  if (answer.status === 409) return;
  assert.equal(answer.status, 200, answer.text);
  if (draw.chance(0.7)) return;
  const refundId = answer.body.refundsList[0].refundId;
  // Those by BLIK cannot be canceled.
  await service.ask('POST', `/refunds/${refundId}/cancel`, { token: merchant.token });
};

const split: Act = async (service, { partner }, draw) => {
  const commission = draw.chance(0.5) ? { commission: 50 } : {};
  const children = [
    aChild(partner, 0, 1_000 + draw.below(1_000), commission),
    aChild(partner, 1, 500),
    ...(draw.chance(0.3) ? [aChild(partner, 0, 700, commission)] : []),
  ];
  const id = await aPaidSplit(service, partner, children);
  if (draw.chance(0.4)) {
    const answer = await refundSplit(service, partner, id);
    assert.equal(answer.status, 200, answer.text);
  }
};

const acts: readonly Act[] = [pay, pay, pay, pay, decline, refundSome, refundSome, split];

/** From the clock's present on, `count` things happen within 31 days, and everything due with them. */
export async function runBusiness(service: Service, business: Business, seed: number, count: number): Promise<void> {
  const draw = new Seeded(seed);
  const paid: string[] = [];
  const pause = Math.floor((31 * 86_400) / count);
  for (let index = 0; index < count; index += 1) {
    service.world.clock.advance({ seconds: 1 + draw.below(2 * pause - 1) });
    await draw.of(acts)(service, business, draw, paid);
    if (draw.chance(0.1)) await settleAll(service.world);
  }
  await settleAll(service.world);
}

/** All rows of /transactions or /refunds. */
export async function allOf<Row>(
  service: Service,
  merchant: TestMerchant,
  path: '/transactions' | '/refunds',
  query = '',
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await service.ask('GET', `${path}?limit=100&page=${page}${query}`, { token: merchant.token });
    assert.equal(answer.status, 200, answer.text);
    rows.push(...answer.body.transactions.list);
    if (answer.body.transactions.list.length < 100) return rows;
  }
}
