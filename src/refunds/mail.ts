// The mail to a payer about a refund, in the language of the transaction, else that of the account.

import type { NewMail } from '../notifications/index.ts';
import { moneyMail, type RefundableTransaction } from '../transactions/index.ts';
import { refundMailWords } from './mail-words.ts';
import type { Refund } from './model.ts';

/** The mail about a refund that the bank has paid out. Pure: the same refund gives the same text. */
export function refundMail(
  id: string,
  refund: Refund,
  { transaction, merchant, card }: RefundableTransaction,
  now: Temporal.Instant,
): NewMail {
  const paidWith = { channelId: transaction.channelId, card };
  return moneyMail({ id, transaction, merchant, paidWith, now }, refundMailWords, (words) => ({
    amount: refund.amount,
    subjectId: refund.id,
    last: [words.refund, refund.id],
    after: words.when,
  }));
}
