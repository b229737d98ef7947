import { exportTransactions as exportEndpoint } from '../../../contract/panel/money.ts';
import { searchTransactions, showTransaction as showEndpoint } from '../../../contract/panel/transactions.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { idFrom, refuse, type TransactionId } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import type { Downloads } from '../downloads.ts';
import { formatPlace } from '../list/place.ts';
import { showTransaction } from './detail.ts';
import { exportTransactions } from './export.ts';
import { search } from './search.ts';
import { serializeDetail, serializeRow } from './wire.ts';

export const transactionRoutes = (tools: Tools, downloads: Downloads): Route<Person>[] => [
  on(searchTransactions, async ({ caller, query, requestId }) => {
    const account = accountOf(caller);
    const { rows, next } = await search(tools, account, query);
    return {
      ...done(requestId),
      transactions: rows.map(({ transaction, refundedMinor }) => serializeRow(transaction, refundedMinor)),
      nextBefore: next && formatPlace(next),
      searchedTo: next?.at?.toString() ?? null,
    };
  }),
  on(showEndpoint, async ({ caller, params, requestId }) => {
    const account = accountOf(caller);
    const id = idFrom<TransactionId>(params.transactionId) ?? refuse('not_found');
    const detail = await showTransaction(tools, account, id);
    return { ...done(requestId), ...serializeDetail(detail, account.id, tools.config.baseUrl, caller) };
  }),
  on(exportEndpoint, async ({ caller, query }) => {
    const account = accountOf(caller);
    return downloads.guard(caller, await exportTransactions(tools, account, caller.user.language, query));
  }),
];
