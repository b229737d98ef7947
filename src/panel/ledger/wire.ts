// The ledger on screen and in files.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import { decimalFromMinor, localText } from '../../kernel/index.ts';
import type { FileColumn } from '../list/file.ts';
import type { MoveRow } from './read.ts';

function netMinorOf({ amountMinor, feeMinor, commissionMinor, otherMinor }: MoveRow): bigint {
  return amountMinor + feeMinor + commissionMinor + otherMinor;
}

export function serializeMove(move: MoveRow) {
  return {
    journalId: move.journalId,
    at: move.at.toString(),
    kind: move.kind,
    transactionId: move.transactionId,
    title: move.title,
    hiddenDescription: move.hiddenDescription,
    amount: decimalFromMinor(move.amountMinor),
    fee: decimalFromMinor(move.feeMinor),
    commission: decimalFromMinor(move.commissionMinor),
    other: decimalFromMinor(move.otherMinor),
    net: decimalFromMinor(netMinorOf(move)),
    volume: decimalFromMinor(move.volumeMinor),
  };
}

const kindNames: Readonly<Record<PanelLanguage, Readonly<Record<MoveRow['kind'], string>>>> = {
  en: { payment: 'payment', refund: 'refund', refund_returned: 'refund returned', opening: 'opening', other: 'other' },
  pl: { payment: 'płatność', refund: 'zwrot', refund_returned: 'zwrot cofnięty', opening: 'otwarcie', other: 'inne' },
};

export const moveColumns = (zone: string, language: PanelLanguage): readonly FileColumn<MoveRow>[] => [
  { title: { en: 'Time', pl: 'Czas' }, cell: (move) => localText(move.at, zone) },
  { title: { en: 'Kind', pl: 'Rodzaj' }, cell: (move) => kindNames[language][move.kind] },
  { title: { en: 'Amount', pl: 'Kwota' }, cell: (move) => ({ minor: move.amountMinor }) },
  { title: { en: 'Fee', pl: 'Opłata' }, cell: (move) => ({ minor: move.feeMinor }) },
  { title: { en: 'Commission', pl: 'Prowizja' }, cell: (move) => ({ minor: move.commissionMinor }) },
  { title: { en: 'Other', pl: 'Inne' }, cell: (move) => ({ minor: move.otherMinor }) },
  { title: { en: 'Net', pl: 'Netto' }, cell: (move) => ({ minor: netMinorOf(move) }) },
  { title: { en: 'Title', pl: 'Tytuł' }, cell: (move) => move.title },
  { title: { en: 'Hidden description', pl: 'Opis ukryty' }, cell: (move) => move.hiddenDescription },
  { title: { en: 'Transaction', pl: 'Transakcja' }, cell: (move) => move.transactionId },
  { title: { en: 'Journal', pl: 'Zapis' }, cell: (move) => move.journalId },
];
