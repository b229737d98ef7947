import type { Merchant } from '../accounts/index.ts';
import type { Callback } from '../acquirer/index.ts';
import type { RefundId, TransactionId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { receiveRefundCallback } from './callback.ts';
import { cancelRefund, holdRefund, releaseRefund } from './change.ts';
import { createRefund, openCreate } from './create.ts';
import { parkedRefunds } from './decide.ts';
import type { RequestedRefund } from './model.ts';
import { dueRefunds, moveRefunds, nextRefundStep } from './move.ts';
import { refundRoutes } from './routes.ts';
import { openSettle } from './settle.ts';
import { createSplit, type SplitRequest } from './split.ts';
import type { RefundTools } from './tools.ts';
import { verifyRefunds } from './verify.ts';

export type Refunds = ReturnType<typeof openRefunds>;

type Owner = Pick<Merchant, 'id'>;

/** `sendsMail`: whether payers get a mail about refunds. */
export function openRefunds(base: Tools, { sendsMail }: { readonly sendsMail: boolean }) {
  const mailing = { ...base, sendsMail };
  const tools: RefundTools = { ...mailing, create: openCreate(base), settle: openSettle(mailing) };
  return {
    name: 'refunds',
    routes: refundRoutes(tools),
    works: [
      {
        name: 'move refunds',
        run: () => moveRefunds(tools),
        waiting: () => dueRefunds(tools),
        nextAt: () => nextRefundStep(tools),
      },
    ],
    callback: (callback: Callback) => receiveRefundCallback(tools, callback),
    parked: parkedRefunds(tools),
    verify: () => verifyRefunds(tools),
    create: (merchant: Owner, transactionId: TransactionId, requested: RequestedRefund, id: RefundId) =>
      createRefund(tools, merchant, transactionId, requested, id),
    createSplit: (partner: Owner, request: SplitRequest) => createSplit(tools, partner, request),
    hold: (merchant: Owner, id: RefundId) => holdRefund(tools, merchant, id),
    release: (merchant: Owner, id: RefundId) => releaseRefund(tools, merchant, id),
    cancel: (merchant: Owner, id: RefundId, by: 'merchant' | 'operator') => cancelRefund(tools, merchant, id, by),
  };
}
