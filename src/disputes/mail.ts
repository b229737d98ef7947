// The mail to a merchant about a dispute.

import { disputeReasonText } from '../../contract/codes/dispute-reasons.ts';
import { amountText, money } from '../kernel/index.ts';
import { dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import { disputeMailWords } from './mail-words.ts';
import type { Dispute } from './model.ts';

/** To the address of the account, in the language of its pay page. Pure: the same dispute gives the same text. */
export function disputeMail(
  { config }: Pick<Tools, 'config'>,
  id: string,
  dispute: Dispute,
  { transaction, merchant, notification }: RefundableTransaction,
  now: Temporal.Instant,
): NewMail {
  const language = mailLanguage('', merchant.language);
  const words = disputeMailWords[language] ?? disputeMailWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const { amountMinor, returnedMinor, currency, state, respondUntil, reason } = dispute;
  const amount = amountText(money(amountMinor, currency), language);
  const about = words[state](amount, amountText(money(returnedMinor, currency), language));
  const { name, support } = config.operator;
  const contact = [name, support].filter(Boolean).join(', ');
  const evidence = state === 'opened' ? words.evidence(contact && ` (${contact})`) : '';
  const until = respondUntil && dateText(respondUntil, notification.zone, language);
  const facts: (readonly [string, string])[] = [
    [words.amount, amount],
    [common.description, transaction.description],
    [common.title, transaction.title],
    ...(reason === '' ? [] : [[words.reason, disputeReasonText(language, reason)] as const]),
    ...(until === null ? [] : [[words.until, until] as const]),
    [words.dispute, dispute.id],
  ];
  const mail = renderMail({ language, greeting: common.greeting, ...about, facts, automatic: evidence });
  return { id, recipient: merchant.email, ...mail, language, subjectId: dispute.id, createdAt: now };
}
