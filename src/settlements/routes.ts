import {
  getSettlement as getEndpoint,
  listSettlementLines as linesEndpoint,
  listSettlements as listEndpoint,
} from '../../contract/settlements.ts';
import type { Merchant } from '../accounts/index.ts';
import { on, type Route } from '../http/index.ts';
import { isUlid, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { answerLines, pageOf, serializeSettlement } from './lines.ts';
import type { Settlement } from './store/cut.ts';
import { countSettlements, findSettlement, findSettlementOfPayout, listSettlements } from './store/read.ts';

const success = 'success' as const;

export const settlementRoutes = ({ db }: Pick<Tools, 'db'>): Route<Merchant>[] => {
  const find = async ({ id }: Merchant, text: string): Promise<Settlement> =>
    (isUlid(text) ? await findSettlement(db.sql, id, text) : undefined) ?? refuse('not_found');
  return [
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { page, limit, offset } = pageOf(query);
      if (query.payoutId !== undefined) {
        const found = await findSettlementOfPayout(db.sql, caller.id, query.payoutId);
        const all = found ? [serializeSettlement(found, caller.zone)] : [];
        return {
          result: success,
          requestId,
          settlements: all.slice(offset, offset + limit),
          page,
          limit,
          total: all.length,
        };
      }
      const [list, total] = await Promise.all([
        listSettlements(db.sql, caller.id, limit, offset),
        countSettlements(db.sql, caller.id),
      ]);
      const settlements = list.map((settlement) => serializeSettlement(settlement, caller.zone));
      return { result: success, requestId, settlements, page, limit, total };
    }),
    on(getEndpoint, async ({ caller, params, requestId }) => ({
      result: success,
      requestId,
      settlement: serializeSettlement(await find(caller, params.settlementId), caller.zone),
    })),
    on(linesEndpoint, async ({ caller, params, ...asked }) =>
      answerLines(db, await find(caller, params.settlementId), caller.zone, asked),
    ),
  ];
};
