// An operator's decision about a parked payment.

import { decidedResult, openParking, type Parking } from '../banking/index.ts';
import { findParked, listParked, updateUnparked } from './store/attempts.ts';
import type { TransactionTools } from './tools.ts';

export function parkedPayments(tools: TransactionTools): Parking {
  const { sql } = tools.db;
  return openParking({
    list: () => listParked(sql),
    find: (id) => findParked(sql, id),
    async decide({ id }, decision) {
      await tools.settle({ attemptId: id, result: decidedResult(decision) });
      // An ended one about which the bank contradicted itself stays as it is.
      if (decision === 'not-captured') await updateUnparked(sql, id);
    },
  });
}
