// What mails to payers say, one block for each kind: who sends them, what was paid with, and what happens next.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import PostalMime from 'postal-mime';
import { changeAccount, changePayPage, type MailSwitches } from '../../src/accounts/index.ts';
import type { OutgoingMail } from '../../src/notifications/index.ts';
import { openCaughtMail } from '../../src/simulators/index.ts';
import { caughtSources } from '../support/mail.ts';
import { aChild, aPartner, aSplit } from '../support/marketplace.ts';
import {
  aPaidTransaction,
  aTransaction,
  checkInvariants,
  passTime,
  payCard,
  savedTokenOf,
} from '../support/payments.ts';
import { aRecurring, chargeAll } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { sendMails, tickAll } from '../support/rooms.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';

suite('sending mail while the clock moves', () => {
  // Guarantee: a payer gets a mail once, also if the lease of its sender ends by a moved clock.
  test('what is being sent is not sent again', async () => {
    const sent: OutgoingMail[] = [];
    const accepted = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const send = async (mail: OutgoingMail) => {
      sent.push(mail);
      began.resolve();
      await accepted.promise;
      return { kind: 'sent' as const };
    };
    const service = await aService({ mail: { send, close: async () => undefined } });
    const merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant, { payer: { email: 'once@example.com', name: 'A' } });
    const first = sendMails(service.world);
    await began.promise;
    service.world.clock.advance({ hours: 24 });
    const second = sendMails(service.world);
    accepted.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(
      sent.map(({ recipient }) => recipient),
      ['once@example.com'],
    );
  });
});

