// The merchant number: what notifications about transactions and their md5sum name the account by.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { createAccount, readAccountSecrets } from '../../src/accounts/index.ts';
import { readText } from '../../src/database/index.ts';
import { aPartner } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';

const details = { kind: 'merchant', name: 'Shop', email: 'shop@example.com', testMode: true } as const;
const numberShape = /^[1-9]\d{5,9}$/;

suite('the merchant number', () => {
  let service: Service;

  before(async () => {
    service = await aService();
  });

  // Guarantee: every account has a number of its own that fits 32 bits, also if many are created at once.
  test('unique', async () => {
    const { world } = service;
    const made = await Promise.all(
      Array.from({ length: 20 }, () => world.db.atomic((sql) => createAccount(world, sql, details))),
    );
    const numbers = made.map(({ merchantNumber }) => merchantNumber);
    assert.equal(new Set(numbers).size, 20);
    for (const number of numbers) assert.ok(number > 100_000 && number < 2 ** 31);
  });

  // Guarantee: existing clients read `id` as an integer, and compute md5sum with it.
  test('in the notification and its md5sum', async () => {
    const { world } = service;
    const merchant = await aMerchant(service);
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id);
    const body = await world.db.sql.one((row) =>
      readText(row, 'body'),
    )`select body from event where subject_id = ${id}`;
    const fields = Object.fromEntries(new URLSearchParams(body));
    const { merchantNumber, securityCode } = await readAccountSecrets(world, merchant.id);
    assert.match(fields.id ?? '', numberShape);
    assert.equal(Number(fields.id), merchantNumber);
    const signed = `${merchantNumber}${fields.tr_id}${fields.tr_amount}${fields.tr_crc}${securityCode.reveal()}`;
    assert.equal(fields.md5sum, createHash('md5').update(signed).digest('hex'));
  });

  // Guarantee: people find it where they need it: settings, secrets, the operator's list, a partner's sellers.
  test('shown, and found by the operator', async () => {
    const merchant = await aMerchant(service);
    const { merchantNumber } = await readAccountSecrets(service.world, merchant.id);
    const owner = await aPerson(service, 'owner', merchant.id);
    const operator = await aPerson(service, 'operator', null);
    assert.equal((await owner.ask('GET', '/panel/api/settings')).body.settings.merchantNumber, merchantNumber);
    assert.equal((await owner.ask('GET', '/panel/api/secrets')).body.merchantNumber, merchantNumber);
    const found = await operator.ask('GET', `/panel/api/operator/accounts?search=${merchantNumber}`);
    assert.deepEqual(
      found.body.accounts.map((account: { id: string; merchantNumber: number }) => [
        account.id,
        account.merchantNumber,
      ]),
      [[merchant.id, merchantNumber]],
    );
    const partner = await aPartner(service, [{}]);
    const { body } = await service.ask('GET', '/accounts', { token: partner.token });
    const seller = body.list[0];
    assert.equal(seller.merchantNumber, (await readAccountSecrets(service.world, seller.id)).merchantNumber);
  });

  // Guarantee: nobody changes it, not even by SQL.
  test('kept', async () => {
    await assert.rejects(service.world.db.sql.run`update account set merchant_number = merchant_number + 1`);
  });
});
