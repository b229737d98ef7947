// An operator's decision about a parked refund.

import { openParking, type Parking } from '../banking/index.ts';
import { hasEnded } from './rules.ts';
import { deleteWork, findParked, listParked } from './store/moves.ts';
import type { RefundTools } from './tools.ts';

/**
 * Captured means that the money went to the payer. An ended refund was parked only to be seen: deciding removes it from
 * the list.
 */
export function parkedRefunds(tools: RefundTools): Parking {
  const { sql } = tools.db;
  return openParking({
    list: () => listParked(sql),
    find: (id) => findParked(sql, id),
    async decide({ id, status }, decision) {
      const kind = decision === 'not-captured' ? 'declined' : 'approved';
      if (hasEnded(status)) await deleteWork(sql, [id]);
      else await tools.settle({ refundId: id, result: { kind } });
    },
  });
}
