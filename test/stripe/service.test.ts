// A service whose only acquirer is Stripe: payments, refunds, events over HTTP, and the statement of the day.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { listActivity } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { aTransaction, payBlik, payCard, show } from '../support/payments.ts';
import { refund } from '../support/refunds.ts';
import { faultsOf } from '../support/service.ts';
import { aCardToken, heldAt } from '../support/stripe.ts';
import { aShop, type Shop } from '../support/stripe-shop.ts';
import { listTotals } from '../support/verify.ts';

suite('a service with Stripe', () => {
  let shop: Shop;
  const logLines: string[] = [];
  before(async () => {
    shop = await aShop({ world: { logLines } });
  });
  const statusOf = async (id: string) => (await show(shop.service, shop.merchant, id)).body.status;

  // Guarantee: an event settles the payment at once, without a look-up of ours.
  test('BLIK: paid by an event', async () => {
    const { stage, service, merchant } = shop;
    const id = await aTransaction(service, merchant, { amount: 20 });
    assert.equal((await payBlik(service, merchant, id)).body.status, 'pending');
    stage.wait(6);
    const delivered = await stage.fake.provider.deliver();
    assert.ok(delivered.length > 0 && delivered.every(({ status }) => status === 200), JSON.stringify(delivered));
    assert.equal(await statusOf(id), 'paid');
  });

  // Guarantee: an endpoint for events that nobody set up costs five minutes, no money.
  test('BLIK: without events, by looking after five minutes', async () => {
    const own = await aShop();
    const [endpoint] = own.stage.fake.provider.webhooks();
    own.stage.fake.provider.changeWebhook(endpoint?.id ?? '', { stopped: true });
    const id = await aTransaction(own.service, own.merchant, { amount: 20 });
    await payBlik(own.service, own.merchant, id);
    await own.pass(301);
    assert.equal((await show(own.service, own.merchant, id)).body.status, 'paid');
  });

  test('Przelewy24: the payer is sent to the bank, and comes back', async () => {
    const { service, merchant, pass } = shop;
    const id = await aTransaction(service, merchant, { amount: 30, payer: { email: 'jan@example.com' } });
    const paying = await service.ask('POST', `/transactions/${id}/pay`, {
      token: merchant.token,
      body: { channelId: 21 },
    });
    assert.equal(paying.status, 200, paying.text);
    const link = String(paying.body.transactionPaymentUrl);
    assert.ok(link.startsWith(shop.stage.fake.url), link);
    await fetch(link, { method: 'POST', body: 'choice=approve', redirect: 'manual' });
    await pass(1);
    assert.equal(await statusOf(id), 'paid');
  });

  // Guarantee: nobody whose email is not known is told that a card is wrong: the merchant, or the payer, is asked for it.
  test('Przelewy24: without the payer’s email', async () => {
    const { service, merchant, pass } = shop;
    const id = await aTransaction(service, merchant, { amount: 30 });
    const body = { channelId: 21 };
    const paying = await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    assert.deepEqual([paying.status, faultsOf(paying)], [400, ['field_required payer.email']]);
    assert.match(paying.text, /needs the email address of the payer/);
    const { pathname } = new URL((await show(service, merchant, id)).body.transactionPaymentUrl);
    const send = (email: string) =>
      fetch(`${service.url}${pathname}`, {
        method: 'POST',
        body: new URLSearchParams({ method: '21', attempt: '1', lang: 'en', email }),
        redirect: 'manual',
      });
    assert.match(await (await fetch(`${service.url}${pathname}?method=21`)).text(), /<input id="email"/);
    for (const wrong of ['', 'jan', `${'a'.repeat(250)}@example.com`]) {
      const refused = await send(wrong);
      const text = await refused.text();
      assert.deepEqual([refused.status, /Enter an email address/.test(text)], [422, true]);
      assert.ok(text.includes(` value="${wrong.slice(0, 254)}"`));
    }
    assert.deepEqual((await show(service, merchant, id)).body.payments.attempts, []);
    const sent = await send(' jan@example.com ');
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${pathname}/bank`]);
    const link = /href="([^"]*_fake[^"]*)"/.exec(await (await fetch(`${service.url}${pathname}/bank`)).text())?.[1];
    await fetch(link ?? '', { method: 'POST', body: 'choice=approve', redirect: 'manual' });
    await pass(1);
    assert.equal(await statusOf(id), 'paid');
    const known = await aTransaction(service, merchant, { amount: 30, payer: { email: 'jan@example.com' } });
    const page = new URL((await show(service, merchant, known)).body.transactionPaymentUrl);
    assert.doesNotMatch(await (await fetch(`${service.url}${page.pathname}?method=21`)).text(), /<input id="email"/);
  });

  // Guarantee: whoever watches the log for warnings is not woken by payers who mistype a code.
  test('BLIK: an ordinary decline is no warning', async () => {
    const { service, merchant } = shop;
    const id = await aTransaction(service, merchant, { amount: 20, payer: { email: 'invalid_code@example.com' } });
    const before = logLines.length;
    const { body } = await payBlik(service, merchant, id);
    assert.equal(body.payments.errors[0].errorMessage, 'wrong code');
    const logged = logLines.slice(before).map((line) => JSON.parse(line));
    assert.deepEqual(
      logged.filter(({ level }) => level >= 40 || level === 'warn'),
      [],
    );
  });

  // Guarantee: an alias is kept or refused, never dropped: its merchant would find out with the next payment.
  test('BLIK: aliases that the provider does not keep', async () => {
    const { service, merchant } = shop;
    const aliasOf = (type: string) => ({ type, value: `alias-${type}` });
    const pay = async (blikPaymentData: object) => {
      const id = await aTransaction(service, merchant, { amount: 30 });
      const body = { groupId: 150, blikPaymentData };
      return service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    };
    for (const given of [
      { blikToken: '123456', aliases: aliasOf('UID') },
      { blikToken: '123456', aliases: [aliasOf('PAYID'), aliasOf('UID')] },
      { aliases: aliasOf('PAYID') },
      { aliases: aliasOf('UID') },
    ]) {
      const refused = await pay(given);
      assert.deepEqual([refused.status, faultsOf(refused)], [400, ['blik_alias_not_taken blikPaymentData.aliases']]);
    }
    assert.equal((await pay({ blikToken: '123456', aliases: aliasOf('PAYID') })).body.result, 'pending');
  });

  test('a refund, and the statement of the day agrees to the grosz', async () => {
    const { stage, service, merchant, pass } = shop;
    const id = await aTransaction(service, merchant, { amount: 40 });
    await payBlik(service, merchant, id);
    await pass(6);
    const answer = await refund(service, merchant, id, { amount: 15 });
    assert.equal(answer.status, 200, answer.text);
    await pass(10);
    await pass(10);
    assert.deepEqual([...heldAt(stage.fake).refunds.values()], [1]);
    await pass(3_600);
    const run = await service.rooms.reconciliation.reconcile({ acquirer: 'stripe' } as never);
    assert.equal(
      run?.state,
      'agreed',
      JSON.stringify(run, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
    const { available, pending } = stage.fake.provider.store.sumBalance(
      `${stage.fake.provider.main.account}/test`,
      Math.floor(stage.fake.provider.now() / 1_000),
    );
    const totals = await listTotals(service.world.db.sql);
    const owed = totals.find(({ account }) => account === 'acquirer:stripe:receivable')?.minor;
    assert.equal(owed, BigInt(available + pending));
  });

  // Guarantee: nobody without the secret settles anything, and nothing of the response tells more.
  test('400: an event without a signature; 404: of an acquirer that is not open', async () => {
    const { service } = shop;
    const body = { type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
    assert.equal((await service.ask('POST', '/acquirer/stripe/events', { body })).status, 400);
    assert.equal((await service.ask('POST', '/acquirer/http/events', { body })).status, 404);
  });

  // Guarantee: whoever sends a card number where none is taken is told so, and nothing is begun.
  test('400: a card number in a request', async () => {
    const { service, merchant } = shop;
    const id = await aTransaction(service, merchant, { amount: 30 });
    const paying = await payCard(service, merchant, id);
    assert.deepEqual([paying.status, faultsOf(paying)], [400, ['card_numbers_not_taken cardPaymentData.card']]);
    assert.deepEqual((await show(service, merchant, id)).body.payments.attempts, []);
    // So that a merchant's page can tell before it shows fields.
    const key = await service.ask('GET', '/cards/public-key');
    assert.deepEqual([key.status, faultsOf(key)], [400, ['card_numbers_not_taken']]);
    shop.takeNew(false);
    assert.equal((await service.ask('GET', '/cards/public-key')).status, 400);
    shop.takeNew(true);
  });

  // Guarantee: a method that the provider does not take is refused with the reason.
  test('400: a wallet token', async () => {
    const { service, merchant } = shop;
    const id = await aTransaction(service, merchant, { amount: 30 });
    const body = { channelId: 75, walletPayPaymentData: 'e30=' };
    const paying = await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    assert.deepEqual([paying.status, faultsOf(paying)], [400, ['not_valid channelId']]);
    assert.match(paying.text, /No acquirer takes this method for this amount at the moment/);
  });

  // Guarantee: who asks for too little or too much reads from which to which amount it is possible.
  test('400: an amount that the provider does not take', async () => {
    const { service, merchant } = shop;
    const pay = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
    const payer = { email: 'jan@example.com', name: 'Jan' };
    const body = { amount: 1.5, description: 'Tea', payer, pay };
    const paying = await service.ask('POST', '/transactions', { token: merchant.token, body });
    assert.deepEqual([paying.status, faultsOf(paying)], [400, ['not_valid pay.channelId']]);
    assert.match(paying.text, /This method takes amounts from 2\.00 to /);
  });

  // Guarantee: what an address says that a payer comes back to settles nothing, and leads to one without it.
  test('the pay page: a forged return, and the policy of the card step', async () => {
    const { service, merchant } = shop;
    const id = await aTransaction(service, merchant, { amount: 30 });
    const { pathname } = new URL((await show(service, merchant, id)).body.transactionPaymentUrl);
    const get = (query: string) => fetch(`${service.url}${pathname}${query}`, { redirect: 'manual' });
    const back = await get('?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded');
    assert.deepEqual([back.status, back.headers.get('location')], [303, pathname]);
    assert.equal(await statusOf(id), 'pending');
    const policyOf = async (query: string) => (await get(query)).headers.get('content-security-policy') ?? '';
    const { origin } = new URL(shop.stage.fake.url);
    assert.match(await policyOf('?method=53'), new RegExp(`script-src 'self' [^;]*${origin}; .*frame-src ${origin};`));
    assert.ok(!(await policyOf('?method=64')).includes(origin));
    const form = { method: '53', attempt: '1', lang: 'en', fields: 'stripe', token: 'ctoken_nobodys' };
    const send = (fields: object) =>
      fetch(`${service.url}${pathname}`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, ...fields }),
        redirect: 'manual',
      });
    const refused = await send({});
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /could not be used/);
    // Of the fields that were there before the routes changed.
    assert.equal((await send({ fields: '', card: '', number: '4242424242424242' })).status, 303);
    assert.deepEqual((await show(service, merchant, id)).body.payments.attempts, []);
  });

  // Guarantee: the limits of the provider are everybody's: one link makes few requests, whatever is sent to it.
  test('the pay page: tokens that are none, one after the other and at once', async () => {
    let asked = 0;
    const own = await aShop({
      opening: {
        send: (address, init) => {
          if (String(address).includes('/confirmation_tokens/')) asked += 1;
          return fetch(address, init);
        },
      },
    });
    const { service, merchant } = own;
    const pathOf = async () => {
      const id = await aTransaction(service, merchant, { amount: 30 });
      return new URL((await show(service, merchant, id)).body.transactionPaymentUrl).pathname;
    };
    const path = await pathOf();
    const send = async (token: string, attempt = '1', to = path) => {
      const body = new URLSearchParams({ method: '53', attempt, lang: 'en', fields: 'stripe', token });
      const { status } = await fetch(`${service.url}${to}`, { method: 'POST', body, redirect: 'manual' });
      return status;
    };
    assert.equal(await send('ctoken_nobodys', '2'), 303);
    assert.equal(await send('card_nobodys'), 422);
    assert.equal(asked, 0);
    const together = await Promise.all(Array.from({ length: 5 }, (_, index) => send(`ctoken_together${index}`)));
    assert.ok(asked >= 1 && asked <= 4, `${asked}`);
    assert.ok(together.includes(429), together.join());
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) statuses.push(await send(`ctoken_nobodys${index}`));
    assert.equal(statuses.at(-1), 429);
    assert.ok(asked <= 10, `${asked}`);
    assert.equal(await send(await aCardToken(own.stage), '1', await pathOf()), 303);
    service.world.wall.advance({ seconds: 31 });
    assert.equal(await send(await aCardToken(own.stage)), 303);
  });

  // Guarantee: in a frame of the merchant's page nobody is asked for a card in a frame within it.
  test('the embedded form leads to the pay page for a card', async () => {
    const { service, merchant } = shop;
    const origin = 'https://shop.example';
    await service.world.db.sql.run`
      insert into pay_page (account_id, embed_origins, modified_at)
      values (${merchant.id}, ${[origin]}::text[], now())`;
    const id = await aTransaction(service, merchant, { amount: 30 });
    const { pathname } = new URL((await show(service, merchant, id)).body.transactionPaymentUrl);
    const shown = await fetch(`${service.url}${pathname}/embed?origin=${origin}&method=53`);
    const policy = shown.headers.get('content-security-policy') ?? '';
    const page = await shown.text();
    assert.ok(page.includes(`href="${pathname}?method=53" target="_top"`), page);
    assert.ok(!page.includes('card-fields') && !policy.includes(new URL(shop.stage.fake.url).origin));
  });

  test('only what the account takes is offered', async () => {
    const { service, merchant } = shop;
    const id = await aTransaction(service, merchant, { amount: 20 });
    const answer = await service.ask('POST', `/transactions/${id}/pay`, {
      token: merchant.token,
      body: { channelId: 106 },
    });
    assert.equal(answer.status, 400, answer.text);
  });

  test('each charge is Stripe’s', async () => {
    const { service } = shop;
    const names = await service.world.db.sql.many((row) => readText(row, 'acquirer'))`
      select distinct acquirer from charge`;
    assert.deepEqual(names, ['stripe']);
  });

  // Guarantee: the operator sees when the provider last said anything, and that somebody is refused.
  test('callbacks are counted, and the last one is known', async () => {
    const { service, stage } = shop;
    const [before] = await listActivity(service.world.db.sql);
    assert.ok(before && before.acquirer === 'stripe');
    const body = { type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
    await service.ask('POST', '/acquirer/stripe/events', { body });
    assert.ok((await listActivity(service.world.db.sql))[0]?.callbackAt.equals(before.callbackAt));
    stage.wait(60);
    const id = await aTransaction(service, shop.merchant, { amount: 20 });
    await payBlik(service, shop.merchant, id);
    await shop.pass(6);
    const [after] = await listActivity(service.world.db.sql);
    assert.ok(after && Temporal.Instant.compare(after.callbackAt, before.callbackAt) > 0);
    const metrics = await service.world.metrics.registry.metrics();
    assert.match(metrics, /grosz_acquirer_callbacks_total\{acquirer="stripe",result="refused"\} \d/);
    assert.match(metrics, /grosz_acquirer_callbacks_total\{acquirer="stripe",result="taken"\} \d/);
  });

  // Guarantee: whatever fails, no key and no code is in the log, in any table, in a metric or in what a check says.
  test('nothing secret is left anywhere', async () => {
    const logLines: string[] = [];
    const { stage, service, merchant, pass } = await aShop({ world: { logLines } });
    const { main } = stage.fake.provider;
    const said: string[] = [];
    for (const kind of ['unauthorized', 'forbidden', 'failedAfter', 'lostAnswer', 'notFound', undefined] as const) {
      stage.faults(...(kind ? [{ kind }] : []));
      const id = await aTransaction(service, merchant, { amount: 20 });
      said.push((await payBlik(service, merchant, id, '918273')).text);
      said.push((await service.ask('POST', '/acquirer/stripe/events', { body: { type: 'refund.updated' } })).text);
      for await (const check of stage.stripe.check({ cameSince: async () => true })) said.push(JSON.stringify(check));
      await pass(6);
      said.push((await refund(service, merchant, id, { amount: 1 })).text);
      await pass(6);
    }
    const rows = await service.world.db.sql.many((row) => readText(row, 'rows'))`
      select query_to_xml(format('select * from %I', table_name), true, true, '')::text as rows
        from information_schema.tables where table_schema = 'public'`;
    const metrics = await service.world.metrics.registry.metrics();
    assert.ok(/^grosz_acquirer_request_seconds_count\{.*operation="charge"/m.test(metrics));
    assert.ok(
      rows.length > 50 && logLines.length > 20 && said.length > 20,
      `${[rows, logLines, said].map((all) => all.length)}`,
    );
    const all = [...logLines, ...said, ...rows, metrics].join('\n');
    for (const secret of [main.secretTest, main.restrictedTest, main.webhookSecret, '918273'])
      assert.ok(!all.includes(secret), secret);
  });
});
