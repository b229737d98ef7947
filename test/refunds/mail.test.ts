// The payer's mail about a refund: the outbox, SMTP, the catcher and its pages.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import PostalMime from 'postal-mime';
import { languages } from '../../contract/languages.ts';
import { changePayPage } from '../../src/accounts/index.ts';
import { readText } from '../../src/database/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import { insertMails, type MailResult, type OutgoingMail, openSmtp, sealMail } from '../../src/notifications/index.ts';
import { systemClock } from '../../src/runtime/index.ts';
import { openCaughtMail } from '../../src/simulators/index.ts';
import { caughtSources } from '../support/mail.ts';
import { aPaidTransaction, checkInvariants, passTime, settleAll } from '../support/payments.ts';
import { sendRaw } from '../support/raw.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { sendMails } from '../support/rooms.ts';
import {
  aMerchant,
  aService,
  atEnd,
  aWorld,
  type Service,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';

/** A transport with scripted results. */
class ScriptedTransport {
  readonly tried: OutgoingMail[] = [];
  answer: MailResult = { kind: 'sent' };

  async send(mail: OutgoingMail): Promise<MailResult> {
    this.tried.push(mail);
    return this.answer;
  }

  async close(): Promise<void> {}
}

suite('the mail about a refund', () => {
  const transport = new ScriptedTransport();
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ mail: transport });
    merchant = await aMerchant(service, { name: 'Sklep <Ogród> & Dom' });
    await fund(service, merchant, 1_000_000n);
    // Only mails about refunds are counted here.
    await changePayPage(service.world, merchant.id, { mails: { paid: false } });
  });

  async function refunded(body: object, refundBody: object = {}): Promise<OutgoingMail[]> {
    const before = transport.tried.length;
    await aRefund(service, merchant, await aPaidTransaction(service, merchant, body), refundBody);
    await settleAll(service.world);
    assert.equal(transport.tried.length, before, 'nothing before the bank has paid it out');
    await passTime(service.world, { seconds: 10 }, 2);
    return transport.tried.slice(before);
  }

  // Guarantee: the payer is informed in the transaction's language, in text and HTML, and nothing in it can be markup.
  for (const lang of languages) {
    test(`in ${lang}`, async () => {
      const [mail, ...more] = await refunded(
        { amount: 1_234.5, lang, description: 'Łopata <b>"X"</b>\nnowa', payer: { email: 'jan@example.com' } },
        { amount: 1_034.1 },
      );
      assert.equal(more.length, 0);
      assert.ok(mail);
      assert.equal(mail.recipient, 'jan@example.com');
      assert.equal(mail.language, lang);
      const digits = mail.subject.replaceAll(/[^\d]/g, '');
      assert.equal(digits, '103410');
      assert.match(mail.subject, /Sklep <Ogród> & Dom/);
      assert.doesNotMatch(mail.subject, /[\r\n]/);
      assert.match(mail.text, /Łopata <b>"X"<\/b> nowa/);
      assert.match(mail.html, new RegExp(`<html lang="${lang}">`));
      assert.match(mail.html, /Łopata &lt;b&gt;&quot;X&quot;&lt;\/b&gt;/);
      assert.doesNotMatch(mail.html, /<b>|<Ogród>/);
    });
  }

  test('texts differ by language', () => {
    assert.equal(new Set(transport.tried.map(({ text }) => text.split('\n')[2])).size, languages.length);
  });

  // Guarantee: no mail without an address, and none about a refund that was never made.
  test('no address, no mail', async () => assert.deepEqual(await refunded({}), []));

  test('a refused or canceled refund is not written about', async () => {
    service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
    assert.deepEqual(await refunded({ payer: { email: 'jan@example.com' } }), []);
    service.world.bank.setFaults({});
    await checkInvariants(service.world);
  });

  // Guarantee: a mail is retried for days, with the same id, and then visibly failed; a refused one fails immediately.
  test('a server that is away', async () => {
    transport.answer = { kind: 'failed', why: 'away' };
    const [first] = await refunded({ payer: { email: 'away@example.com' } });
    await passTime(service.world, { hours: 24 * 4 }, 400);
    const tries = transport.tried.filter(({ recipient }) => recipient === 'away@example.com');
    assert.equal(tries.length, 10);
    assert.deepEqual([...new Set(tries.map(({ id }) => id))], [first?.id]);
    assert.deepEqual(await statusesOf('away@example.com'), ['failed away']);
    transport.answer = { kind: 'sent' };
  });

  test('a server that comes back', async () => {
    transport.answer = { kind: 'failed', why: 'busy' };
    await refunded({ payer: { email: 'late@example.com' } });
    transport.answer = { kind: 'sent' };
    await passTime(service.world, { minutes: 2 }, 2);
    assert.deepEqual(await statusesOf('late@example.com'), ['sent ']);
    await passTime(service.world, { hours: 48 }, 4);
    assert.equal(transport.tried.filter(({ recipient }) => recipient === 'late@example.com').length, 2);
  });

  test('an address that is refused', async () => {
    transport.answer = { kind: 'refused', why: 'no such mailbox' };
    await refunded({ payer: { email: 'nobody@example.com' } });
    transport.answer = { kind: 'sent' };
    await passTime(service.world, { hours: 48 }, 4);
    assert.deepEqual(await statusesOf('nobody@example.com'), ['failed no such mailbox']);
  });

  const statusesOf = (recipient: string) =>
    service.world.db.sql.many((row) => `${readText(row, 'status')} ${row.last_error ?? ''}`)`
      select status, last_error from mail where recipient = ${recipient}`;
});

