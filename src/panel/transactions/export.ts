// Transactions as a file.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import type { Merchant } from '../../accounts/index.ts';
import { localText } from '../../kernel/index.ts';
import { methodOf } from '../../methods/index.ts';
import type { Streamed } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { sixHourBucketsOf } from '../../transactions/index.ts';
import type { Cell } from '../csv.ts';
import { type FileOf, pagesOf, streamFile } from '../file.ts';
import { always, type Place } from '../list.ts';
import { countCreated } from '../overview/store.ts';
import { type SearchPage, type SearchRequest, search } from './search.ts';
import { type FoundRow, listAfter } from './store/search.ts';
import { writeRow } from './wire.ts';

const titles: Readonly<Record<PanelLanguage, readonly string[]>> = {
  en: [
    'Created',
    'Paid',
    'Title',
    'Status',
    'Amount',
    'Amount paid',
    'Refunded',
    'Currency',
    'Description',
    'Hidden description',
    'Email',
    'Name',
    'Channel',
    'Transaction',
  ],
  pl: [
    'Utworzono',
    'Opłacono',
    'Tytuł',
    'Status',
    'Kwota',
    'Zapłacono',
    'Zwrócono',
    'Waluta',
    'Opis',
    'Opis ukryty',
    'E-mail',
    'Nazwa',
    'Kanał',
    'Transakcja',
  ],
};

function cellsOf({ transaction, refundedMinor }: FoundRow, zone: string): Cell[] {
  return [
    localText(transaction.createdAt, zone),
    transaction.paidAt && localText(transaction.paidAt, zone),
    transaction.title,
    transaction.status,
    { minor: transaction.amount.minor },
    { minor: transaction.amountPaidMinor },
    { minor: refundedMinor },
    transaction.amount.currency,
    transaction.description,
    transaction.hiddenDescription,
    transaction.payer.email,
    transaction.payer.name,
    methodOf(transaction.channelId)?.name ?? null,
    transaction.id,
  ];
}

export interface ExportRequest extends SearchRequest {
  readonly format: 'csv' | 'json';
}

type Pages = Pick<FileOf<FoundRow>, 'total' | 'pages'>;
type Account = Pick<Merchant, 'id' | 'zone'>;

export async function exportTransactions(
  tools: Pick<Tools, 'db'>,
  account: Account,
  language: PanelLanguage,
  request: ExportRequest,
): Promise<Streamed> {
  return streamFile<FoundRow>({
    name: 'transactions',
    format: request.format,
    language,
    titles: titles[language],
    cellsOf: (row) => cellsOf(row, account.zone),
    objectOf: ({ transaction, refundedMinor }) => writeRow(transaction, refundedMinor),
    ...(isCounted(request) ? await countedPages(tools, account, request) : foundPages(tools, account, request)),
  });
}

/** By days and status alone: the counts that lists use know how many there are. */
function isCounted(request: ExportRequest): boolean {
  const { q, paymentStatus, channelId, method, origin, posId, amountFromMinor, amountToMinor } = request;
  const others = [paymentStatus, channelId, method, origin, posId, amountFromMinor, amountToMinor];
  return q === undefined && others.every((one) => one === null);
}

/** The number of rows is that at the beginning; what is created meanwhile is not in the file. */
async function countedPages({ db }: Pick<Tools, 'db'>, { id }: Account, request: ExportRequest): Promise<Pages> {
  const { status } = request;
  const filter = { from: request.from ?? always.from, to: request.to ?? always.to, status };
  const { pending, paid, refund, canceled } = await countCreated(db.sql, id, sixHourBucketsOf(filter));
  const counts = { pending, paid, refund, canceled };
  const total = status === null ? pending + paid + refund + canceled : counts[status];
  const pages = pagesOf<FoundRow>(
    total,
    (after, limit) => listAfter(db.sql, id, filter, after, limit),
    ({ transaction }) => ({ at: transaction.createdAt, id: transaction.id }),
  );
  return { total, pages };
}

const foundAtOnce = 500;

/** Every page of the search. Each looks through a bounded number of transactions and may find none; then it is empty. */
function foundPages(tools: Pick<Tools, 'db'>, account: Account, request: ExportRequest): Pages {
  async function* pages(): AsyncGenerator<readonly FoundRow[]> {
    let before: Place | null = null;
    do {
      const { rows, next }: SearchPage = await search(tools, account, { ...request, before, limit: foundAtOnce });
      yield rows;
      before = next;
    } while (before !== null);
  }
  return { total: null, pages: pages() };
}
