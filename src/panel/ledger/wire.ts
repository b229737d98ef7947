// The ledger on screen and in files.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import { decimalFromMinor, localText } from '../../kernel/index.ts';
import type { Cell } from '../csv.ts';
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

export const moveTitles: Readonly<Record<PanelLanguage, readonly string[]>> = {
  en: [
    'Time',
    'Kind',
    'Amount',
    'Fee',
    'Commission',
    'Other',
    'Net',
    'Title',
    'Hidden description',
    'Transaction',
    'Journal',
  ],
  pl: ['Czas', 'Rodzaj', 'Kwota', 'Opłata', 'Prowizja', 'Inne', 'Netto', 'Tytuł', 'Opis ukryty', 'Transakcja', 'Zapis'],
};

const kindNames: Readonly<Record<PanelLanguage, Readonly<Record<MoveRow['kind'], string>>>> = {
  en: { payment: 'payment', refund: 'refund', refund_returned: 'refund returned', opening: 'opening', other: 'other' },
  pl: { payment: 'płatność', refund: 'zwrot', refund_returned: 'zwrot cofnięty', opening: 'otwarcie', other: 'inne' },
};

export function moveCells(move: MoveRow, zone: string, language: PanelLanguage): Cell[] {
  return [
    localText(move.at, zone),
    kindNames[language][move.kind],
    { minor: move.amountMinor },
    { minor: move.feeMinor },
    { minor: move.commissionMinor },
    { minor: move.otherMinor },
    { minor: netMinorOf(move) },
    move.title,
    move.hiddenDescription,
    move.transactionId,
    move.journalId,
  ];
}
