// The mail that confirms a payment to the payer, in the language in which they paid.

import { amountText, mailWords, type NewMail, writeLetter } from '../notifications/index.ts';
import { letterWords } from './letter-words.ts';
import type { Transaction } from './model.ts';

/** Pure: the same payment gives the same text. */
export function paidLetter(
  id: string,
  transaction: Transaction,
  merchant: { readonly name: string; readonly zone: string },
  now: Temporal.Instant,
): NewMail {
  const language = Object.hasOwn(letterWords, transaction.lang) ? transaction.lang : 'en';
  const words = letterWords[language] ?? letterWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = amountText(transaction.amount, language);
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: merchant.zone } as const;
  const date = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(now.epochMilliseconds);
  const letter = writeLetter({
    language,
    subject: words.subject(amount, merchant.name),
    greeting: common.greeting,
    told: words.told(amount, merchant.name),
    facts: [
      [words.amount, amount],
      [words.merchant, merchant.name],
      [common.description, transaction.description],
      [common.title, transaction.title],
      [words.date, date],
    ],
    after: words.keep,
    automatic: common.automatic,
  });
  const { payer, title: transactionTitle } = transaction;
  return { id, recipient: payer.email, ...letter, language, transactionTitle, createdAt: now };
}
