// What the pay page shows of a marketplace transaction, over plain HTTP.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aChild, aPartner, createSplit, showSplit, type TestPartner } from '../support/marketplace.ts';
import { aService, type Service } from '../support/service.ts';

suite('the cart on the pay page', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService();
    partner = await aPartner(service, [{ name: 'Bee & <Meadow>' }, { name: 'Stoneware' }, {}]);
  });

  async function pageOf(children: readonly object[], language = 'en'): Promise<string> {
    const answer = await createSplit(service, partner, children);
    assert.equal(answer.status, 200, answer.text);
    const headers = { 'accept-language': language };
    const page = await fetch(service.url + new URL(answer.body.paymentUrl).pathname, { headers });
    assert.equal(page.status, 200);
    return page.text();
  }
  const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const honey = { externalId: 'honey-1', name: 'Linden honey', quantity: 0.000001, unitPrice: 123_456 };

  // Guarantee: the parts of all sellers are shown in order with exact quantities; text of the partner stays text, and
  // what the sellers pay is not shown.
  test('sellers, amounts and products', async () => {
    const page = await pageOf([
      aChild(partner, 1, 4_000, {
        description: 'Two <b>cups</b>',
        hiddenDescription: 'secret-1',
        commission: 777,
        products: [{ externalId: 'cup-<1>', quantity: 2, unitPrice: 2_000 }],
      }),
      aChild(partner, 0, 1, { products: [honey] }),
      aChild(partner, 1, 50),
    ]);
    const text = textOf(page);
    assert.match(
      text,
      /Sellers: 3 Stoneware PLN\s40\.00 Two &lt;b&gt;cups&lt;\/b&gt; cup-&lt;1&gt; 2 × PLN\s20\.00 Bee &amp; &lt;Meadow&gt; PLN\s0\.01 Part 0 Linden honey 0\.000001 × PLN\s1,234\.56 Stoneware PLN\s0\.50 Part 1/,
    );
    assert.doesNotMatch(page, /secret-1|7\.77/);
  });

  // Guarantee: a cart with a seller that was blocked meanwhile cannot be paid.
  test('404: a blocked seller', async () => {
    const { body } = await createSplit(service, partner, [aChild(partner, 0, 100), aChild(partner, 2, 100)]);
    const url = service.url + new URL(body.paymentUrl).pathname;
    const setStatus = (status: string) =>
      service.world.db.sql.run`update account set status = ${status} where id = ${partner.sellers[2]?.id ?? ''}`;
    await setStatus('blocked');
    assert.equal((await fetch(url)).status, 404);
    await setStatus('active');
    assert.equal((await fetch(url)).status, 200);
  });

  // Guarantee: every language has its words and number format.
  for (const [language, words] of [
    ['pl', /Sprzedawcy: 1[\s\S]+0,000001 × 1\s234,56\szł/],
    ['de', /Verkäufer: 1[\s\S]+0,000001 × 1\.234,56\sPLN/],
    ['uk', /Продавці: 1[\s\S]+0,000001 × 1\s234,56\sPLN/],
  ] as const)
    test(`in ${language}`, async () =>
      assert.match(textOf(await pageOf([aChild(partner, 0, 1, { products: [honey] })], language)), words));

  // Guarantee: the largest cart stays a page that a phone can show.
  test('100 sellers with 130 products each', async () => {
    const products = Array.from({ length: 130 }, (_, index) => ({
      externalId: `p${index + 1}`,
      quantity: 1,
      unitPrice: 1,
    }));
    const children = Array.from({ length: 100 }, (_, index) => aChild(partner, index % 3, 130, { products }));
    const page = await pageOf(children);
    assert.match(textOf(page), /Sellers: 100[\s\S]+ p20 1 × PLN\s0\.01 and 110 more/);
    assert.doesNotMatch(page, /p21</);
    assert.equal(page.match(/<details class="sellers">/g)?.length, 1, 'folded');
    assert.ok(page.length < 300_000, `${page.length} characters`);
  });

  // Guarantee: a payer can cancel a marketplace payment too.
  test('canceled by the payer', async () => {
    const { body } = await createSplit(service, partner, [aChild(partner, 0, 100)]);
    const path = new URL(body.paymentUrl).pathname;
    const answer = await fetch(`${service.url}${path}/cancel`, { method: 'POST', redirect: 'manual' });
    assert.equal(answer.headers.get('location'), `${path}/leave`);
    const shown = await showSplit(service, partner, body.transactionId);
    assert.equal(shown.body.status, 'canceled');
  });

  // Guarantee: other pay pages have no list of sellers.
  test('an ordinary transaction', async () => {
    const body = { amount: 10, description: 'Order', lang: 'en' };
    const answer = await service.ask('POST', '/transactions', { token: partner.token, body });
    const page = await (await fetch(service.url + new URL(answer.body.transactionPaymentUrl).pathname)).text();
    assert.doesNotMatch(page, /Sellers/);
  });
});
