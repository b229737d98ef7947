// The mail to a merchant about a refund that was paid and came back.

import { amountText } from '../kernel/index.ts';
import { mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import { cameBackWords } from './came-back-words.ts';
import { refundMailWords } from './mail-words.ts';
import type { Refund } from './model.ts';

/** To the address of the account, in the language of its pay page. Pure: the same refund gives the same text. */
export function cameBackMail(
  id: string,
  refund: Refund,
  { transaction, merchant }: RefundableTransaction,
  now: Temporal.Instant,
): NewMail {
  const language = mailLanguage('', merchant.language);
  const words = cameBackWords[language] ?? cameBackWords.en;
  const [common, about] = [mailWords[language] ?? mailWords.en, refundMailWords[language] ?? refundMailWords.en];
  const amount = amountText(refund.amount, language);
  const mail = renderMail({
    language,
    subject: words.subject(amount),
    greeting: common.greeting,
    intro: words.intro(amount),
    facts: [
      [about.amount, amount],
      [common.description, transaction.description],
      [common.title, transaction.title],
      [about.refund, refund.id],
    ],
    after: words.after,
    automatic: '',
  });
  return { id, recipient: merchant.email, ...mail, language, subjectId: refund.id, createdAt: now };
}
