import type { Merchant } from '../accounts/index.ts';
import type { OutgoingRefunds } from '../banking/index.ts';
import type { Verifying } from '../database/index.ts';
import type { RefundId, TransactionId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { cancelRefund, holdRefund, releaseRefund } from './change.ts';
import { createRefund, openCreate } from './create.ts';
import type { RequestedRefund } from './model.ts';
import { refundRoutes } from './routes.ts';
import { refundPurpose } from './settle.ts';
import { createSplit, type SplitRequest } from './split.ts';
import type { AfterRefunds, RefundTools } from './tools.ts';
import { verifyRefunds } from './verify.ts';

export type Refunds = ReturnType<typeof openRefunds>;

type Owner = Pick<Merchant, 'id'>;

/** `sendsMail`: whether payers get a mail about refunds. */
export function openRefunds(
  base: Tools,
  { sendsMail }: { readonly sendsMail: boolean },
  outgoing: Pick<OutgoingRefunds, 'add' | 'settleIn'>,
) {
  const tools: RefundTools = { ...base, sendsMail, outgoing, create: openCreate(base) };
  let afterRefunds: AfterRefunds = async () => undefined;
  outgoing.add(refundPurpose(tools, (...args) => afterRefunds(...args)));
  return {
    name: 'refunds',
    /** Takes the part of a room above, once, when it is opened. */
    addAfterRefunds: (room: AfterRefunds) => {
      afterRefunds = room;
    },
    routes: refundRoutes(tools),
    journalKinds: ['refund', 'refund returned', 'refund paid late', 'refund came back'],
    verify: (verifying: Verifying) => verifyRefunds(tools, verifying),
    create: (merchant: Owner, transactionId: TransactionId, requested: RequestedRefund, id: RefundId) =>
      createRefund(tools, merchant, transactionId, requested, id),
    createSplit: (partner: Owner, request: SplitRequest) =>
      createSplit(tools, (...args) => afterRefunds(...args), partner, request),
    hold: (merchant: Owner, id: RefundId) => holdRefund(tools, merchant, id),
    release: (merchant: Owner, id: RefundId) => releaseRefund(tools, merchant, id),
    cancel: (merchant: Owner, id: RefundId, by: 'merchant' | 'operator') => cancelRefund(tools, merchant, id, by),
  };
}
