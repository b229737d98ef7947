// The wallet on the pay page, as its script uses it: a session for the page, and the token of the payer's device.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { attemptsOf } from '../support/payer.ts';
import { checkInvariants, payBlik } from '../support/payments.ts';
import { aMerchant, aNode, aService, type Service, serve, type TestMerchant } from '../support/service.ts';
import { aToken, walletConfig } from '../support/wallet.ts';

suite('the wallet on the pay page', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ config: walletConfig() });
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  async function aPage(of = merchant): Promise<{ id: string; path: string }> {
    const body = { amount: 10.01, description: 'Order' };
    const { body: created } = await service.ask('POST', '/transactions', { token: of.token, body });
    return { id: created.transactionId, path: new URL(created.transactionPaymentUrl).pathname };
  }

  async function send(path: string, fields: Record<string, string>, at = service): Promise<string> {
    // Every form of this file comes from one address, and the wall clock stands still.
    service.world.wall.advance({ seconds: 1 });
    const answer = await fetch(`${at.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const { result, session } = JSON.parse(text);
    return session === undefined ? result : 'a session';
  }

  const payAt = (path: string, attempt: number, token: string, at = service) =>
    send(`${path}/wallet`, { attempt: String(attempt), token }, at);

  // Guarantee: of the forms of one state, in any tabs, at most one starts a payment; the others show the page again.
  test('two tabs with a token each, at once, at two nodes: one pays, the other is outdated', async () => {
    const node = await serve(await aNode(service.world));
    for (let round = 0; round < 4; round += 1) {
      const { id, path } = await aPage();
      const results = await Promise.all([service, node, service].map((at) => payAt(path, 1, aToken(service), at)));
      assert.deepEqual(results.sort(), ['outdated', 'outdated', 'success']);
      assert.deepEqual(await attemptsOf(service, id), ['75 correct']);
    }
  });

  // Guarantee: a page that shows an earlier state is told to reload, rather than refusing every token from then on.
  test('a form of an earlier state is outdated, and its token pays in a fresh one', async () => {
    const { id, path } = await aPage();
    await payBlik(service, merchant, id, '222123');
    const token = aToken(service);
    assert.equal(await payAt(path, 1, token), 'outdated');
    assert.equal(await payAt(path, 2, token), 'success');
    assert.deepEqual(await attemptsOf(service, id), ['64 failed', '75 correct']);
    assert.equal(await payAt(path, 3, aToken(service)), 'outdated');
  });

  // Guarantee: after a refused token the payer tries again on the same page.
  test('a refused token leaves the form usable', async () => {
    const { id, path } = await aPage();
    for (const token of ['', 'AAAA', aToken(service, { amount: 1n }), 'A'.repeat(32_768)])
      assert.equal(await payAt(path, 1, token), 'refused');
    assert.equal(await payAt(path, 1, aToken(service)), 'success');
    assert.deepEqual(await attemptsOf(service, id), ['75 correct']);
  });

  // Guarantee: the vendor is asked only for a page that offers the wallet.
  test('a session: for a page that can be paid by wallet', async () => {
    const simulated = service.rooms.devices?.simulated;
    const validationUrl = (await simulated?.validationUrl()) ?? '';
    const { path } = await aPage();
    assert.equal(await send(`${path}/wallet/session`, { validationUrl }), 'a session');
    assert.equal(await send(`${path}/wallet/session`, { validationUrl: 'https://example.com/' }), 'refused');
    await payAt(path, 1, aToken(service));
    assert.equal(await send(`${path}/wallet/session`, { validationUrl }), 'refused');
    const cardsOnly = await aMerchant(service);
    await service.world.db.sql.run`update account set channels = '{53}' where id = ${cardsOnly.id}`;
    const page = await aPage(cardsOnly);
    assert.equal(await send(`${page.path}/wallet/session`, { validationUrl }), 'refused');
  });
});
