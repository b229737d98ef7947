// The mail that confirms a payment to the payer, in the language in which they paid.

import type { ShownCard } from '../cards/index.ts';
import { amountText, type Money } from '../kernel/index.ts';
import { methodFacts } from '../methods/index.ts';
import { dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import { paidMailWords } from './mail-words.ts';
import type { Attempt, Transaction } from './model.ts';
import type { MailingMerchant } from './store/transactions.ts';

interface PaidWith {
  readonly channelId: number | null;
  readonly card: ShownCard | null;
}

export function paidWith({ channelId, cardBrand, cardTail }: Attempt): PaidWith {
  return { channelId, card: cardTail === null ? null : { brand: cardBrand ?? 'Card', tail: cardTail } };
}

/** What a mail to a payer about money says in a language, besides what all mails say. */
interface MoneyWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly intro: (amount: string, merchant: string) => string;
  readonly amount: string;
  readonly merchant: string;
}

interface AboutMoney {
  readonly id: string;
  readonly transaction: Transaction;
  readonly merchant: MailingMerchant;
  readonly paidWith: PaidWith;
  readonly now: Temporal.Instant;
}

interface MoneyFacts {
  readonly amount: Money;
  readonly subjectId: string;
  /** The last fact: its name and itself. */
  readonly last: readonly [string, string];
  readonly after: string;
}

/** A mail to a payer about money of a transaction: that it was paid, or came back. Pure. */
export function moneyMail<Words extends MoneyWords>(
  { id, transaction, merchant, paidWith: { channelId, card }, now }: AboutMoney,
  dictionary: Readonly<Record<string, Words>> & { readonly en: Words },
  factsOf: (words: Words, language: string) => MoneyFacts,
): NewMail {
  const language = mailLanguage(transaction.lang, merchant.language);
  const words = dictionary[language] ?? dictionary.en;
  const common = mailWords[language] ?? mailWords.en;
  const { amount: money, subjectId, last, after } = factsOf(words, language);
  const amount = amountText(money, language);
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
      last,
    ],
    after,
    automatic: common.automatic,
  });
  const { email: recipient } = transaction.payer;
  const about = { id, recipient, language, subjectId, createdAt: now };
  return { ...about, ...mail, sender: { name: merchant.name, email: merchant.email } };
}

/** Pure: the same payment gives the same text. */
export function paidMail(
  id: string,
  transaction: Transaction,
  merchant: MailingMerchant & { readonly zone: string },
  paidWith: PaidWith,
  now: Temporal.Instant,
): NewMail {
  return moneyMail({ id, transaction, merchant, paidWith, now }, paidMailWords, (words, language) => ({
    amount: transaction.amount,
    subjectId: transaction.id,
    last: [words.date, dateText(now, merchant.zone, language)],
    after: words.keep,
  }));
}
