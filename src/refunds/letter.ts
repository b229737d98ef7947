// The mail to a payer about a refund, in the language of the transaction.

import { amountText, mailWords, type NewMail, writeLetter } from '../notifications/index.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import { letterWords } from './letter-words.ts';
import type { Refund } from './model.ts';

/** The mail about a refund that the bank has paid out. Pure: the same refund gives the same text. */
export function refundLetter(
  id: string,
  refund: Refund,
  refundable: RefundableTransaction,
  now: Temporal.Instant,
): NewMail {
  const { transaction, merchantName } = refundable;
  const language = Object.hasOwn(letterWords, transaction.lang) ? transaction.lang : 'en';
  const words = letterWords[language] ?? letterWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = amountText(refund.amount, language);
  const letter = writeLetter({
    language,
    subject: words.subject(amount, merchantName),
    greeting: common.greeting,
    told: words.told(amount, merchantName),
    facts: [
      [words.amount, amount],
      [words.merchant, merchantName],
      [common.description, transaction.description],
      [common.title, transaction.title],
      [words.refund, refund.id],
    ],
    after: words.when,
    automatic: common.automatic,
  });
  const { payer, title: transactionTitle } = transaction;
  return { id, recipient: payer.email, ...letter, language, transactionTitle, createdAt: now };
}
