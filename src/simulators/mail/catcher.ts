// The demo's mail catcher: a local SMTP server that stores every mail instead of forwarding it.

import { once } from 'node:events';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { SMTPServerDataStream } from 'smtp-server';
import { Secret } from '../../kernel/index.ts';
import { type MailTransport, openSmtp } from '../../notifications/index.ts';
import type { Tools } from '../../tools.ts';
import { sealSource } from './source.ts';
import { insertCaught } from './store.ts';

const bytesAtMost = 1_048_576;
const mailsAtMost = 500;
const host = '127.0.0.1';

export const demoSender = 'Grosz <no-reply@grosz.test>';

export interface MailCatcher {
  /** `smtp://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

type CatcherWorld = Pick<Tools, 'db' | 'clock' | 'ids' | 'log' | 'vault'>;

/** Starts the catcher on a free port. A mail is durable when it was accepted. */
export async function openMailCatcher(tools: CatcherWorld): Promise<MailCatcher> {
  const { SMTPServer } = await import('smtp-server');
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: bytesAtMost,
    onData: (stream, _session, done) => {
      keep(tools, stream).then(
        () => done(),
        (error: unknown) => {
          tools.log.warn({ err: error }, 'a mail could not be caught');
          done(new Error('The mail could not be stored.'));
        },
      );
    },
  });
  server.on('error', (error: Error) => tools.log.warn({ err: error }, 'the mail catcher failed'));
  server.listen(0, host);
  await once(server.server, 'listening');
  const { port, address } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${isIPv6(address) ? `[${address}]` : address}:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function keep(tools: CatcherWorld, stream: SMTPServerDataStream): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  if (stream.sizeExceeded) throw new Error('The mail is larger than 1 MiB.');
  const id = tools.ids.ulid();
  const source = Buffer.concat(parts);
  const receivedAt = datedAt(source, tools.clock.now());
  await insertCaught(tools.db.sql, { id, receivedAt, sourceSealed: sealSource(tools.vault, id, source) }, mailsAtMost);
}

/** A step of a moved clock covers up to a day, and its mails come at the end: each is shown at its own time. */
function datedAt(source: Buffer, now: Temporal.Instant): Temporal.Instant {
  const [, date = ''] = /^Date: (.+)$/im.exec(source.toString('latin1').split('\r\n\r\n', 1)[0] ?? '') ?? [];
  const milliseconds = Date.parse(date);
  const dated = Number.isNaN(milliseconds) ? now : Temporal.Instant.fromEpochMilliseconds(milliseconds);
  return now.since(dated).total('seconds') >= 1 ? dated : now;
}

/** A transport to the catcher: it uses SMTP like any other, and mail stays on this machine. */
export async function openCaughtMail(tools: CatcherWorld): Promise<MailTransport> {
  const catcher = await openMailCatcher(tools);
  const transport = openSmtp({ smtpUrl: new Secret(catcher.url), from: demoSender, ownDates: true });
  return {
    send: (mail) => transport.send(mail),
    close: async () => {
      await transport.close();
      await catcher.close();
    },
  };
}
