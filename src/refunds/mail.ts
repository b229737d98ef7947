// The mail to a payer about a refund, in the language of the transaction, else that of the account.

import { methodFacts } from '../methods/index.ts';
import { amountText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import { refundMailWords } from './mail-words.ts';
import type { Refund } from './model.ts';

/** The mail about a refund that the bank has paid out. Pure: the same refund gives the same text. */
export function refundMail(
  id: string,
  refund: Refund,
  refundable: RefundableTransaction,
  now: Temporal.Instant,
): NewMail {
  const { transaction, merchant, card } = refundable;
  const language = mailLanguage(transaction.lang, merchant.language);
  const words = refundMailWords[language] ?? refundMailWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = amountText(refund.amount, language);
  const mail = renderMail({
    language,
    subject: words.subject(amount, merchant.name),
    greeting: common.greeting,
    intro: words.intro(amount, merchant.name),
    facts: [
      [words.amount, amount],
      [words.merchant, merchant.name],
      [common.description, transaction.description],
      ...methodFacts(language, transaction.channelId, card),
      [common.title, transaction.title],
      [words.refund, refund.id],
    ],
    after: words.when,
    automatic: common.automatic,
  });
  const { payer } = transaction;
  const sender = { name: merchant.name, email: merchant.email };
  return { id, recipient: payer.email, ...mail, language, sender, subjectId: refund.id, createdAt: now };
}
