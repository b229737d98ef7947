import type { Static } from '../../contract/schema.ts';
import {
  cancelTransaction as cancelEndpoint,
  createTransaction as createEndpoint,
  getTransaction as getEndpoint,
  listBankGroups,
  listChannels,
  listTransactions as listEndpoint,
  payTransaction as payEndpoint,
  type TransactionGiven,
} from '../../contract/transactions.ts';
import type { Merchant } from '../accounts/index.ts';
import { listCharges } from '../banking/index.ts';
import { on, onChecked, type Route } from '../http/index.ts';
import { type Fault, idFrom, refuse, type TransactionId } from '../kernel/index.ts';
import {
  hasPaymentData,
  offeredLimits,
  readInstrument,
  refuseOutsideLimits,
  refuseUnlessOffered,
  refuseUnlessSetUp,
  serializeBankGroups,
  serializeChannels,
  type ToPay,
  unavailableChannels,
} from '../methods/index.ts';
import { addressFaults } from '../outbound/index.ts';
import type { Tools } from '../tools.ts';
import { cancel } from './cancel.ts';
import { createTransaction } from './create.ts';
import { list } from './list.ts';
import type { PayRequest, Transaction } from './model.ts';
import { createAndPayOnce, payOnce, refuseMarketplace } from './pay.ts';
import { chooseChannel, methodFaults } from './rules.ts';
import { findTransaction } from './store/transactions.ts';
import type { TransactionTools } from './tools.ts';
import { readCommand, serializeInFull, serializePaid, serializeResult, serializeTransaction } from './wire.ts';

const success = 'success' as const;

/** Faults that depend on the account and on the operator's policy: the method, and where notifications may go. */
function creationFaults(tools: Pick<Tools, 'config'>, body: unknown, caller: Merchant): Fault[] {
  const { pay, callbacks } = (body ?? {}) as { pay?: PayRequest; callbacks?: { notification?: { url?: unknown } } };
  const address = callbacks?.notification?.url;
  return [
    ...methodFaults(pay, caller.channels, 'pay.'),
    ...addressFaults(address, 'callbacks.notification.url', tools.config.callbackPolicy),
  ];
}

function refuseWithoutChannel(prefix: string): never {
  const devMessage = `Send ${prefix}channelId or ${prefix}groupId.`;
  return refuse('field_required', `${prefix}channelId`, undefined, devMessage);
}

function idOf(text: string): TransactionId {
  return idFrom<TransactionId>(text) ?? refuse('not_found');
}

interface PaidWith {
  readonly pay: PayRequest | undefined;
  /** The path of the payment in the body. */
  readonly prefix: string;
  readonly find: () => ToPay | Promise<ToPay>;
}

/** What the request pays with. */
function readWith(tools: TransactionTools, caller: Merchant, { pay, prefix, find }: PaidWith) {
  const channel = chooseChannel(pay, caller.channels, prefix) ?? refuseWithoutChannel(prefix);
  return readInstrument(tools, caller.channels, channel.id, { merchantId: caller.id, data: pay ?? {}, prefix, find });
}

async function findOwn(tools: TransactionTools, caller: Merchant, id: string): Promise<Transaction> {
  return (await findTransaction(tools.db.sql, caller.id, idOf(id))) ?? refuse('not_found');
}

async function findPayable(tools: TransactionTools, caller: Merchant, id: string): Promise<Transaction> {
  const transaction = await findOwn(tools, caller, id);
  refuseMarketplace(transaction);
  return transaction;
}

/** The data of a new transaction; a method that the payer will continue with must be available. */
async function checkNew(tools: TransactionTools, caller: Merchant, body: Static<typeof TransactionGiven>) {
  const { pay } = body;
  if (hasPaymentData(pay))
    return readWith(tools, caller, { pay, prefix: 'pay.', find: () => readCommand(body, caller) });
  const channel = pay && chooseChannel(pay, caller.channels);
  if (channel) {
    const { amount } = readCommand(body, caller);
    await refuseUnlessOffered(tools, { channelId: channel.id, merchantId: caller.id, amount: () => amount }, 'pay.');
    refuseOutsideLimits(channel, amount, 'pay.');
    await refuseUnlessSetUp(tools, channel, caller.id, 'pay.');
  }
  return undefined;
}

