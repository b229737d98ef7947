// grosz refund: refunds of any merchant, for customer service.

import { refundDeclineWords } from '../../contract/codes/english/refund-declines.ts';
import { findRefusedWhy } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { decimalText, idFrom, type RefundId, Refusal } from '../kernel/index.ts';
import { findAnyRefund, type Refunds, type RefundWithTitle } from '../refunds/index.ts';
import { StartFault } from '../runtime/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import type { Command } from './command.ts';

type Action = (refunds: Refunds, refund: RefundWithTitle) => Promise<RefundWithTitle>;

/** The endpoints that do the same, for the audit log. */
const endpoints: Readonly<Record<string, string>> = { hold: 'F1', release: 'F2', cancel: 'F3' };

const actions: Readonly<Record<string, Action>> = {
  show: async (_refunds, refund) => refund,
  hold: (refunds, { merchantId, id }) => refunds.hold({ id: merchantId }, id),
  release: (refunds, { merchantId, id }) => refunds.release({ id: merchantId }, id),
  cancel: (refunds, { merchantId, id }) => refunds.cancel({ id: merchantId }, id, 'operator'),
};

function line(refund: RefundWithTitle): string {
  const { id, status, amount, title, createdAt } = refund;
  return `${id}  ${status}  ${decimalText(amount.minor)} ${amount.currency}  ${title}  ${createdAt}`;
}

/** Why the payer did not get the money, if that was up to the bank. */
async function endText(sql: Sql, { id, canceledBy, paidLateAt, cameBackAt }: RefundWithTitle): Promise<string[]> {
  if (cameBackAt !== null) return [`  paid, and came back at ${cameBackAt}`];
  if (canceledBy !== 'bank') return [];
  if (paidLateAt !== null) return [`  declined by the bank, and paid after all at ${paidLateAt}`];
  const why = await findRefusedWhy(sql, id);
  return [`  declined by the bank${why === null ? '' : `: ${refundDeclineWords[why]}`}`];
}

/** What the merchant's API says, after the status. */
function refusedText({ status }: RefundWithTitle, { faults: [{ usual, message, devMessage }] }: Refusal): string {
  const why = [message ?? usual?.message, devMessage ?? usual?.fix];
  return [`The refund is ${status}.`, ...why].filter(Boolean).join(' ');
}

export const refund: Command = {
  name: 'refund',
  summary: 'Shows, holds, releases or cancels a refund.',
  usage: 'show|hold|release|cancel REFUND_ID',
  details: `A refund can be changed only before it is sent to the bank.
  hold     stops it until it is released or canceled
  release  resumes it
  cancel   ends it while it is New or Hold: amount and fee return to the merchant, and a full refund is undone`,
  options: {},
  words: { show: 1, hold: 1, release: 1, cancel: 1 },
  run: (invocation) =>
    withService(invocation, 'refund', async ({ tools, rooms }) => {
      const [name = '', text = ''] = invocation.words;
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (!action) throw new StartFault(`Missing or unknown action. Usage: grosz refund ${refund.usage}`);
      const id = idFrom<RefundId>(text);
      const found = id && (await findAnyRefund(tools.db.sql, id));
      if (!found) throw new StartFault(`There is no refund "${text}".`);
      const run = () => action(rooms.refunds, found);
      const endpoint = endpoints[name];
      const change = { command: 'refund', action: endpoint ?? '', accountId: found.merchantId };
      const changed = await (endpoint ? changing(tools, invocation, change, run) : run()).catch((error: unknown) => {
        throw error instanceof Refusal ? new StartFault(refusedText(found, error)) : error;
      });
      invocation.print(line(changed));
      for (const text of await endText(tools.db.sql, changed)) invocation.print(text);
    }),
};
