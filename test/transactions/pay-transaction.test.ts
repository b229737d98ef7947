// E2, POST /transactions/{id}/pay, and payment data inside E1.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { cardReference } from '../../src/cards/index.ts';
import { readText } from '../../src/database/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import {
  aTransaction,
  checkInvariants,
  encryptCard,
  passTime,
  payBlik,
  payCard,
  savedTokenOf,
  settleAll,
  show,
  testCard,
} from '../support/payments.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /transactions/{id}/pay', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  });
  after(() => checkInvariants(service.world));

  const pay = (id: string, body: object, token = merchant.token) =>
    service.ask('POST', `/transactions/${id}/pay`, { token, body });
  const eventsOf = (id: string) =>
    service.world.db.sql.many((row) => Object.fromEntries(new URLSearchParams(readText(row, 'body'))))`
      select body from event where subject_id = ${id} and not sealed order by created_at, id`;

  suite('BLIK', () => {
    // Guarantee: a confirmed code pays; the merchant gets the money minus the fee, and one notification.
    test('200: 777 pays', async () => {
      const balance = () => findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id));
      const before = await balance();
      const id = await aTransaction(service, merchant, { amount: 100 });
      const { status, body } = await payBlik(service, merchant, id);
      assert.equal(status, 200);
      assert.equal(body.result, 'success');
      assert.equal(body.status, 'paid');
      assert.equal(body.date.realization, '2026-03-10 10:00:00');
      assert.deepEqual(body.payments, {
        status: 'correct',
        method: 'sale',
        channelId: '64',
        groupId: '150',
        amountPaid: 100,
        date: { realization: '2026-03-10 10:00:00' },
      });
      assert.equal((await balance()) - before, 9_875n);
      const events = await eventsOf(id);
      assert.equal(events.length, 1);
      assert.deepEqual(
        {
          status: events[0]?.tr_status,
          amount: events[0]?.tr_amount,
          paid: events[0]?.tr_paid,
          channel: events[0]?.tr_channel,
        },
        { status: 'TRUE', amount: '100.00', paid: '100.00', channel: '64' },
      );
    });

    // Guarantee: a declined attempt moves nothing, and the payer can try again.
    for (const [code, reason] of [
      ['111222', 'wrong code'],
      ['222222', 'insufficient funds'],
      ['333222', 'payer rejected'],
      ['987654', 'wrong code'],
    ] as const) {
      test(`200: ${code} is declined (${reason}), then 777 pays`, async () => {
        const id = await aTransaction(service, merchant);
        const declined = await payBlik(service, merchant, id, code);
        assert.equal(declined.status, 200);
        assert.equal(declined.body.result, 'failed');
        assert.equal(declined.body.status, 'pending');
        assert.equal(declined.body.payments.status, 'declined');
        assert.deepEqual(
          declined.body.payments.errors.map((error: { errorMessage: string }) => error.errorMessage),
          [reason],
        );
        const shown = await show(service, merchant, id);
        assert.equal(shown.body.payments.errors.length, 1);
        const paid = await payBlik(service, merchant, id);
        assert.equal(paid.body.status, 'paid');
        assert.equal(paid.body.payments.errors, undefined);
        const attempts = (await show(service, merchant, id)).body.payments.attempts;
        assert.deepEqual(
          attempts.map((attempt: { status: string }) => attempt.status),
          ['declined', 'correct'],
        );
      });
    }

    // Guarantee: if the payer never confirms, the attempt is declined by the bank, not by our guess.
    test('200: 500 waits and times out', async () => {
      const id = await aTransaction(service, merchant);
      const waiting = await payBlik(service, merchant, id, '500000');
      assert.deepEqual([waiting.body.result, waiting.body.payments.status], ['pending', 'pending']);
      await passTime(service.world, { minutes: 3 });
      const shown = await show(service, merchant, id);
      assert.deepEqual([shown.body.status, shown.body.payments.status], ['pending', 'declined']);
      assert.equal(shown.body.payments.attempts[0].reason, 'timed out');
    });
  });

  suite('card', () => {
    // Guarantee: outcomes by the last digit (docs/api.md#test-values).
    for (const [amount, status, payment] of [
      [10.01, 'paid', 'correct'],
      [10.03, 'paid', 'correct'],
      [10.05, 'pending', 'declined'],
      [10.06, 'pending', 'declined'],
    ] as const) {
      test(`200: ${amount} ends ${payment}`, async () => {
        const id = await aTransaction(service, merchant, { amount });
        const { body } = await payCard(service, merchant, id);
        assert.deepEqual([body.status, body.payments.status], [status, payment]);
      });
    }

    // Guarantee: 3-D Secure returns the link, and the payer's choice there decides.
    test('200: any other amount returns the link', async () => {
      const id = await aTransaction(service, merchant, { amount: 10.02 });
      const { body } = await payCard(service, merchant, id);
      assert.equal(body.result, 'pending');
      assert.match(body.transactionPaymentUrl, /\/bank\//);
      const linkId = body.transactionPaymentUrl.split('/').at(-1);
      await service.world.bank.choose(linkId, 'confirm');
      await settleAll(service.world);
      assert.equal((await show(service, merchant, id)).body.status, 'paid');
    });

    // Guarantee: a saved card pays later by its token, for its own merchant only, and only after a success.
    test('200: save gives a token that pays again', async () => {
      const id = await aTransaction(service, merchant);
      await payCard(service, merchant, id, { save: true });
      const token = await savedTokenOf(service, id);
      const second = await aTransaction(service, merchant);
      const paid = await pay(second, { channelId: 53, cardPaymentData: { token } });
      assert.equal(paid.body.status, 'paid');
      const other = await aMerchant(service);
      const foreign = await aTransaction(service, other);
      const refused = await pay(foreign, { channelId: 53, cardPaymentData: { token } }, other.token);
      assert.deepEqual(faultsOf(refused), ['not_valid cardPaymentData.token']);
    });

    // Guarantee: merchants' columns of 64 characters hold every token; those that were issued longer keep working.
    test('200: a token has at most 64 characters; an older one of 69 still pays', async () => {
      const id = await aTransaction(service, merchant);
      await payCard(service, merchant, id, { save: true });
      const token = await savedTokenOf(service, id);
      assert.match(token, /^card_[0-9a-f]+$/);
      assert.ok(token.length <= 64, token);
      const { db, ids, vault } = service.world;
      const older = `card_${'ab'.repeat(32)}`;
      const reference = cardReference(older);
      const { number, expiry } = testCard;
      const sealed = vault.seal(new Secret(JSON.stringify({ number, expiry, token: older })), `card ${reference}`);
      await db.sql.run`
        insert into card_token (token, attempt_id, merchant_id, card_sealed, tail, brand, expiry, created_at, active_at)
        select ${reference}, ${ids.ulid()}, merchant_id, ${sealed}, tail, brand, expiry, created_at, active_at
          from card_token where token = ${cardReference(token)}`;
      const paid = await pay(await aTransaction(service, merchant), {
        channelId: 53,
        cardPaymentData: { token: older },
      });
      assert.equal(paid.body.status, 'paid', paid.text);
      const long = await pay(await aTransaction(service, merchant), {
        channelId: 53,
        cardPaymentData: { token: 'x'.repeat(65) },
      });
      assert.deepEqual(faultsOf(long), ['not_valid cardPaymentData.token']);
    });

    test('400: the token of a card whose payment failed', async () => {
      const id = await aTransaction(service, merchant, { amount: 10.06 });
      await payCard(service, merchant, id, { save: true });
      const token = await savedTokenOf(service, id);
      const refused = await pay(await aTransaction(service, merchant), { channelId: 53, cardPaymentData: { token } });
      assert.deepEqual(faultsOf(refused), ['not_valid cardPaymentData.token']);
    });

    // Guarantee: no number or code is stored in plain text, in our database or in the bank's record.
    test('nothing in the database holds the number or the code', async () => {
      const id = await aTransaction(service, merchant);
      await payCard(service, merchant, id, {
        card: encryptCard(service, { ...testCard, number: '5555555555554444', code: '987' }),
        save: true,
      });
      const tables = await service.world.db.sql.many((row) => readText(row, 'name'))`
        select table_name as name from information_schema.tables where table_schema = 'public'`;
      for (const table of tables) {
        const rows = await service.world.db.sql.many((row) =>
          JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
        )([`select * from ${table}`] as unknown as TemplateStringsArray);
        assert.ok(!rows.join().includes('5555555555554444'), table);
      }
      // What is sealed has the number, which is charged again, and never the code.
      const [sealed = '{}'] = await service.world.db.sql.many((row) =>
        service.world.vault.open(readText(row, 'card_sealed'), `card ${readText(row, 'token')}`).reveal(),
      )`select token, card_sealed from card_token order by created_at desc, token desc limit 1`;
      assert.deepEqual(Object.keys(JSON.parse(sealed)).sort(), ['expiry', 'number', 'token']);
    });
  });

  // Guarantee: transfers and the online wallet continue on the bank's page.
  for (const channelId of [21, 106]) {
    test(`200: channel ${channelId} answers with the bank's page`, async () => {
      const id = await aTransaction(service, merchant);
      const { body } = await pay(id, { channelId });
      assert.equal(body.result, 'pending');
      await service.world.bank.choose(body.transactionPaymentUrl.split('/').at(-1), 'confirm');
      await settleAll(service.world);
      assert.equal((await show(service, merchant, id)).body.status, 'paid');
    });
  }

  suite('refusals', () => {
    test('400: every fault of the body', async () => {
      const id = await aTransaction(service, merchant);
      for (const [body, faults] of [
        [{}, ['field_required channelId']],
        [{ channelId: 1 }, ['not_valid channelId']],
        [{ channelId: 64, groupId: 150 }, ['channel_passed_with_group channelId']],
        [{ groupId: 150 }, ['field_required blikPaymentData.blikToken']],
        [{ groupId: 150, blikPaymentData: {} }, ['field_required blikPaymentData.blikToken']],
        [{ groupId: 150, blikPaymentData: { blikToken: 777123 } }, ['not_string blikPaymentData.blikToken']],
        [{ groupId: 150, blikPaymentData: { blikToken: '77712' } }, ['not_valid blikPaymentData.blikToken']],
        [{ channelId: 53 }, ['field_required cardPaymentData']],
        [{ channelId: 53, cardPaymentData: {} }, ['field_required cardPaymentData.card']],
        [{ channelId: 53, cardPaymentData: { card: 'abc' } }, ['not_valid cardPaymentData.card']],
        [{ channelId: 53, cardPaymentData: { card: 'a', token: 'b' } }, ['not_valid cardPaymentData.card']],
        [{ channelId: 53, cardPaymentData: { token: 'none' } }, ['not_valid cardPaymentData.token']],
        [{ channelId: 21, blikPaymentData: { blikToken: '777123' } }, ['not_valid blikPaymentData']],
        [{ channelId: 75, walletPayPaymentData: 'e30=' }, ['not_valid walletPayPaymentData']],
      ] as const) {
        const answer = await pay(id, body);
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.deepEqual(faultsOf(answer), faults, JSON.stringify(body));
      }
      assert.deepEqual((await show(service, merchant, id)).body.payments.attempts, []);
    });

    test('404: foreign, missing and malformed ids alike', async () => {
      const other = await aMerchant(service);
      const id = await aTransaction(service, other);
      for (const path of [id, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x']) {
        assert.equal((await payBlik(service, merchant, path)).status, 404);
      }
    });

    test('403: a read-only credential', async () => {
      const reader = await aCredential(service, merchant, 'read_only');
      assert.equal((await payBlik(service, reader, await aTransaction(service, merchant))).status, 403);
    });

    test('409: paid already, canceled', async () => {
      const paid = await aTransaction(service, merchant);
      await payBlik(service, merchant, paid);
      const again = await payBlik(service, merchant, paid);
      assert.deepEqual([again.status, faultsOf(again)], [409, ['already_paid']]);
      const canceled = await aTransaction(service, merchant);
      await service.ask('POST', `/transactions/${canceled}/cancel`, { token: merchant.token });
      const late = await payBlik(service, merchant, canceled);
      assert.deepEqual([late.status, faultsOf(late)], [409, ['transaction_canceled']]);
    });
  });

  suite('payment data inside E1', () => {
    const create = (body: object) =>
      service.ask('POST', '/transactions', {
        token: merchant.token,
        body: { amount: 10.01, description: 'x', ...body },
      });

    test('200: BLIK pays in the same call', async () => {
      const { body } = await create({ pay: { groupId: 150, blikPaymentData: { blikToken: '777000' } } });
      assert.deepEqual([body.result, body.status, body.payments.status], ['success', 'paid', 'correct']);
    });

    test('200: a decline leaves the transaction pending', async () => {
      const { body } = await create({ pay: { channelId: 64, blikPaymentData: { blikToken: '222000' } } });
      assert.deepEqual([body.result, body.status, body.payments.status], ['success', 'pending', 'declined']);
    });

    test('400: data that cannot be read creates nothing', async () => {
      const total = async () => (await service.ask('GET', '/transactions', { token: merchant.token })).body.total;
      const before = await total();
      const answer = await create({ pay: { channelId: 53, cardPaymentData: { card: 'AAAA' } } });
      assert.deepEqual(faultsOf(answer), ['not_valid pay.cardPaymentData.card']);
      assert.equal(await total(), before);
    });
  });
});

