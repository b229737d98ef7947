// The mail that confirms a payment to the payer, in the language in which they paid.

import type { ShownCard } from '../cards/index.ts';
import { methodFacts } from '../methods/index.ts';
import { amountText, dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import { paidMailWords } from './mail-words.ts';
import type { Attempt, Transaction } from './model.ts';
import type { MailingMerchant } from './store/transactions.ts';

interface PaidWith {
  readonly channelId: number;
  readonly card: ShownCard | null;
}

export function paidWith({ channelId, cardBrand, cardTail }: Attempt): PaidWith {
  return { channelId, card: cardTail === null ? null : { brand: cardBrand ?? 'Card', tail: cardTail } };
}

/** Pure: the same payment gives the same text. */
export function paidMail(
  id: string,
  transaction: Transaction,
  merchant: MailingMerchant & { readonly zone: string },
  { channelId, card }: PaidWith,
  now: Temporal.Instant,
): NewMail {
  const language = mailLanguage(transaction.lang, merchant.language);
  const words = paidMailWords[language] ?? paidMailWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = amountText(transaction.amount, language);
  const mail = renderMail({
    language,
    subject: words.subject(amount, merchant.name),
    greeting: common.greeting,
    intro: words.intro(amount, merchant.name),
    facts: [
      [words.amount, amount],
      [words.merchant, merchant.name],
      [common.description, transaction.description],
      ...methodFacts(language, channelId, card),
      [common.title, transaction.title],
      [words.date, dateText(now, merchant.zone, language)],
    ],
    after: words.keep,
    automatic: common.automatic,
  });
  const { email: recipient } = transaction.payer;
  const about = { id, recipient, language, subjectId: transaction.id, createdAt: now };
  return { ...about, ...mail, sender: { name: merchant.name, email: merchant.email } };
}
