import { exportStatements as exportEndpoint, getStatements } from '../../../contract/panel/money.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import type { Tools } from '../../tools.ts';
import type { Downloads } from '../downloads.ts';
import { exportStatements } from './export.ts';
import { readStatementRequest, showStatements } from './show.ts';
import { serializeStatement } from './wire.ts';

export const statementRoutes = (tools: Tools, downloads: Downloads): Route<Person>[] => [
  on(getStatements, async ({ caller, query, requestId }) => {
    const { rows, total } = await showStatements(tools, accountOf(caller), readStatementRequest(query));
    const shown = { rows: rows.map(serializeStatement), total: serializeStatement(total) };
    return { ...done(requestId), ...shown, currency: 'PLN' };
  }),
  on(exportEndpoint, async ({ caller, query }) => {
    const request = { format: query.format ?? 'csv', request: readStatementRequest(query) };
    return downloads.guard(caller, await exportStatements(tools, accountOf(caller), caller.user.language, request));
  }),
];
