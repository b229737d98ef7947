// The ledger as a file.

import type { exportLedger as exportEndpoint } from '../../../contract/panel/money.ts';
import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import type { Merchant } from '../../accounts/index.ts';
import { type Streamed, streamFile } from '../../http/index.ts';
import type { Tools } from '../../tools.ts';
import { sumsOf } from '../counts/sums.ts';
import { pagesOf } from '../list/file.ts';
import type { QueryOf } from '../list/filters.ts';
import { always } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { listDays } from '../overview/store.ts';
import { askedOf } from './query.ts';
import { countOtherMoves, type Days, type MoveKind, type MoveRow, movesOf } from './read.ts';
import { moveColumns, serializeMove } from './wire.ts';

type Account = Pick<Merchant, 'id' | 'zone'>;

/** How many moves there are, by kind, from the kept sums. */
async function countMoves({ db }: Pick<Tools, 'db'>, { id, zone }: Account, period: Days) {
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate();
  const days = { from: dayOf(period.from), to: dayOf(period.to.subtract({ nanoseconds: 1 })) };
  const [sums, others] = await Promise.all([listDays(db.sql, id, days), countOtherMoves(db.sql, id, period)]);
  const { payments: payment, refunds: refund, returned } = sumsOf(sums);
  return { payment, refund, refund_returned: returned, ...others } satisfies Record<MoveKind, number>;
}

/** Oldest first. The number of rows is that at the beginning. */
export async function exportLedger(
  tools: Pick<Tools, 'db'>,
  account: Account,
  language: PanelLanguage,
  { format = 'csv', ...query }: QueryOf<typeof exportEndpoint>,
): Promise<Streamed> {
  const asked = { ...askedOf(query, account), order: 'oldest' as const };
  const { from, to } = asked.period;
  const counts = await countMoves(tools, account, { from: from ?? always.from, to: to ?? always.to });
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = query.kind === undefined ? all : counts[query.kind];
  const list = movesOf(query.kind);
  return streamFile<MoveRow>({
    name: 'ledger',
    format,
    language,
    total,
    columns: moveColumns(account.zone, language),
    objectOf: serializeMove,
    pages: pagesOf(total, (after, limit) => readList(tools.db.sql, list, { ...asked, after, limit })),
  });
}
