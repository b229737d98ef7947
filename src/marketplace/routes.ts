import {
  cancelMarketplaceTransaction,
  createMarketplaceTransaction,
  getMarketplaceTransaction,
  listMarketplaceBankGroups,
  listMarketplaceTransactions,
  payMarketplaceTransaction,
  refundMarketplaceTransaction,
} from '../../contract/marketplace.ts';
import { type Merchant, requireMarketplace } from '../accounts/index.ts';
import { on, onChecked, onlyFor, type Route } from '../http/index.ts';
import { idFrom, knownId, type RefundId, refuse, type TransactionId } from '../kernel/index.ts';
import { serializeBankGroups, serializeChannel } from '../methods/index.ts';
import { paymentErrors, payPageUrl, serializeAttempt, serializeResult } from '../transactions/index.ts';
import { checkSplit, createSplit, findSplit } from './create.ts';
import { commonChannels } from './methods.ts';
import { paymentDataFaults, readPayment } from './pay.ts';
import { refundSplit } from './refund.ts';
import { listOwnSplits, showSplit } from './show.ts';
import type { MarketplaceTools } from './tools.ts';
import {
  creationFaults,
  readCommand,
  readRequested,
  refundFaults,
  serializeChild,
  serializeHead,
  serializePreview,
  serializeRefund,
} from './wire.ts';

const success = 'success' as const;

function idOf(text: string): TransactionId {
  return idFrom<TransactionId>(text) ?? refuse('not_found');
}

export const marketplaceRoutes = (tools: MarketplaceTools): Route<Merchant>[] =>
  onlyFor<Merchant>(requireMarketplace, [...paying(tools), ...refunding(tools), ...reading(tools)]);

function paying(tools: MarketplaceTools): Route<Merchant>[] {
  const { baseUrl } = tools.config;
  return [
    onChecked(createMarketplaceTransaction, {
      faults: (body) => creationFaults(body, tools.config.callbackPolicy),
      check: ({ caller, body }) => checkSplit(tools, caller, readCommand(body, caller)),
      handle: async ({ caller, body, requestId, run, checked }) => {
        const transaction = await createSplit(tools, caller, readCommand(body, caller), run, checked);
        const { id: transactionId, title } = transaction;
        return { result: success, requestId, transactionId, title, paymentUrl: payPageUrl(baseUrl, transaction) };
      },
    }),
    onChecked(payMarketplaceTransaction, {
      faults: paymentDataFaults,
      check: ({ caller, params, body }) => readPayment(tools, caller, idOf(params.transactionId), body),
      handle: async ({ caller, params, requestId, run, checked }) => {
        const { attempt, transaction } = await tools.transactions.payOnce(caller, {
          attemptId: run.ids.ulid(),
          resumed: run.resumed,
          read: checked,
          find: () => findSplit(tools, caller, idOf(params.transactionId)),
        });
        const { id: transactionId, title, status, paymentStatus } = transaction;
        const declined = attempt.state === 'failed' && status === 'pending';
        return {
          result: serializeResult(attempt),
          requestId,
          transactionId,
          title,
          status,
          payments: {
            status: paymentStatus,
            ...serializeChannel(transaction.channelId),
            ...(declined ? { errors: paymentErrors(attempt.reason ?? '', baseUrl) } : {}),
          },
          paymentUrl:
            attempt.state === 'waiting' && attempt.link !== null ? attempt.link : payPageUrl(baseUrl, transaction),
        };
      },
    }),
    on(cancelMarketplaceTransaction, async ({ caller, params, requestId }) => {
      const { id: transactionId } = await tools.transactions.cancel(
        caller,
        idOf(params.transactionId),
        ({ origin }) => {
          if (origin !== 'marketplace') refuse('not_found');
        },
      );
      return { result: success, requestId, transactionId, status: 'canceled' as const };
    }),
  ];
}

function refunding(tools: MarketplaceTools): Route<Merchant>[] {
  return [
    on(
      refundMarketplaceTransaction,
      async ({ caller, params, query, body, requestId, run }) => {
        const dryRun = query.dryRun === 'true';
        const refundId = knownId<RefundId>(run.ids.ulid());
        const transactionId = idOf(params.transactionId);
        const made = await refundSplit(tools, caller, transactionId, readRequested(body), { id: refundId, dryRun });
        const amount = Number(made.amountMinor);
        const head = { result: success, requestId, transactionId, amount };
        return dryRun ? { ...head, preview: serializePreview(made) } : { ...head, refundId };
      },
      refundFaults,
    ),
  ];
}

function reading(tools: MarketplaceTools): Route<Merchant>[] {
  const { baseUrl } = tools.config;
  return [
    on(listMarketplaceBankGroups, async ({ caller, query, requestId }) => {
      const channels = await commonChannels(tools, caller, query.merchantId, (index) => `merchantId.${index}`);
      return { result: success, requestId, groups: serializeBankGroups(channels, baseUrl) };
    }),
    on(getMarketplaceTransaction, async ({ caller, params, requestId }) => {
      const { transaction, parts, attempts, refunds } = await showSplit(tools, caller, idOf(params.transactionId));
      const last = attempts.at(-1);
      const declined = last?.state === 'failed' && transaction.status === 'pending';
      const productsOf = new Map(parts.map(({ part, products }) => [part.id, products]));
      return {
        result: success,
        requestId,
        ...serializeHead(transaction, caller.zone, baseUrl),
        childTransactions: parts.map(serializeChild),
        payments: {
          status: transaction.paymentStatus,
          ...serializeChannel(transaction.channelId),
          ...(declined ? { errors: paymentErrors(last.reason ?? '', baseUrl) } : {}),
          attempts: attempts.map((attempt) => ({
            ...serializeAttempt(attempt, caller.zone),
            amount: Number(attempt.amountMinor),
          })),
        },
        refunds: refunds.map(({ refund, parts: of }) => serializeRefund(refund, of, productsOf, caller.zone)),
      };
    }),
    on(listMarketplaceTransactions, async ({ caller, query, requestId }) => {
      const { list, ...where } = await listOwnSplits(tools, caller, query);
      const shown = list.map(({ transaction, children }) => ({
        ...serializeHead(transaction, caller.zone, baseUrl),
        children,
      }));
      return { result: success, requestId, list: shown, ...where };
    }),
  ];
}