suite('the mail catcher', () => {
  let service: Service;
  let world: TestWorld;

  before(async () => {
    service = await aService();
    const mail = await openCaughtMail(service.world);
    atEnd(() => mail.close());
    world = { ...service.world, mail };
  });

  const page = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  async function send(subject: string, html = '<p>Hi</p>'): Promise<void> {
    const createdAt = world.clock.now();
    const mail = {
      id: world.ids.ulid(),
      recipient: 'jan@example.com',
      subject,
      text: 'Cześć <x>',
      html,
      language: 'pl',
      subjectId: null,
    };
    await insertMails(world.db.sql, [sealMail(world.vault, { ...mail, createdAt })]);
    await sendMails(world);
    world.clock.advance({ seconds: 1 });
  }

  test('200: no mail yet', async () => {
    const { status, text } = await page('/mail');
    assert.equal(status, 200);
    assert.match(text, /No mail yet/);
  });

  // Guarantee: a mail goes over real SMTP and arrives as it was written, with an id that stays the same.
  test('what was written is what was caught', async () => {
    await send('Zwrot 10,00 zł od Żółw');
    const [source] = await caughtSources(world);
    const mail = await PostalMime.parse(source ?? '');
    assert.equal(mail.subject, 'Zwrot 10,00 zł od Żółw');
    assert.deepEqual(mail.to, [{ name: '', address: 'jan@example.com' }]);
    assert.equal(mail.from?.address, 'no-reply@grosz.test');
    assert.equal(mail.text?.trim(), 'Cześć <x>');
    assert.match(mail.messageId ?? '', /^<[0-9A-Z]{26}@grosz\.test>$/);
    assert.deepEqual(await world.db.sql.many((row) => readText(row, 'status'))`select status from mail`, ['sent']);
  });

  // Guarantee: a mail can do nothing on our pages: no scripts, foreign frames or URLs.
  test('200: the pages', async () => {
    await send('<script>alert(1)</script>', '<p>Hi</p><script>alert(2)</script>');
    const list = await page('/mail');
    assert.match(list.text, /&lt;script&gt;alert\(1\)/);
    assert.doesNotMatch(list.text, /<script/);
    assert.match(list.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/);
    const [path = ''] = /\/mail\/[0-9A-Z]{26}/.exec(list.text) ?? [];
    const shown = await page(path);
    assert.equal(shown.status, 200);
    assert.match(shown.text, /Cześć &lt;x&gt;/);
    assert.match(shown.text, /sandbox><\/iframe>/);
    const html = await page(`${path}/html`);
    assert.match(html.text, /<p>Hi<\/p>/);
    assert.match(html.headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox$/);
    assert.equal((await page('/mail/style.css')).status, 200);
  });

  // Guarantee: a link that lets one into the panel is read only by whoever sits at this machine.
  test('403: from elsewhere', async () => {
    await send('Secret link');
    const { host } = new URL(service.url);
    const list = await page('/mail');
    const [path = ''] = /\/mail\/[0-9A-Z]{26}/.exec(list.text) ?? [];
    const from = (url: string, name: string, more = '') =>
      sendRaw(service.url, `GET ${url} HTTP/1.1\r\nHost: ${name}\r\n${more}Connection: close\r\n\r\n`);
    for (const url of ['/mail', path, `${path}/html`]) {
      assert.equal((await from(url, host)).status, 200);
      const strangers = [
        await from(url, 'evil.example'),
        await from(url, 'localhost.evil.example'),
        await from(url, host, 'X-Forwarded-For: 203.0.113.9\r\n'),
        await from(url, host, 'Forwarded: for=203.0.113.9\r\n'),
      ];
      for (const { status, text } of strangers) {
        assert.equal(status, 403);
        assert.match(text, /shown only on the machine/);
        assert.doesNotMatch(text, /Secret link/);
      }
    }
    const behindProxy = await aService({ config: { baseUrl: 'https://demo.example.com' } });
    assert.equal((await fetch(`${behindProxy.url}/mail`)).status, 403);
  });

  test('404: no such mail', async () => {
    for (const path of ['/mail/01K9Z4M7Q2V5X8B1C3D6F9G0HJ', '/mail/nonsense', '/mail/nonsense/html']) {
      assert.equal((await page(path)).status, 404);
    }
  });

  test('405: no POST', async () => assert.equal((await service.ask('POST', '/mail')).status, 405));

  test('newest first', async () => {
    await send('older');
    await send('newer');
    const { text } = await page('/mail');
    assert.ok(text.indexOf('newer') < text.indexOf('older'));
  });
});

suite('SMTP', () => {
  // Guarantee: an unreachable server is not a refusal, and nothing is thrown.
  test('nobody listens', async () => {
    const transport = openSmtp({ smtpUrl: new Secret('smtp://127.0.0.1:1'), from: 'a@example.com' });
    const mail = { id: '1', recipient: 'jan@example.com', subject: 's', text: 't', html: 'h', language: 'en' };
    assert.equal((await transport.send({ ...mail, createdAt: systemClock.now() })).kind, 'failed');
    await transport.close();
  });

  // Guarantee: without a transport nothing is written and nothing is sent.
  test('not configured', async () => assert.equal(await sendMails(await aWorld()), 0));
});
