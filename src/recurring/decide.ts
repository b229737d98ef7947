// An operator's decision about a parked charge.

import { decidedResult, openParking, type Parking } from '../banking/index.ts';
import { findParked, listParked } from './store/attempts.ts';
import { updateUnparked } from './store/settlements.ts';
import type { RecurringTools } from './tools.ts';

export function parkedCharges(tools: RecurringTools): Parking {
  const { sql } = tools.db;
  return openParking({
    list: () => listParked(sql),
    find: (id) => findParked(sql, id),
    async decide({ id }, decision) {
      await tools.settle({ transactionId: id, result: decidedResult(decision) });
      // An ended one about which the bank contradicted itself stays as it is.
      if (decision === 'not-captured') await updateUnparked(sql, id);
    },
  });
}