export const transactionRoutes = (tools: TransactionTools): Route<Merchant>[] => [
  ...payingRoutes(tools),
  ...readingRoutes(tools),
];

function payingRoutes(tools: TransactionTools): Route<Merchant>[] {
  const { baseUrl } = tools.config;
  return [
    createRoute(tools),
    onChecked(payEndpoint, {
      faults: (body, caller: Merchant) => methodFaults(body as PayRequest, caller.channels, ''),
      check: ({ caller, params, body }) =>
        readWith(tools, caller, {
          pay: body,
          prefix: '',
          find: () => findPayable(tools, caller, params.transactionId),
        }),
      handle: async ({ caller, params, requestId, run, checked }) => {
        const { attempt, transaction } = await payOnce(tools, caller, {
          attemptId: run.ids.ulid(),
          resumed: run.resumed,
          read: checked,
          find: () => findPayable(tools, caller, params.transactionId),
        });
        return serializePaid(
          { result: serializeResult(attempt), requestId },
          transaction,
          attempt,
          caller.zone,
          baseUrl,
        );
      },
    }),
    on(cancelEndpoint, async ({ caller, params, requestId }) => {
      const transaction = await cancel(tools, caller, idOf(params.transactionId));
      const attempts = await listCharges(tools.db.sql, transaction.id);
      return serializeInFull({ result: success, requestId }, transaction, attempts, caller.zone, baseUrl);
    }),
  ];
}

function createRoute(tools: TransactionTools): Route<Merchant> {
  const { baseUrl } = tools.config;
  return onChecked(createEndpoint, {
    faults: (body, caller: Merchant) => creationFaults(tools, body, caller),
    // The data is read before anything is stored: a request that cannot be paid creates nothing.
    check: ({ caller, body }) => (body.pay ? checkNew(tools, caller, body) : undefined),
    handle: async ({ caller, body, requestId, run, checked }) => {
      const command = readCommand(body, caller);
      if (!hasPaymentData(command.pay)) {
        if (command.pay && !run.resumed) await checked();
        const transaction = await createTransaction(tools, caller, command, run);
        return serializeTransaction({ result: success, requestId }, transaction, caller.zone, baseUrl);
      }
      const attemptId = run.ids.ulid();
      const payment = {
        attemptId,
        resumed: run.resumed,
        read: async () =>
          run.resumed
            ? readWith(tools, caller, {
                pay: body.pay,
                prefix: 'pay.',
                find: () => ({ amount: command.amount, attemptId }),
              })
            : ((await checked()) ?? refuse('field_required', 'pay.channelId')),
      };
      const { attempt, transaction } = await createAndPayOnce(tools, caller, command, payment, run);
      return serializePaid({ result: success, requestId }, transaction, attempt, caller.zone, baseUrl);
    },
  });
}

/** Those of the account that are available at the moment. */
async function payableChannels(tools: TransactionTools, caller: Merchant): Promise<number[]> {
  const not = await unavailableChannels(tools, caller.channels, caller.id);
  return caller.channels.filter((id) => !not.includes(id));
}

function readingRoutes(tools: TransactionTools): Route<Merchant>[] {
  const { baseUrl } = tools.config;
  return [
    on(getEndpoint, async ({ caller, params, requestId }) => {
      const transaction = await findOwn(tools, caller, params.transactionId);
      const attempts = await listCharges(tools.db.sql, transaction.id);
      return serializeInFull({ result: success, requestId }, transaction, attempts, caller.zone, baseUrl);
    }),
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { list: found, ...where } = await list(tools, caller, query);
      const shown = found.map((transaction) => serializeTransaction({}, transaction, caller.zone, baseUrl));
      return { result: success, requestId, transactions: { list: shown }, ...where };
    }),
    on(listChannels, async ({ caller, requestId }) => ({
      result: success,
      requestId,
      channels: serializeChannels(
        caller.channels,
        await unavailableChannels(tools, caller.channels, caller.id),
        await offeredLimits(tools, caller.channels, caller.id),
        baseUrl,
      ),
    })),
    on(listBankGroups, async ({ caller, requestId }) => ({
      result: success,
      requestId,
      groups: serializeBankGroups(await payableChannels(tools, caller), baseUrl),
    })),
  ];
}
