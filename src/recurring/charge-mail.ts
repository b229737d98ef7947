// The mails to payers about recurring charges. That about a failed one leads to where the card can be changed: the page
// that the merchant named, or the shop.

import { amountText, money } from '../kernel/index.ts';
import { methodFacts } from '../methods/index.ts';
import { dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import { chargeMailWords } from './mail-words.ts';
import { channelOf } from './rules.ts';
import type { MailFacts } from './store/mails.ts';

/** A charge that has ended, as its payer is told about it. */
export interface MailedCharge {
  readonly transactionId: string;
  readonly kind: 'charged' | 'failed';
  /** The next payment, or the next attempt of this one; null if there is none. */
  readonly nextAt: Temporal.Instant | null;
  readonly endedAt: Temporal.Instant;
}

/** Pure: the same charge gives the same text. */
export function chargeMail(id: string, charge: MailedCharge, facts: MailFacts): NewMail {
  const { merchantName: name, merchantEmail, zone } = facts;
  const language = mailLanguage(facts.language, facts.accountLanguage);
  const words = chargeMailWords[language] ?? chargeMailWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = amountText(money(facts.amountMinor, facts.currency), language);
  const said = charge.kind === 'charged' ? words.charged : words.failed;
  const sentence = said.intro(amount, name);
  const next = charge.nextAt && dateText(charge.nextAt, zone, language);
  const nextName = charge.kind === 'charged' ? words.charged.next : words.failed.again;
  const mail = renderMail({
    language,
    subject: said.subject(amount, name),
    greeting: common.greeting,
    intro: next === null ? `${sentence} ${said.last}` : sentence,
    facts: [
      [words.amount, amount],
      [words.merchant, name],
      [common.description, facts.description],
      ...methodFacts(language, channelOf(facts.instrument), facts.card),
      [common.title, facts.title],
      ...(charge.kind === 'charged' ? [[words.date, dateText(charge.endedAt, zone, language)] as const] : []),
      ...(next === null ? [] : [[nextName, next] as const]),
    ],
    ...(charge.kind === 'failed' && linkOf(facts, words.failed.change)),
    after: charge.kind === 'charged' ? words.keep : words.failed.check[byInstrument(facts)],
    automatic: common.automatic,
  });
  const sender = { name, email: merchantEmail };
  const about = { subjectId: facts.transactionId, createdAt: charge.endedAt };
  return { id, recipient: facts.email, ...mail, language, sender, ...about };
}

function byInstrument({ instrument }: MailFacts): 'card' | 'other' {
  return instrument === 'card_token' ? 'card' : 'other';
}

/** A payer cannot change a BLIK alias: that mail leads to the shop. */
function linkOf(facts: MailFacts, texts: { readonly card: string; readonly other: string }) {
  const kind = byInstrument(facts);
  const url = (kind === 'card' && facts.cardUrl?.replaceAll('{id}', facts.recurringId)) || facts.shopUrl;
  return /^https?:/.test(url) ? { link: { text: texts[kind], url } } : {};
}
