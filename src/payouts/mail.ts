// The mails about payouts and bank accounts.

import { amountText, money } from '../kernel/index.ts';
import { dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import type { Told } from '../settlements/index.ts';
import type { Tools } from '../tools.ts';
import { payoutMailWords } from './mail-words.ts';
import type { Payout, PayoutAccount } from './model.ts';

type Reader = Pick<Told, 'email' | 'language' | 'zone'>;
type ConfigTools = Pick<Tools, 'config'>;

function wordsOf({ config }: ConfigTools, { language: own }: Reader) {
  const language = mailLanguage('', own);
  const { name, support } = config.operator;
  return {
    language,
    words: payoutMailWords[language] ?? payoutMailWords.en,
    common: mailWords[language] ?? mailWords.en,
    contact: [name, support].filter(Boolean).join(', '),
  };
}

/** What became of a payout, in the language of the account's pay page. Pure: the same gives the same text. */
export function stateMail(
  tools: ConfigTools,
  id: string,
  payout: Payout,
  reader: Reader,
  at: Temporal.Instant,
): NewMail {
  const { language, words, common, contact } = wordsOf(tools, reader);
  const state = payout.state === 'returned' || payout.state === 'failed' ? payout.state : 'paid';
  const amount = amountText(money(payout.amountMinor, 'PLN'), language);
  const { subject, intro } = words[state];
  const mail = renderMail({
    language,
    greeting: common.greeting,
    subject: subject(amount),
    intro,
    facts: [
      [words.amount, amount],
      [words.account, `… ${payout.numberEnding}, ${payout.holder}`],
      [words.date, dateText(at, reader.zone, language)],
      [words.id, payout.id],
    ],
    link: { text: words.show, url: `${tools.config.baseUrl}/panel/money/payouts/${payout.id}` },
    after: state === 'paid' ? words.paidAfter : words.endedAfter,
    automatic: contact,
  });
  return { id, recipient: reader.email, ...mail, language, subjectId: payout.id, createdAt: at };
}

export interface Changed {
  readonly place: PayoutAccount;
  readonly before: PayoutAccount | undefined;
  readonly recipient: string;
}

/** That another number was given. Of both numbers only the ends. */
export function placeMail(
  tools: ConfigTools,
  id: string,
  { place, before, recipient }: Changed,
  reader: Reader,
): NewMail {
  const { language, words, common, contact } = wordsOf(tools, reader);
  const mail = renderMail({
    language,
    greeting: common.greeting,
    subject: words.changed.subject,
    intro: words.changed.intro,
    facts: [
      [words.account, `… ${place.numberEnding}, ${place.holder}`],
      ...(before ? [[words.accountBefore, `… ${before.numberEnding}, ${before.holder}`] as const] : []),
      [words.givenBy, place.givenBy],
      ...(before ? [[words.holdUntil, dateText(place.holdUntil, reader.zone, language)] as const] : []),
    ],
    link: { text: words.showAccount, url: `${tools.config.baseUrl}/panel/money/bank-account` },
    after: words.changed.after,
    automatic: contact,
  });
  return { id, recipient, ...mail, language, subjectId: place.id, createdAt: place.givenAt };
}
