// Writes the mails about charges, with the change that they report.

import type { Sql } from '../database/index.ts';
import { composeMails, insertMails, insertUnpaidMails } from '../notifications/index.ts';
import { chargeMail, type MailedCharge } from './charge-mail.ts';
import { listMailFacts } from './store/mails.ts';
import type { MailingTools } from './tools.ts';

/** To payers with an address, if the merchant wants it; without a transport nothing. */
export async function mailCharges(tools: MailingTools, sql: Sql, charges: readonly MailedCharge[]): Promise<void> {
  if (!tools.sendsMail || charges.length === 0) return;
  const ids = charges.map(({ transactionId }) => transactionId);
  const facts = new Map((await listMailFacts(sql, ids)).map((about) => [about.transactionId, about]));
  const mails = (kind: MailedCharge['kind']) => {
    const wanted = charges.flatMap((charge) => {
      const about = facts.get(charge.transactionId);
      return charge.kind === kind && about?.wanted[kind] ? [{ charge, about }] : [];
    });
    return composeMails(tools, wanted, ({ charge, about }) => chargeMail(tools.ids.ulid(), charge, about));
  };
  await insertMails(sql, mails('charged'));
  // Somebody can cause these without a payment.
  await insertUnpaidMails(sql, mails('failed'));
}
