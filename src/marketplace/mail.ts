// The mail to the payer about a new marketplace transaction, in the language that the partner chose
// for it, or for its pay page.

import { amountText, money } from '../kernel/index.ts';
import { dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import { payableFor, type Transaction } from '../transactions/index.ts';
import { orderMailWords } from './mail-words.ts';

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

export interface MailPart {
  /** The name of the seller. */
  readonly seller: string;
  readonly amountMinor: bigint;
}

/** The partner that the payer is written to for. */
export interface MailPartner {
  readonly name: string;
  readonly email: string;
  readonly country: string;
  readonly zone: string;
  /** Of its pay page. */
  readonly language: string | null;
}

/** Pure: the same transaction gives the same text. Without any language it is that of the partner's country. */
export function orderMail(
  id: string,
  transaction: Transaction,
  partner: MailPartner,
  parts: readonly MailPart[],
  url: string,
): NewMail {
  const language = mailLanguage(transaction.lang, partner.language, countryLanguages[partner.country] ?? null);
  const said = orderMailWords[language] ?? orderMailWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const { currency } = transaction.amount;
  const amount = amountText(transaction.amount, language);
  const rows = parts
    .slice(0, sellersAtMost)
    .map(({ seller, amountMinor }) => [seller, amountText(money(amountMinor, currency), language)] as const);
  const more = parts.length - rows.length;
  const mail = renderMail({
    language,
    subject: said.subject(amount, partner.name),
    greeting: common.greeting,
    intro: said.intro(amount, partner.name),
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
  const { id: subjectId, payer, createdAt } = transaction;
  const sender = { name: partner.name, email: partner.email };
  return { id, recipient: payer.email, ...mail, language, sender, subjectId, createdAt };
}

/** Until when it can be paid: `17 December 2026 at 09:30`, in the partner's zone. */
function lastDay(createdAt: Temporal.Instant, zone: string, language: string): string {
  return dateText(createdAt.toZonedDateTimeISO('UTC').add(payableFor).toInstant(), zone, language);
}
