// Statements on screen and in files.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { Cell } from '../csv.ts';
import type { Statement } from './show.ts';

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

export function serializeStatement(statement: Statement) {
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

export const statementTitles: Readonly<Record<PanelLanguage, readonly string[]>> = {
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
