// Money on screen and in files.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import { decimalFromMinor, localText } from '../../kernel/index.ts';
import type { Cell } from '../csv.ts';
import type { Statement } from './statements.ts';
import type { MoveRow } from './store.ts';

function netMinorOf({ amountMinor, feeMinor, commissionMinor, otherMinor }: MoveRow): bigint {
  return amountMinor + feeMinor + commissionMinor + otherMinor;
}

export function writeMove(move: MoveRow) {
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

type Titles = Readonly<Record<PanelLanguage, readonly string[]>>;

export const moveTitles: Titles = {
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

/** Signed sums in the order in which they add up to the closing balance. */
function partsOf({ sums }: Statement) {
  return {
    payments: sums.paymentsMinor,
    paymentFees: sums.paymentFeesMinor,
    refunds: sums.refundsMinor,
    refundFees: sums.refundFeesMinor,
    refundsReturned: sums.returnedMinor + sums.returnedFeesMinor,
    commissions: sums.commissionsMinor,
    other: sums.otherMinor,
  };
}

export function writeStatement(statement: Statement) {
  const parts = partsOf(statement);
  return {
    from: statement.from.toString(),
    to: statement.to.toString(),
    opening: decimalFromMinor(statement.openingMinor),
    payments: decimalFromMinor(parts.payments),
    paymentFees: decimalFromMinor(parts.paymentFees),
    refunds: decimalFromMinor(parts.refunds),
    refundFees: decimalFromMinor(parts.refundFees),
    refundsReturned: decimalFromMinor(parts.refundsReturned),
    commissions: decimalFromMinor(parts.commissions),
    other: decimalFromMinor(parts.other),
    closing: decimalFromMinor(statement.closingMinor),
    paymentCount: statement.sums.payments,
    refundCount: statement.sums.refunds,
  };
}

export const statementTitles: Titles = {
  en: [
    'From',
    'To',
    'Opening balance',
    'Payments',
    'Payment fees',
    'Refunds',
    'Refund fees',
    'Refunds returned',
    'Commissions',
    'Other',
    'Closing balance',
    'Number of payments',
    'Number of refunds',
  ],
  pl: [
    'Od',
    'Do',
    'Saldo początkowe',
    'Płatności',
    'Opłaty za płatności',
    'Zwroty',
    'Opłaty za zwroty',
    'Zwroty cofnięte',
    'Prowizje',
    'Inne',
    'Saldo końcowe',
    'Liczba płatności',
    'Liczba zwrotów',
  ],
};

export function statementCells(statement: Statement): Cell[] {
  const { from, to, openingMinor, closingMinor, sums } = statement;
  const parts = Object.values(partsOf(statement)).map((minor) => ({ minor }));
  return [
    from.toString(),
    to.toString(),
    { minor: openingMinor },
    ...parts,
    { minor: closingMinor },
    sums.payments,
    sums.refunds,
  ];
}
