// The mail to the payer about a new marketplace transaction, in the language that the partner chose.

import { money } from '../kernel/index.ts';
import { amountText, mailWords, type NewMail, writeLetter } from '../notifications/index.ts';
import { payableFor, type Transaction } from '../transactions/index.ts';
import { letterWords } from './letter-words.ts';

const countryLanguages: Readonly<Record<string, string>> = {
  PL: 'pl',
  DE: 'de',
  AT: 'de',
  UA: 'uk',
  FR: 'fr',
  IT: 'it',
  ES: 'es',
};

/** Of the sellers; the rest is counted. */
const sellersAtMost = 20;

export interface LetterPart {
  /** The name of the seller. */
  readonly seller: string;
  readonly amountMinor: bigint;
}

/** Pure: the same transaction gives the same text. Without a language it is that of the partner's country. */
export function createdLetter(
  id: string,
  transaction: Transaction,
  partner: { readonly name: string; readonly country: string; readonly zone: string },
  parts: readonly LetterPart[],
  url: string,
): NewMail {
  const language = transaction.lang || (countryLanguages[partner.country] ?? 'en');
  const said = letterWords[language] ?? letterWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const { currency } = transaction.amount;
  const amount = amountText(transaction.amount, language);
  const rows = parts
    .slice(0, sellersAtMost)
    .map(({ seller, amountMinor }) => [seller, amountText(money(amountMinor, currency), language)] as const);
  const more = parts.length - rows.length;
  const letter = writeLetter({
    language,
    subject: said.subject(amount, partner.name),
    greeting: common.greeting,
    told: said.told(amount, partner.name),
    facts: [
      [common.description, transaction.description],
      [common.title, transaction.title],
      [said.until, lastDay(transaction.createdAt, partner.zone, language)],
    ],
    list: { title: said.sellers, rows: more > 0 ? [...rows, [said.more(more), '']] : rows },
    link: { text: said.pay(amount), url },
    after: said.when,
    automatic: said.automatic(partner.name),
  });
  const { payer, title: transactionTitle, createdAt } = transaction;
  return { id, recipient: payer.email, ...letter, language, transactionTitle, createdAt };
}

/** Until when it can be paid: `17 December 2026 at 09:30`, in the partner's zone. */
function lastDay(createdAt: Temporal.Instant, zone: string, language: string): string {
  const until = createdAt.toZonedDateTimeISO('UTC').add(payableFor).epochMilliseconds;
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: zone } as const;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(until);
}
