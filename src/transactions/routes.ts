import {
  createTransaction as createEndpoint,
  getTransaction as getEndpoint,
  listTransactions as listEndpoint,
} from '../../contract/transactions.ts';
import type { Merchant } from '../accounts/index.ts';
import { idFrom, refuse, type TransactionId } from '../kernel/index.ts';
import { on, type Route } from '../platform/index.ts';
import type { World } from '../world.ts';
import { createTransaction } from './create.ts';
import { list } from './list.ts';
import { type MethodWish, methodFaults } from './rules.ts';
import { findTransaction } from './store.ts';
import { readCommand, writeTransaction } from './wire.ts';

const success = 'success' as const;

export const transactionRoutes = (world: World): Route<Merchant>[] => {
  const { baseUrl } = world.config;
  return [
    on(
      createEndpoint,
      async ({ caller, body, requestId, ids }) => {
        const transaction = await createTransaction(world, caller, readCommand(body, caller), ids);
        return { result: success, requestId, ...writeTransaction(transaction, caller.zone, baseUrl) };
      },
      (body, caller: Merchant) => methodFaults((body as { pay?: MethodWish } | null)?.pay, caller.channels),
    ),
    on(getEndpoint, async ({ caller, params, requestId }) => {
      const id = idFrom<TransactionId>(params.transactionId) ?? refuse('not_found');
      const transaction = (await findTransaction(world.db.sql, caller.id, id)) ?? refuse('not_found');
      const shown = writeTransaction(transaction, caller.zone, baseUrl);
      return { result: success, requestId, ...shown, payments: { ...shown.payments, attempts: [] } };
    }),
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { list: found, ...where } = await list(world, caller, query);
      const shown = found.map((transaction) => writeTransaction(transaction, caller.zone, baseUrl));
      return { result: success, requestId, transactions: { list: shown }, ...where };
    }),
  ];
};
