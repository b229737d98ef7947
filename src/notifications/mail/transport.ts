// Sends mail by SMTP.

import type { Secret } from '../../kernel/index.ts';
import type { MailContent } from './content.ts';
import { readSender, replyAddress, senderOf } from './sender.ts';

export interface OutgoingMail extends MailContent {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly language: string;
  readonly createdAt: Temporal.Instant;
}

/** `refused`: the server will never accept it. `failed`: it may accept it later. `why` is what it said, or a code of ours. */
export type MailResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Nothing here throws because of what the other side does. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<MailResult>;
  close(): Promise<void>;
}

export interface SmtpOptions {
  readonly smtpUrl: Secret;
  /** An address, or a name and an address. */
  readonly from: string;
  /** Who runs the service, as payers know it. */
  readonly operatorName?: string | undefined;
  /** Dates mails by the clock of the business: for a server that knows that it can be moved. */
  readonly ownDates?: boolean;
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** The library is loaded only where mail is sent: it takes 20 MB. */
async function openTransport(smtpUrl: Secret) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl.reveal(),
    pool: true,
    maxConnections: 4,
    ...timeouts,
    // Mail is text only: its content must not make the service read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Opens an SMTP transport; it connects with the first mail. */
export function openSmtp({ smtpUrl, from, operatorName, ownDates = false }: SmtpOptions): MailTransport {
  let opening: ReturnType<typeof openTransport> | undefined;
  const operator = readSender(from, operatorName);
  return {
    async send(mail) {
      try {
        opening ??= openTransport(smtpUrl);
        const transport = await opening;
        await transport.sendMail({
          from: senderOf(operator, mail.sender),
          ...replyAddress(mail.sender),
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          ...(ownDates && { date: new Date(mail.createdAt.epochMilliseconds) }),
          messageId: `<${mail.id}@${operator.domain}>`,
          headers: { 'content-language': mail.language, 'auto-submitted': 'auto-generated' },
        });
        return { kind: 'sent' };
      } catch (error) {
        return resultOf(error);
      }
    },
    close: async () => (await opening)?.close(),
  };
}

/** The server's message is kept for the operator, without links: filters name those of the mail that they refuse. */
function resultOf(error: unknown): MailResult {
  const { code, responseCode, message } = error as Partial<Error> & { code?: string; responseCode?: number };
  const why = (message ?? String(error)).replaceAll(/\w+:\/\/\S+/g, '(link)').slice(0, 500);
  // The operator can fix a rejected password, and then the mail is sent; a rejected address or text cannot be fixed.
  const forGood = (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return { kind: forGood ? 'refused' : 'failed', why };
}
