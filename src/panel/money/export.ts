// The ledger and statements as files.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import type { Merchant } from '../../accounts/index.ts';
import type { Streamed } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { sumsOf } from '../counts/sums.ts';
import { pagesOf, streamFile } from '../file.ts';
import { listDays } from '../overview/store.ts';
import { type StatementRequest, showStatements } from './statements.ts';
import { countOtherMoves, listMovesAfter, type MoveFilter, type MoveKind, type MoveRow } from './store.ts';
import { moveCells, moveTitles, statementCells, statementTitles, writeMove, writeStatement } from './wire.ts';

type Account = Pick<Merchant, 'id' | 'zone'>;
type Format = 'csv' | 'json';

/** How many moves there are, from the kept sums. */
async function countMoves({ db }: Pick<Tools, 'db'>, { id, zone }: Account, filter: MoveFilter): Promise<number> {
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate();
  const days = { from: dayOf(filter.from), to: dayOf(filter.to.subtract({ nanoseconds: 1 })) };
  const [sums, others] = await Promise.all([listDays(db.sql, id, days), countOtherMoves(db.sql, id, filter)]);
  const { payments: payment, refunds: refund, returned } = sumsOf(sums);
  const counts: Record<MoveKind, number> = { payment, refund, refund_returned: returned, ...others };
  if (filter.kind !== null) return counts[filter.kind];
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** `filter` has whole days of the account's time zone. */
export async function exportLedger(
  tools: Pick<Tools, 'db'>,
  account: Account,
  language: PanelLanguage,
  { format, filter }: { readonly format: Format; readonly filter: MoveFilter },
): Promise<Streamed> {
  const total = await countMoves(tools, account, filter);
  return streamFile<MoveRow>({
    name: 'ledger',
    format,
    language,
    total,
    titles: moveTitles[language],
    cellsOf: (move) => moveCells(move, account.zone, language),
    objectOf: writeMove,
    pages: pagesOf(
      total,
      (after, limit) => listMovesAfter(tools.db.sql, account.id, filter, after, limit),
      ({ at, journalId }) => ({ at, id: journalId }),
    ),
  });
}

export async function exportStatements(
  tools: Pick<Tools, 'db'>,
  account: Account,
  language: PanelLanguage,
  { format, request }: { readonly format: Format; readonly request: StatementRequest },
): Promise<Streamed> {
  const { rows } = await showStatements(tools, account, request);
  return streamFile({
    name: `statements-${request.from}-${request.to}`,
    format,
    language,
    total: rows.length,
    titles: statementTitles[language],
    cellsOf: statementCells,
    objectOf: writeStatement,
    pages: onePage(rows),
  });
}

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}
