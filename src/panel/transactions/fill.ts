// Makes new transactions findable. No create waits for this.

import type { Tools } from '../../tools.ts';
import { fillSearch, tryFillingLock } from './store/search.ts';

export const filledAtOnce = 1_000;

/** Returns how many statements. One node at a time. */
export function fillSearchTable({ db }: Pick<Tools, 'db'>): Promise<number> {
  return db.atomic(async (sql) => ((await tryFillingLock(sql)) ? fillSearch(sql, filledAtOnce) : 0));
}
