// Makes new transactions findable. No create waits for this.

import type { Tools } from '../../tools.ts';
import { forgetAdded } from '../../transactions/index.ts';
import { lockProgress, updateProgress } from '../progress/store.ts';
import { fillSearch } from './store.ts';

/** Positions, each with at most 1,000 transactions. */
export const filledAtOnce = 10;

/** Reads what was added since; returns how many positions. One node at a time. */
export function fillSearchTable({ db }: Pick<Tools, 'db'>): Promise<number> {
  return db.atomic(async (sql) => {
    const after = await lockProgress(sql, 'transactions');
    if (after === undefined) return 0;
    const { read, last } = await fillSearch(sql, after, filledAtOnce);
    if (read === 0) return 0;
    await updateProgress(sql, 'transactions', last);
    await forgetAdded(sql, last);
    return read;
  });
}