suite('BLIK aliases', () => {
  // Guarantee: an alias is registered only with a payment that the payer confirmed.
  test('a successful payment registers them, a declined one does not', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const pay = async (code: string, value: string) => {
      const id = await aTransaction(service, merchant);
      const aliases = [{ value, type: 'PAYID', label: 'My shop' }];
      const body = { groupId: 150, blikPaymentData: { blikToken: code, aliases } };
      return service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    };
    assert.equal((await pay('777123', 'alias-1')).status, 200);
    assert.equal((await pay('222123', 'alias-2')).status, 200);
    assert.deepEqual(
      service.world.bank.aliases().map(({ value, type, label }) => ({ value, type, label })),
      [{ value: 'alias-1', type: 'PAYID', label: 'My shop' }],
    );
    const refused = await pay('777123', '');
    assert.deepEqual(faultsOf(refused), ['too_short blikPaymentData.aliases.0.value']);
  });

  // Guarantee: a payer who registered an alias with this merchant pays without a code; nobody else does.
  test('a registered alias, alone or in a list, pays without a code', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const alias = { value: 'payer-77', type: 'UID' };
    const pay = async (who: TestMerchant, data: object) => {
      const path = `/transactions/${await aTransaction(service, who)}/pay`;
      const body = { groupId: 150, blikPaymentData: data };
      return service.ask('POST', path, { token: who.token, body });
    };
    const unknown = await pay(merchant, { aliases: alias });
    assert.equal(unknown.body.result, 'failed');
    assert.equal(unknown.body.payments.errors[0].errorMessage, 'instrument invalid');
    assert.equal((await pay(merchant, { blikToken: '777123', aliases: alias })).body.status, 'paid');
    assert.equal((await pay(merchant, { aliases: alias })).body.status, 'paid');
    assert.equal((await pay(merchant, { aliases: [{ value: 'nobody', type: 'UID' }, alias] })).body.status, 'paid');
    const other = await aMerchant(service);
    assert.equal((await pay(other, { aliases: alias })).body.result, 'failed');
    assert.deepEqual(faultsOf(await pay(merchant, {})), ['field_required blikPaymentData.blikToken']);
    assert.deepEqual(faultsOf(await pay(merchant, { aliases: [] })), ['field_required blikPaymentData.blikToken']);
    assert.deepEqual(faultsOf(await pay(merchant, { aliases: { type: 'UID' } })), [
      'field_required blikPaymentData.aliases.value',
    ]);
    await checkInvariants(service.world);
  });
});
