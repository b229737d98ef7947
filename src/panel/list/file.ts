// The pages of a list for a file of it.

import type { Place } from './place.ts';
import type { Page } from './read.ts';

/**
 * All pages of a list, in order: each begins where the one before it ended. Ends after `total` rows, if that is known, so
 * that what arrives meanwhile does not make the file longer than announced.
 */
export async function* pagesOf<Row>(
  total: number | null,
  read: (after: Place | null, limit: number) => Promise<Page<Row>>,
  rowsAtOnce = 500,
): AsyncGenerator<readonly Row[]> {
  let after: Place | null = null;
  for (let left = total ?? Number.POSITIVE_INFINITY; left > 0; ) {
    const { rows, next }: Page<Row> = await read(after, Math.min(left, rowsAtOnce));
    yield rows;
    if (next === null) return;
    after = next;
    left -= rows.length;
  }
}
