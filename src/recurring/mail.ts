// Writes the mails about charges, with the change that they report.

import type { Sql } from '../database/index.ts';
import { composeMails, insertMails, insertUnpaidMails } from '../notifications/index.ts';
import { chargeLetter, type ToldCharge } from './letter.ts';
import { listLetterFacts } from './store/letters.ts';
import type { MailingTools } from './tools.ts';

/** To payers with an address, if the merchant wants it; without a transport nothing. */
export async function mailCharges(tools: MailingTools, sql: Sql, told: readonly ToldCharge[]): Promise<void> {
  if (!tools.sendsMail || told.length === 0) return;
  const ids = told.map(({ transactionId }) => transactionId);
  const facts = new Map((await listLetterFacts(sql, ids)).map((about) => [about.transactionId, about]));
  const letters = (kind: ToldCharge['kind']) => {
    const wanted = told.flatMap((charge) => {
      const about = facts.get(charge.transactionId);
      return charge.kind === kind && about?.wanted[kind] ? [{ charge, about }] : [];
    });
    return composeMails(tools, wanted, ({ charge, about }) => chargeLetter(tools.ids.ulid(), charge, about));
  };
  await insertMails(sql, letters('charged'));
  // Somebody can cause these without a payment.
  await insertUnpaidMails(sql, letters('failed'));
}
