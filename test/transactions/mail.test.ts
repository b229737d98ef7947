// Mails to payers about payments and failed charges, and their switches.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { languages } from '../../contract/languages.ts';
import { changeAccount, changePayPage, type MailSwitches } from '../../src/accounts/index.ts';
import { mailsTo as readMailsTo } from '../support/mail.ts';
import {
  aPaidTransaction,
  aTransaction,
  passTime,
  payCard,
  savedTokenOf,
  settleAll,
  show,
} from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('mails to payers', () => {
  let service: Service;
  let merchant: TestMerchant;
  let number = 0;
  const logLines: string[] = [];

  before(async () => {
    service = await aService({ catchMail: true, logLines });
    merchant = await aMerchant(service, { name: 'Sklep <Ogród>' });
    await fund(service, merchant, 1_000_000n);
  });

  function anAddress(): string {
    number += 1;
    return `payer${number}@example.com`;
  }
  const mailsTo = (email: string) => readMailsTo(service.world, email);
  const setMails = (mails: Partial<MailSwitches>) => changePayPage(service.world, merchant.id, { mails });
  async function paid(lang?: string): Promise<string> {
    const email = anAddress();
    await aPaidTransaction(service, merchant, { payer: { email, name: 'A' }, ...(lang && { lang }) });
    return email;
  }

  // Guarantee: a payment is confirmed in the language in which it was paid, once, in text and HTML for light and dark.
  test('a confirmed payment, in every language', async () => {
    const subjects = new Set<string>();
    for (const lang of languages) {
      const mails = await mailsTo(await paid(lang));
      assert.equal(mails.length, 1, lang);
      const [mail] = mails;
      assert.ok(mail && mail.language === lang && mail.html.includes(`<html lang="${lang}">`));
      assert.ok(mail.subject.includes('Sklep <Ogród>') && mail.text.includes('Sklep <Ogród>'));
      assert.ok(mail.html.includes('Sklep &lt;Ogród&gt;') && !mail.html.includes('<Ogród>'));
      assert.match(mail.html, /prefers-color-scheme: dark/);
      subjects.add(mail.subject.replaceAll(/[\d.,\s]+(PLN|zł)/g, ''));
    }
    assert.equal(subjects.size, languages.length);
  });

  // Guarantee: each mail has its own switch.
  test('switched off', async () => {
    await setMails({ paid: false });
    assert.deepEqual(await mailsTo(await paid()), []);
    const email = anAddress();
    const id = await aPaidTransaction(service, merchant, { payer: { email, name: 'A' } });
    await setMails({ refunded: false, paid: true });
    await aRefund(service, merchant, id);
    await settleAll(service.world);
    await passTime(service.world, { seconds: 10 }, 2);
    assert.deepEqual(await mailsTo(email), []);
    await setMails({ refunded: true });
  });

  // Guarantee: what somebody else wrote stays in its line, and reads as it is written, also what was stored long ago.
  test('a name and a description with line ends and marks of direction', async () => {
    const shop = await aMerchant(service, { name: 'Shop\n\nYour card is blocked\u202egpj' });
    const email = anAddress();
    const description = 'Tea\u2028\u2029Total: 0\u0007';
    await aPaidTransaction(service, shop, { lang: 'en', description, payer: { email, name: 'A' } });
    const [mail] = await mailsTo(email);
    assert.ok(mail);
    assert.ok(mail.subject.includes('Shop Your card is blockedgpj'));
    assert.ok(mail.text.includes('Shop Your card is blockedgpj') && mail.text.includes('Tea Total: 0'));
    assert.ok(mail.html.includes('Shop Your card is blockedgpj'));
    assert.doesNotMatch(mail.text + mail.html + mail.subject, /\u2028|\u2029|\u0007|\u202e/);
  });

  // Guarantee: money that has moved is booked also if its mail cannot be written, of this account and of others.
  test('a mail that cannot be written is left out', async () => {
    const shop = await aMerchant(service);
    await fund(service, shop, 1_000_000n);
    await changeAccount(service.world, shop.id, { zone: '2026-01-01T00:00Z' });
    const [bad, good] = [anAddress(), anAddress()];
    const ids = await Promise.all([
      aPaidTransaction(service, shop, { payer: { email: bad, name: 'A' } }),
      aPaidTransaction(service, merchant, { payer: { email: good, name: 'A' } }),
    ]);
    assert.deepEqual((await show(service, shop, ids[0])).body.status, 'paid');
    assert.deepEqual([(await mailsTo(bad)).length, (await mailsTo(good)).length], [0, 1]);
    assert.match(logLines.join(''), /a mail could not be composed/);
  });

  // Guarantee: the payer of a failed charge is told once per due date, with the way to the shop, unless switched off.
  test('a failed charge', async () => {
    const fails = async (email: string) => {
      await aRecurring(service, merchant, {
        payer: { email, name: 'A' },
        paymentInstrument: { value: 'fail-9-insufficient-funds' },
      });
      await chargeAll(service.world);
    };
    const unknown = anAddress();
    await fails(unknown);
    assert.equal((await mailsTo(unknown))[0]?.language, 'en');
    const email = anAddress();
    await changePayPage(service.world, merchant.id, { language: 'es' });
    await changeAccount(service.world, merchant.id, { url: 'https://shop.example/' });
    await fails(email);
    const [mail, ...others] = await mailsTo(email);
    assert.deepEqual(others, []);
    assert.ok(mail && mail.language === 'es');
    assert.match(mail.subject, /^Su pago de .* a Sklep <Ogród> no se ha realizado$/);
    assert.match(mail.html, /href="https:\/\/shop\.example\/"[^>]*>Cambiar la tarjeta en la tienda</);
    // Guarantee: in the language in which the payer saved the card, also after it was replaced by another.
    const payer = { email: anAddress(), name: 'A' };
    const first = await aTransaction(service, merchant, { payer, lang: 'uk' });
    await payCard(service, merchant, first, { save: true });
    const value = await savedTokenOf(service, first);
    const card = { paymentType: 'card_token', value };
    const series = await aRecurring(service, merchant, { payer, paymentInstrument: card });
    const paymentInstrument = { paymentType: 'card_token', value: 'fail-9-insufficient-funds' };
    await askRecurring(service, merchant, series, 'payment_instrument', { paymentInstrument });
    // Guarantee: the link leads to the page that the merchant named, for this very payment.
    await changePayPage(service.world, merchant.id, { cardUrl: 'https://shop.example/cards?id={id}' });
    await chargeAll(service.world);
    const mails = await mailsTo(payer.email);
    assert.deepEqual(
      mails.map(({ language }) => language),
      ['uk', 'uk'],
    );
    // Both mails are of the same moment, so that their ids have no order.
    assert.equal(mails.filter(({ text }) => text.includes(`https://shop.example/cards?id=${series}`)).length, 1);
    // Guarantee: nobody can fill an inbox with mails that need no payment; after an hour there are some again.
    for (let index = 0; index < 12; index += 1) await fails(email.toUpperCase());
    assert.deepEqual([(await mailsTo(email)).length, (await mailsTo(email.toUpperCase())).length], [1, 9]);
    await passTime(service.world, { hours: 1 }, 1);
    await fails(email);
    assert.equal((await mailsTo(email)).length, 2);
    // Guarantee: one that has failed and is restored tells its payer again if the new card fails too: of the first
    // attempt and of the last.
    const restored = { email: anAddress(), name: 'A' };
    const schedule = { retryIntervals: [{ value: 1, unit: 'minutes' }] };
    const failed = await aRecurring(service, merchant, { payer: restored, schedule, paymentInstrument });
    for (const mails of [2, 4]) {
      await chargeAll(service.world);
      await passTime(service.world, { minutes: 1 }, 1);
      assert.equal((await mailsTo(restored.email)).length, mails);
      await askRecurring(service, merchant, failed, 'payment_instrument', { paymentInstrument });
    }
    await askRecurring(service, merchant, failed, 'cancel');
    await setMails({ chargeFailed: false });
    const quiet = anAddress();
    await fails(quiet);
    assert.deepEqual(await mailsTo(quiet), []);
    service.world.clock.advance({ hours: 26 });
    await tickAll(service.world);
    assert.deepEqual(await service.world.db.sql.many(() => 0)`select from mail_count`, []);
  });
});
