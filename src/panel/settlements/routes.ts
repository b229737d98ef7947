import { exportSettlementLines as exportEndpoint } from '../../../contract/panel/money.ts';
import { on, type Route, streamFile } from '../../http/index.ts';
import { accountOf, type Person } from '../../identity/index.ts';
import { refuse } from '../../kernel/index.ts';
import { findSettlement, type Line, lineColumns, linesOf, serializeLine } from '../../settlements/index.ts';
import type { Tools } from '../../tools.ts';
import type { Downloads } from '../downloads.ts';
import { settlementFileWords } from './words.ts';

export const settlementRoutes = ({ db }: Pick<Tools, 'db'>, downloads: Downloads): Route<Person>[] => [
  on(exportEndpoint, async ({ caller, query }) => {
    const { id, zone } = accountOf(caller);
    const { language } = caller.user;
    const settlement = (await findSettlement(db.sql, id, query.settlementId)) ?? refuse('not_found');
    const words = settlementFileWords[language];
    const file = streamFile<Line>({
      name: `settlement-${settlement.number}`,
      format: query.format ?? 'csv',
      language,
      total: settlement.lines,
      columns: lineColumns(zone, words, words),
      objectOf: (line) => serializeLine(line, zone),
      pages: linesOf(db, settlement),
    });
    return downloads.guard(caller, file);
  }),
];
