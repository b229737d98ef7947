// Settlements and their lines as JSON and as a file.

import { type FileColumn, prefersCsv, type Streamed, streamFile } from '../http/index.ts';
import { decimalFromMinor, localText } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Settlement } from './store/cut.ts';
import { type Line, listLines, listLinesAfter } from './store/read.ts';

export function pageOf({ page = 1, limit = 35 }: { readonly page?: number; readonly limit?: number }) {
  return { page, limit, offset: (page - 1) * limit };
}

export function serializeSettlement(settlement: Settlement, zone: string) {
  return {
    settlementId: settlement.id,
    number: settlement.number,
    reason: settlement.reason,
    payoutId: settlement.payoutId,
    opening: decimalFromMinor(settlement.openingMinor),
    amount: decimalFromMinor(settlement.amountMinor),
    fee: decimalFromMinor(settlement.feeMinor),
    commission: decimalFromMinor(settlement.commissionMinor),
    other: decimalFromMinor(settlement.otherMinor),
    closing: decimalFromMinor(settlement.closingMinor),
    currency: 'PLN',
    lines: settlement.lines,
    date: {
      first: localText(settlement.firstAt, zone),
      last: localText(settlement.lastAt, zone),
      creation: localText(settlement.createdAt, zone),
    },
  };
}

const netMinorOf = ({ amountMinor, feeMinor, commissionMinor, otherMinor }: Line) =>
  amountMinor + feeMinor + commissionMinor + otherMinor;

/** The kind of a journal as a word of the API: `refund returned` is `refund_returned`. Those of later versions, too. */
const kindOf = ({ kind }: Line) => kind.replaceAll(/\s+/g, '_');

export function serializeLine(line: Line, zone: string) {
  return {
    journalId: line.journalId,
    date: localText(line.at, zone),
    kind: kindOf(line),
    transactionId: line.transactionId,
    transactionTitle: line.title,
    hiddenDescription: line.hiddenDescription,
    isOwn: line.isOwn,
    reference: line.reference,
    amount: decimalFromMinor(line.amountMinor),
    fee: decimalFromMinor(line.feeMinor),
    commission: decimalFromMinor(line.commissionMinor),
    other: decimalFromMinor(line.otherMinor),
    net: decimalFromMinor(netMinorOf(line)),
  };
}

type Heading = Exclude<keyof ReturnType<typeof serializeLine>, 'isOwn'>;
type Headings = Readonly<Record<Heading, string>>;

/** As the API names them: programs read such a file. */
const names = {
  date: 'date',
  kind: 'kind',
  amount: 'amount',
  fee: 'fee',
  commission: 'commission',
  other: 'other',
  net: 'net',
  transactionId: 'transactionId',
  transactionTitle: 'transactionTitle',
  hiddenDescription: 'hiddenDescription',
  reference: 'reference',
  journalId: 'journalId',
} satisfies Headings;

/** `kinds`: words for those that have one. */
export function lineColumns(
  zone: string,
  titles: Headings = names,
  kinds: Readonly<Record<string, string>> = {},
): readonly FileColumn<Line>[] {
  return [
    { title: titles.date, cell: (line) => localText(line.at, zone) },
    { title: titles.kind, cell: (line) => kinds[kindOf(line)] ?? kindOf(line) },
    { title: titles.amount, cell: (line) => ({ minor: line.amountMinor }) },
    { title: titles.fee, cell: (line) => ({ minor: line.feeMinor }) },
    { title: titles.commission, cell: (line) => ({ minor: line.commissionMinor }) },
    { title: titles.other, cell: (line) => ({ minor: line.otherMinor }) },
    { title: titles.net, cell: (line) => ({ minor: netMinorOf(line) }) },
    { title: titles.transactionId, cell: ({ transactionId }) => transactionId },
    { title: titles.transactionTitle, cell: ({ title }) => title },
    { title: titles.hiddenDescription, cell: ({ hiddenDescription }) => hiddenDescription },
    { title: titles.reference, cell: ({ reference }) => reference },
    { title: titles.journalId, cell: ({ journalId }) => journalId },
  ];
}

const linesAtOnce = 1_000;
/** What a reader waits for. */
const linesAtFirst = 100;

/** All lines in order, each page read when the one before it has been sent. */
export async function* linesOf({ sql }: Pick<Tools['db'], 'sql'>, settlement: Settlement): AsyncGenerator<Line[]> {
  let after = settlement.afterPosition;
  for (let limit = linesAtFirst; ; limit = linesAtOnce) {
    const lines = await listLinesAfter(sql, settlement, after, limit);
    yield lines;
    const last = lines.at(-1);
    if (!last || lines.length < limit) return;
    after = last.position;
  }
}

function linesAsCsv(db: Pick<Tools['db'], 'sql'>, settlement: Settlement, zone: string): Streamed {
  return streamFile<Line>({
    name: `settlement-${settlement.number}`,
    format: 'csv',
    language: 'en',
    total: settlement.lines,
    columns: lineColumns(zone),
    objectOf: (line) => serializeLine(line, zone),
    pages: linesOf(db, settlement),
  });
}

interface LinesAsked {
  readonly query: { readonly page?: number; readonly limit?: number };
  readonly accept: string | undefined;
  readonly requestId: string;
}

/** All lines as a file if that is asked for, otherwise a page of them. */
export async function answerLines(
  db: Pick<Tools['db'], 'sql'>,
  settlement: Settlement,
  zone: string,
  { query, accept, requestId }: LinesAsked,
) {
  if (prefersCsv(accept)) return linesAsCsv(db, settlement, zone);
  const { page, limit, offset } = pageOf(query);
  const lines = await listLines(db.sql, settlement, limit, offset);
  const shown = lines.map((line) => serializeLine(line, zone));
  return { result: 'success' as const, requestId, lines: shown, page, limit, total: settlement.lines };
}
