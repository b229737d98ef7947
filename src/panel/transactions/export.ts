// Transactions as a file.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import { channels, type Merchant } from '../../accounts/index.ts';
import { localText, type Period } from '../../kernel/index.ts';
import type { Streamed } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { sixHourBucketsOf, type TransactionStatus } from '../../transactions/index.ts';
import type { Cell } from '../csv.ts';
import { pagesOf, streamFile } from '../file.ts';
import { always } from '../list.ts';
import { countCreated } from '../overview/store.ts';
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
    'E-mail',
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
    channels.find(({ id }) => id === transaction.channelId)?.name ?? null,
    transaction.id,
  ];
}

export interface ExportRequest extends Period {
  readonly format: 'csv' | 'json';
  readonly status: TransactionStatus | null;
}

/** The number of rows is that at the beginning; what is created meanwhile is not in the file. */
export async function exportTransactions(
  { db }: Pick<Tools, 'db'>,
  { id, zone }: Pick<Merchant, 'id' | 'zone'>,
  language: PanelLanguage,
  { format, status, ...period }: ExportRequest,
): Promise<Streamed> {
  const filter = { from: period.from ?? always.from, to: period.to ?? always.to, status };
  const { pending, paid, refund, canceled } = await countCreated(db.sql, id, sixHourBucketsOf(filter));
  const counts = { pending, paid, refund, canceled };
  const total = status === null ? pending + paid + refund + canceled : counts[status];
  return streamFile<FoundRow>({
    name: 'transactions',
    format,
    language,
    total,
    titles: titles[language],
    cellsOf: (row) => cellsOf(row, zone),
    objectOf: ({ transaction, refundedMinor }) => writeRow(transaction, refundedMinor),
    pages: pagesOf(
      total,
      (after, limit) => listAfter(db.sql, id, filter, after, limit),
      ({ transaction }) => ({ at: transaction.createdAt, id: transaction.id }),
    ),
  });
}
