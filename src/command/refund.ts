// grosz refund: what customer service does to a refund, whoever its merchant is.

import { decimalText, idFrom, type RefundId, Refusal } from '../kernel/index.ts';
import { StartFault } from '../platform/index.ts';
import { cancelRefund, findAnyRefund, holdRefund, type RefundWithTitle, releaseRefund } from '../refunds/index.ts';
import type { World } from '../world.ts';
import { withWorld } from './books.ts';
import type { Command } from './command.ts';

type Action = (world: World, refund: RefundWithTitle) => Promise<RefundWithTitle>;

const actions: Readonly<Record<string, Action>> = {
  show: async (_world, refund) => refund,
  hold: (world, refund) => holdRefund(world, { id: refund.merchantId }, refund.id),
  release: (world, refund) => releaseRefund(world, { id: refund.merchantId }, refund.id),
  cancel: (world, refund) => cancelRefund(world, { id: refund.merchantId }, refund.id, 'operator'),
};

function line(refund: RefundWithTitle): string {
  const { id, status, amount, title, createdAt } = refund;
  return `${id}  ${status}  ${decimalText(amount.minor)} ${amount.currency}  ${title}  ${createdAt}`;
}

export const refund: Command = {
  name: 'refund',
  summary: 'Shows, holds, releases or cancels a refund.',
  usage: 'show|hold|release|cancel REFUND_ID',
  details: `Only a refund that was not sent to the bank yet can be changed.
  hold     stops it until it is released or canceled
  release  lets it go on
  cancel   ends it while it is New or Hold: amount and fee return to the merchant, whose full refund is undone`,
  options: {},
  run: (invocation) =>
    withWorld(invocation, 'refund', async (world) => {
      const [name = '', text = ''] = invocation.words;
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (!action) throw new StartFault(`Say what to do: grosz refund ${refund.usage}`);
      const id = idFrom<RefundId>(text);
      const found = id && (await findAnyRefund(world.db.sql, id));
      if (!found) throw new StartFault(`There is no refund with the id "${text}".`);
      const changed = await action(world, found).catch((error: unknown) => {
        if (error instanceof Refusal)
          throw new StartFault(`The refund is ${found.status}: it can no longer be changed.`);
        throw error;
      });
      invocation.print(line(changed));
    }),
};
