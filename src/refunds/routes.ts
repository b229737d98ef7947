import {
  cancelRefund as cancelEndpoint,
  createRefund as createEndpoint,
  getRefund as getEndpoint,
  holdRefund as holdEndpoint,
  listRefunds as listEndpoint,
  listTransactionRefunds as listOfOneEndpoint,
  releaseRefund as releaseEndpoint,
} from '../../contract/refunds.ts';
import type { Merchant } from '../accounts/index.ts';
import { on, type Route } from '../http/index.ts';
import { idFrom, knownId, type RefundId, refuse, type TransactionId } from '../kernel/index.ts';
import { serializeTransaction } from '../transactions/index.ts';
import { cancelRefund, holdRefund, releaseRefund } from './change.ts';
import { createRefund } from './create.ts';
import { listOfOne, listRefunds } from './list.ts';
import type { RefundWithTitle } from './model.ts';
import { latestAtMost, listLatest } from './store/lists.ts';
import { findRefund } from './store/refunds.ts';
import type { RefundTools } from './tools.ts';
import { readRequested, serializeLinked, serializeLists } from './wire.ts';

const success = 'success' as const;

export const refundRoutes = (tools: RefundTools): Route<Merchant>[] => {
  const { baseUrl } = tools.config;
  const transactionIdOf = (text: string) => idFrom<TransactionId>(text) ?? refuse('not_found');
  const refundIdOf = (text: string) => idFrom<RefundId>(text) ?? refuse('not_found');
  const shown = (refund: RefundWithTitle, requestId: string, zone: string) => ({
    result: success,
    requestId,
    ...serializeLinked(refund, zone),
  });
  return [
    on(createEndpoint, async ({ caller, params, body, requestId, run }) => {
      const id = transactionIdOf(params.transactionId);
      const made = await createRefund(tools, caller, id, readRequested(body), knownId<RefundId>(run.ids.ulid()));
      // The usual case needs no query: a first refund is the whole list.
      const { refunds, total } = made.only
        ? { refunds: [made.refund], total: 1 }
        : await tools.db.batch(listLatest, id);
      return {
        ...serializeTransaction({ result: success, requestId }, made.transaction, caller.zone, baseUrl),
        ...serializeLists(refunds, caller.zone),
        page: 1,
        limit: latestAtMost,
        total,
      };
    }),
    on(listOfOneEndpoint, async ({ caller, params, query, requestId }) => {
      const id = transactionIdOf(params.transactionId);
      const { transaction, refunds, ...where } = await listOfOne(tools, caller, id, query);
      return {
        ...serializeTransaction({ result: success, requestId }, transaction, caller.zone, baseUrl),
        ...serializeLists(refunds, caller.zone),
        ...where,
      };
    }),
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { refunds, ...where } = await listRefunds(tools, caller, query);
      const list = refunds.map((refund) => serializeLinked(refund, caller.zone));
      return { result: success, requestId, transactions: { list }, ...where };
    }),
    on(getEndpoint, async ({ caller, params, requestId }) => {
      const refund = (await findRefund(tools.db.sql, caller.id, refundIdOf(params.refundId))) ?? refuse('not_found');
      return shown(refund, requestId, caller.zone);
    }),
    on(holdEndpoint, async ({ caller, params, requestId, run }) =>
      shown(await holdRefund(tools, caller, refundIdOf(params.refundId), run.once), requestId, caller.zone),
    ),
    on(releaseEndpoint, async ({ caller, params, requestId, run }) =>
      shown(await releaseRefund(tools, caller, refundIdOf(params.refundId), run.once), requestId, caller.zone),
    ),
    on(cancelEndpoint, async ({ caller, params, requestId, run }) =>
      shown(
        await cancelRefund(tools, caller, refundIdOf(params.refundId), 'merchant', run.once),
        requestId,
        caller.zone,
      ),
    ),
  ];
};
