// Texts of mails in the database: sealed while they wait, gone once they ended.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import {
  type MailResult,
  type OutgoingMail,
  openSmtp,
  sendMails as sendDueMails,
} from '../../src/notifications/index.ts';
import { openVault, systemClock, systemRandom } from '../../src/runtime/index.ts';
import { inNewestMail } from '../support/mail.ts';
import { aPerson } from '../support/panel.ts';
import { aPaidTransaction, passTime } from '../support/payments.ts';
import { sendMails } from '../support/rooms.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';

class ScriptedTransport {
  readonly tried: OutgoingMail[] = [];
  answer: MailResult = { kind: 'sent' };

  async send(mail: OutgoingMail): Promise<MailResult> {
    this.tried.push(mail);
    return this.answer;
  }

  async close(): Promise<void> {}
}

suite('texts of mails in the database', () => {
  const transport = new ScriptedTransport();
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ mail: transport });
    merchant = await aMerchant(service);
  });

  /** A mail with a link that lets one in. */
  async function anInvitation(email: string): Promise<void> {
    const owner = await aPerson(service, 'owner', merchant.id);
    const body = { email, name: 'Ola', role: 'staff' };
    assert.equal((await owner.ask('POST', '/panel/api/users', { body })).status, 201);
  }
  const rowOf = (email: string) =>
    service.world.db.sql.one((row) => readText(row, 'row'))`
      select to_jsonb(mail)::text as row from mail where recipient = ${email}`;

  // Guarantee: whoever reads the database, a replica or a backup finds no link that lets one in.
  test('sealed while it waits, blank once it was sent', async () => {
    await anInvitation('sealed@example.com');
    const token = await inNewestMail(service.world, 'sealed@example.com', /\/panel\/password#([\w-]+)/);
    assert.ok(token.length > 20);
    const waiting = await rowOf('sealed@example.com');
    assert.ok(!waiting.includes(token) && !waiting.includes('/panel/password'), waiting);
    transport.answer = { kind: 'failed', why: 'busy' };
    await sendMails(service.world);
    transport.answer = { kind: 'sent' };
    await passTime(service.world, { minutes: 2 }, 2);
    const sent = transport.tried.filter(({ recipient }) => recipient === 'sealed@example.com');
    assert.ok(sent.length === 2 && sent.every(({ text, html }) => text.includes(token) && html.includes(token)));
    assert.match(await rowOf('sealed@example.com'), /"content": null/);
  });

  test('blank once it was given up', async () => {
    transport.answer = { kind: 'refused', why: 'no such mailbox' };
    await anInvitation('refused@example.com');
    await sendMails(service.world);
    transport.answer = { kind: 'sent' };
    const row = await rowOf('refused@example.com');
    assert.match(row, /"content": null/);
    assert.match(row, /"status": "failed"/);
  });

  // Guarantee: the schema itself refuses a mail that ended and kept its text.
  test('an ended mail with a text cannot be stored', async () => {
    await assert.rejects(
      service.world.db.sql.run`update mail set content = 'x' where recipient = 'refused@example.com'`,
      /mail_blank_once_ended/,
    );
  });

  // Guarantee: the panel lists the mails of a transaction, although their texts cannot be searched.
  test('the mails of a transaction', async () => {
    const owner = await aPerson(service, 'owner', merchant.id);
    const payer = { email: 'buyer@example.com', name: 'A' };
    const id = await aPaidTransaction(service, merchant, { payer });
    await aPaidTransaction(service, merchant, { payer });
    await sendMails(service.world);
    const { body } = await owner.ask('GET', `/panel/api/transactions/${id}`);
    const mails: { recipient: string; status: string }[] = body.mails;
    assert.deepEqual(
      mails.map(({ recipient, status }) => [recipient, status]),
      [['buyer@example.com', 'sent']],
    );
  });

  // Guarantee: a mail whose key is missing is tried again, and holds up no other.
  test('a mail that cannot be opened', async () => {
    await anInvitation('stuck@example.com');
    const other = openVault([{ id: 'other', key: new Uint8Array(32) }], systemRandom());
    await sendDueMails({ ...service.world, vault: other }, transport);
    assert.match(await rowOf('stuck@example.com'), /"status": "pending"/);
    await passTime(service.world, { minutes: 2 }, 2);
    assert.match(await rowOf('stuck@example.com'), /"status": "sent"/);
  });

  // Guarantee: what a server says about a mail is kept without the links of that mail.
  test('a filter that names the link', async () => {
    const { SMTPServer } = await import('smtp-server');
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on('end', () => {
          const error = new Error('listed: https://pay.example/panel/password#secret-token');
          done(Object.assign(error, { responseCode: 554 }));
        });
      },
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const { port } = server.server.address() as { port: number };
    const smtp = openSmtp({ smtpUrl: new Secret(`smtp://127.0.0.1:${port}`), from: 'a@example.com' });
    atEnd(() => smtp.close());
    const mail = { id: 'X', recipient: 'b@example.com', subject: 's', text: 't', html: 'h', language: 'en' };
    const result = await smtp.send({ ...mail, createdAt: systemClock.now() });
    assert.equal(result.kind, 'refused');
    assert.match('why' in result ? result.why : '', /listed: \(link\)/);
    assert.doesNotMatch('why' in result ? result.why : '', /secret-token/);
  });
});