suite('mails to payers', () => {
  const sent: OutgoingMail[] = [];
  let service: Service;
  let merchant: TestMerchant;
  let number = 0;

  before(async () => {
    const send = async (mail: OutgoingMail) => {
      sent.push(mail);
      return { kind: 'sent' as const };
    };
    service = await aService({ mail: { send, close: async () => undefined } });
    merchant = await aMerchant(service, { name: 'Tea House', email: 'tea@example.com', zone: 'America/New_York' });
    await fund(service, merchant, 1_000_000n);
  });

  const aPayer = () => {
    number += 1;
    return { email: `payer${number}@example.com`, name: 'A' };
  };
  async function mailsTo({ email }: { email: string }): Promise<OutgoingMail[]> {
    await tickAll(service.world);
    return sent.filter(({ recipient }) => recipient === email);
  }
  const set = (mails: Partial<MailSwitches>) => changePayPage(service.world, merchant.id, { mails });
  const fromShop = { name: 'Tea House', email: 'tea@example.com' };
  /** A line of the text with this name. */
  const line = (mail: OutgoingMail | undefined, name: string) =>
    new RegExp(`^${name}: (.*)$`, 'm').exec(mail?.text ?? '')?.[1]?.replaceAll(/[\u00a0\u202f]/g, ' ');
  const inNewYork = (at: Temporal.Instant) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/New_York' })
      .format(at.epochMilliseconds)
      .replaceAll(/[\u00a0\u202f]/g, ' ');
  async function aSavedCard(): Promise<string> {
    const id = await aTransaction(service, merchant, { payer: aPayer(), lang: 'en' });
    await payCard(service, merchant, id, { save: true });
    return savedTokenOf(service, id);
  }

  // Guarantee: the confirmation names the method and the end of the card, also of one that is not saved, in both parts.
  test('a payment', async () => {
    const payer = aPayer();
    const id = await aTransaction(service, merchant, { payer, lang: 'en' });
    await payCard(service, merchant, id);
    const [mail, ...others] = await mailsTo(payer);
    assert.deepEqual(others, []);
    assert.deepEqual(mail?.sender, fromShop);
    assert.equal(line(mail, 'Payment method'), 'Card, Visa •••• 1111');
    assert.match(mail?.html ?? '', /Card, Visa\u00a0••••\u00a01111/);
    const other = aPayer();
    await aPaidTransaction(service, merchant, { payer: other, lang: 'en' });
    assert.equal(line((await mailsTo(other))[0], 'Payment method'), 'BLIK');
  });

  // Guarantee: a refund names where the money goes back to.
  test('a refund', async () => {
    const payer = aPayer();
    const id = await aTransaction(service, merchant, { payer, lang: 'en' });
    await payCard(service, merchant, id);
    await aRefund(service, merchant, id, { amount: 1 });
    await tickAll(service.world);
    await passTime(service.world, { seconds: 10 }, 2);
    const [, mail] = await mailsTo(payer);
    assert.match(mail?.subject ?? '', /^Refund of/);
    assert.deepEqual(mail?.sender, fromShop);
    assert.equal(line(mail, 'Payment method'), 'Card, Visa •••• 1111');
  });

  // Guarantee: a successful charge is told, with the card, its date and that of the next one in the account's zone; the
  // last one says that it was. One switch turns it off.
  test('a successful charge', async () => {
    const payer = aPayer();
    const value = await aSavedCard();
    const paymentInstrument = { paymentType: 'card_token', value };
    await aRecurring(service, merchant, { payer, paymentInstrument, schedule: { chargeCount: 2 } });
    await chargeAll(service.world);
    const [first, ...none] = await mailsTo(payer);
    assert.deepEqual(none, []);
    assert.match(first?.subject ?? '', /^Recurring payment of PLN\s49\.90 to Tea House confirmed$/);
    assert.deepEqual(first?.sender, fromShop);
    assert.equal(line(first, 'Payment method'), 'Card, Visa •••• 1111');
    const at = service.world.clock.now();
    assert.equal(line(first, 'Paid on'), inNewYork(at));
    const next = at.toZonedDateTimeISO('America/New_York').add({ months: 1 }).toInstant();
    assert.equal(line(first, 'Next payment'), inNewYork(next));
    assert.match(first?.text ?? '', /Payment number: TR-/);
    assert.doesNotMatch(first?.text ?? '', /last payment/);
    await passTime(service.world, { hours: 24 * 32 }, 1);
    await chargeAll(service.world);
    const [, last] = await mailsTo(payer);
    assert.match(last?.text ?? '', /This was the last payment\./);
    assert.equal(line(last, 'Next payment'), undefined);
    await set({ charged: false });
    const quiet = aPayer();
    await aRecurring(service, merchant, { payer: quiet });
    await chargeAll(service.world);
    assert.deepEqual(await mailsTo(quiet), []);
    await set({ charged: true });
  });

  // Guarantee: a failed charge says when it is tried again, and after the last attempt that it was the last; the
  // attempts between, which may be minutes apart, are not told.
  test('a failed charge', async () => {
    const payer = aPayer();
    const retryIntervals = [
      { value: 1, unit: 'days' },
      { value: 1, unit: 'days' },
    ];
    const paymentInstrument = { value: 'fail-9-insufficient-funds' };
    await aRecurring(service, merchant, { payer, paymentInstrument, schedule: { retryIntervals } });
    await chargeAll(service.world);
    const [first] = await mailsTo(payer);
    const again = service.world.clock.now().toZonedDateTimeISO('America/New_York').add({ days: 1 }).toInstant();
    assert.equal(line(first, 'Next attempt'), inNewYork(again));
    assert.equal(line(first, 'Payment method'), 'Card');
    assert.doesNotMatch(first?.text ?? '', /last attempt/);
    assert.deepEqual(first?.sender, fromShop);
    await passTime(service.world, { hours: 24 }, 1);
    await chargeAll(service.world);
    assert.equal((await mailsTo(payer)).length, 1, 'the second attempt is not told');
    await passTime(service.world, { hours: 24 }, 1);
    await chargeAll(service.world);
    const [, last, ...more] = await mailsTo(payer);
    assert.deepEqual(more, []);
    assert.match(last?.text ?? '', /This was the last attempt; we will not try again\./);
    assert.equal(line(last, 'Next attempt'), undefined);
  });

  // Guarantee: who pays by BLIK is not sent to change a card.
  test('a failed charge of a BLIK alias', async () => {
    const payer = aPayer();
    await changeAccount(service.world, merchant.id, { url: 'https://shop.example/' });
    const paymentInstrument = {
      paymentType: 'blik_payid',
      value: 'fail-9-insufficient-funds',
      blik: { model: 'A', noDelay: true },
    };
    await aRecurring(service, merchant, { payer, paymentInstrument });
    await chargeAll(service.world);
    const [mail] = await mailsTo(payer);
    assert.equal(line(mail, 'Payment method'), 'BLIK');
    assert.match(mail?.text ?? '', /Go to the shop:\nhttps:\/\/shop\.example\//);
    assert.doesNotMatch(mail?.text ?? '', /card/i);
  });

  // Guarantee: an order comes from the partner, whom the payer can answer.
  test('an order of a marketplace', async () => {
    const payer = aPayer();
    const partner = await aPartner(service, [{}]);
    await changeAccount(service.world, partner.id, { name: 'Market', email: 'market@example.com' });
    await aSplit(service, partner, [aChild(partner, 0, 10)], {
      billingAddress: { email: payer.email, name: 'A' },
      languageCode: 'EN',
    });
    const [mail] = await mailsTo(payer);
    assert.deepEqual(mail?.sender, { name: 'Market', email: 'market@example.com' });
  });

  // Guarantee: a payer whose own language is not known gets the account's, in every kind of mail.
  test('the language of the account', async () => {
    await changePayPage(service.world, merchant.id, { language: 'de' });
    const payer = aPayer();
    const id = await aPaidTransaction(service, merchant, { payer });
    await aRefund(service, merchant, id, { amount: 1 });
    await tickAll(service.world);
    await passTime(service.world, { seconds: 10 }, 2);
    await aRecurring(service, merchant, { payer });
    await aRecurring(service, merchant, { payer, paymentInstrument: { value: 'fail-9-insufficient-funds' } });
    await chargeAll(service.world);
    const languages = (await mailsTo(payer)).map(({ language }) => language);
    assert.deepEqual(languages, ['de', 'de', 'de', 'de']);
    await checkInvariants(service.world);
  });
});

suite('the headers of mails to payers', () => {
  // Guarantee: over real SMTP the sender is the shop by way of the operator, replies go to the shop, and a name with
  // line ends, quotes or letters of any script adds no header and no address.
  for (const name of ['Żółw & Syn, "sklep"', 'Чай\r\nBcc: evil@example.com\r\n', 'Tea <evil@example.com>, House']) {
    test(JSON.stringify(name), async () => {
      const service = await aService();
      const mail = await openCaughtMail(service.world);
      atEnd(() => mail.close());
      const world = { ...service.world, mail };
      await mail.send({
        id: world.ids.ulid(),
        createdAt: world.clock.now(),
        recipient: 'jan@example.com',
        subject: 'Hi',
        text: 'Hi',
        html: '<p>Hi</p>',
        language: 'en',
        sender: { name, email: 'tea@example.com' },
      });
      await sendMails(world);
      const [source] = await caughtSources(world);
      const read = await PostalMime.parse(source ?? '');
      const words = name.replaceAll(/[<>"@\s]+/g, ' ').trim();
      assert.deepEqual(read.from, { name: `${words} via Grosz`, address: 'no-reply@grosz.test' });
      assert.deepEqual(read.replyTo, [{ name: words, address: 'tea@example.com' }]);
      assert.deepEqual(read.to, [{ name: '', address: 'jan@example.com' }]);
      assert.deepEqual([read.cc, read.bcc], [undefined, undefined]);
      assert.equal(read.headers.filter(({ key }) => key === 'from' || key === 'reply-to').length, 2);
    });
  }
});
