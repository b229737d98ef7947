import {
  exportLedger as exportLedgerEndpoint,
  exportStatements as exportStatementsEndpoint,
  getBalance,
  getStatements,
  listLedger,
} from '../../../contract/panel/money.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import { findBalances, ledgerAccounts } from '../../ledger/index.ts';
import { on, type Route } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import type { Downloads } from '../downloads.ts';
import { readDays, readPlace, writePlace } from '../list.ts';
import { exportLedger, exportStatements } from './export.ts';
import { readStatementRequest, showStatements } from './statements.ts';
import { filterOf, listMoves } from './store.ts';
import { writeMove, writeStatement } from './wire.ts';

export const moneyRoutes = (tools: Tools, downloads: Downloads): Route<Person>[] => [
  on(getBalance, async ({ caller, requestId }) => {
    const { id } = accountOf(caller);
    const [available, transit] = [ledgerAccounts.available(id), ledgerAccounts.payoutTransit(id)];
    const balances = await findBalances(tools.db.sql, [available, transit]);
    return {
      ...done(requestId),
      at: tools.clock.now().toString(),
      balance: decimalFromMinor(balances.get(available) ?? 0n),
      payoutTransit: decimalFromMinor(balances.get(transit) ?? 0n),
      currency: 'PLN',
    };
  }),
  on(listLedger, async ({ caller, query, requestId }) => {
    const account = accountOf(caller);
    const { limit = 50 } = query;
    const before = query.before === undefined ? null : readPlace(query.before);
    const filter = filterOf(query.kind, readDays(query, account.zone));
    const found = await listMoves(tools.db.sql, account.id, filter, before, limit + 1);
    const moves = found.slice(0, limit);
    const last = found.length > limit ? moves.at(-1) : undefined;
    const nextBefore = last ? writePlace({ at: last.at, id: last.journalId }) : null;
    return { ...done(requestId), moves: moves.map(writeMove), nextBefore };
  }),
  on(getStatements, async ({ caller, query, requestId }) => {
    const { rows, total } = await showStatements(tools, accountOf(caller), readStatementRequest(query));
    const shown = { rows: rows.map(writeStatement), total: writeStatement(total) };
    return { ...done(requestId), ...shown, currency: 'PLN' };
  }),
  on(exportLedgerEndpoint, async ({ caller, query }) => {
    const account = accountOf(caller);
    const filter = filterOf(query.kind, readDays(query, account.zone));
    const request = { format: query.format ?? 'csv', filter };
    return downloads.guard(caller, await exportLedger(tools, account, caller.user.language, request));
  }),
  on(exportStatementsEndpoint, async ({ caller, query }) => {
    const request = { format: query.format ?? 'csv', request: readStatementRequest(query) };
    return downloads.guard(caller, await exportStatements(tools, accountOf(caller), caller.user.language, request));
  }),
];
