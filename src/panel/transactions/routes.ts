import { showTransaction as showEndpoint } from '../../../contract/panel/transactions.ts';
import { idFrom, refuse, type TransactionId } from '../../kernel/index.ts';
import { on, type Route } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { accountOf, type Person } from '../model.ts';
import { showTransaction } from './detail.ts';
import { writeDetail } from './wire.ts';

const success = 'success' as const;

export const transactionRoutes = (tools: Tools): Route<Person>[] => [
  on(showEndpoint, async ({ caller, params, requestId }) => {
    const account = accountOf(caller);
    const id = idFrom<TransactionId>(params.transactionId) ?? refuse('not_found');
    const detail = await showTransaction(tools, account, id);
    return { result: success, requestId, ...writeDetail(detail, account.id, tools.config.baseUrl) };
  }),
];
