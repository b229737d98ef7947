// What an operator decides about a refund that is parked.

import { openParking, type Parking } from '../banking/index.ts';
import { hasEnded } from './rules.ts';
import { deleteWork, findParked, listParked } from './store/moves.ts';
import type { RefundTools } from './tools.ts';

/** Captured means that the money went to the payer. One that has ended was parked to be seen: deciding takes it off the list. */
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
