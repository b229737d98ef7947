// Transactions as a file.

import type { exportTransactions as exportEndpoint } from '../../../contract/panel/money.ts';
import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import { type FileColumn, type FileOf, type Streamed, streamFile } from '../../http/index.ts';
import { localText } from '../../kernel/index.ts';
import { methodOf } from '../../methods/index.ts';
import type { Tools } from '../../tools.ts';
import { sixHourBucketsOf } from '../../transactions/index.ts';
import { pagesOf } from '../list/file.ts';
import { filtersSet, type QueryOf } from '../list/filters.ts';
import { always, formatPlace, type Place } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { countCreated } from '../overview/store.ts';
import { transactionFileWords } from './file/words.ts';
import { type Account, askedOf, search } from './search.ts';
import { type FoundRow, transactionList } from './store.ts';
import { serializeRow } from './wire.ts';

/** As in mails: later nobody knows which device a wallet was on. */
function methodName(channelId: number | null, language: PanelLanguage): string | null {
  const words = methodOf(channelId)?.words[language];
  return words?.mail ?? words?.name ?? null;
}

/** For people, with the words of the screen; programs read the file as JSON, which has the API's. */
function columnsOf(zone: string, language: PanelLanguage): readonly FileColumn<FoundRow>[] {
  const words = transactionFileWords[language];
  return [
    { title: words.createdAt, cell: ({ transaction }) => localText(transaction.createdAt, zone) },
    { title: words.paidAt, cell: ({ transaction }) => transaction.paidAt && localText(transaction.paidAt, zone) },
    { title: words.title, cell: ({ transaction }) => transaction.title },
    { title: words.status, cell: ({ transaction }) => words[transaction.status] },
    { title: words.amount, cell: ({ transaction }) => ({ minor: transaction.amount.minor }) },
    { title: words.amountPaid, cell: ({ transaction }) => ({ minor: transaction.amountPaidMinor }) },
    { title: words.refunded, cell: ({ refundedMinor }) => ({ minor: refundedMinor }) },
    { title: words.currency, cell: ({ transaction }) => transaction.amount.currency },
    { title: words.description, cell: ({ transaction }) => transaction.description },
    { title: words.hiddenDescription, cell: ({ transaction }) => transaction.hiddenDescription },
    { title: words.payerEmail, cell: ({ transaction }) => transaction.payer.email },
    { title: words.payerName, cell: ({ transaction }) => transaction.payer.name },
    { title: words.channel, cell: ({ transaction }) => methodName(transaction.channelId, language) },
    { title: words.transaction, cell: ({ transaction }) => transaction.id },
  ];
}

type ExportQuery = QueryOf<typeof exportEndpoint>;
type Pages = Pick<FileOf<FoundRow>, 'total' | 'pages'>;

export async function exportTransactions(
  tools: Pick<Tools, 'db'>,
  account: Account,
  language: PanelLanguage,
  { format = 'csv', ...query }: ExportQuery,
): Promise<Streamed> {
  // Before anything is sent: what cannot be asked is refused.
  const asked = askedOf(query, account);
  const isCounted = filtersSet(query).every((name) => name === 'status');
  return streamFile<FoundRow>({
    name: 'transactions',
    format,
    language,
    columns: columnsOf(account.zone, language),
    objectOf: ({ transaction, refundedMinor }) => serializeRow(transaction, refundedMinor),
    ...(isCounted ? await countedPages(tools, asked, query.status) : foundPages(tools, account, query)),
  });
}

/**
 * By days and status alone: the counts that lists use know how many there are. The number of rows is that at the beginning;
 * what is created meanwhile is not in the file.
 */
async function countedPages(
  { db: { sql } }: Pick<Tools, 'db'>,
  given: ReturnType<typeof askedOf>,
  status: ExportQuery['status'],
): Promise<Pages> {
  const asked = { ...given, filtered: false, order: 'oldest' as const };
  const { from, to } = asked.period;
  const buckets = sixHourBucketsOf({ from: from ?? always.from, to: to ?? always.to });
  const { pending, paid, refund, canceled } = await countCreated(sql, asked.accountId, buckets);
  const counts = { pending, paid, refund, canceled };
  const total = status === undefined ? pending + paid + refund + canceled : counts[status];
  const read = (after: Place | null, limit: number) => readList(sql, transactionList, { ...asked, after, limit });
  return { total, pages: pagesOf<FoundRow>(total, read) };
}

const foundAtOnce = 500;

/** Every page of the search. Each looks through a bounded number of transactions and may find none; then it is empty. */
function foundPages(tools: Pick<Tools, 'db'>, account: Account, query: ExportQuery): Pages {
  const read = (after: Place | null, limit: number) =>
    search(tools, account, { ...query, limit, ...(after && { before: formatPlace(after) }) });
  return { total: null, pages: pagesOf<FoundRow>(null, read, foundAtOnce) };
}
