// The mail to a payer whose recurring charge failed, with a link to where the card can be changed: the page that the
// merchant named, or the shop.

import { money } from '../kernel/index.ts';
import { amountText, mailWords, type NewMail, writeLetter } from '../notifications/index.ts';
import { letterWords } from './letter-words.ts';
import type { LetterFacts } from './store/settlements.ts';

/** Pure: the same charge gives the same text. */
export function failedLetter(id: string, facts: LetterFacts, now: Temporal.Instant): NewMail {
  const { merchantName, description, email } = facts;
  const url = facts.cardUrl?.replaceAll('{id}', facts.recurringId) ?? facts.shopUrl;
  const language = facts.language ?? 'en';
  const words = letterWords[language] ?? letterWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = amountText(money(facts.amountMinor, facts.currency), language);
  const letter = writeLetter({
    language,
    subject: words.subject(amount, merchantName),
    greeting: common.greeting,
    told: words.told(amount, merchantName),
    facts: [
      [words.amount, amount],
      [words.merchant, merchantName],
      [common.description, description],
    ],
    ...(/^https?:/.test(url) && { link: { text: words.change, url } }),
    after: words.check,
    automatic: common.automatic,
  });
  return { id, recipient: email, ...letter, language, transactionTitle: null, createdAt: now };
}
