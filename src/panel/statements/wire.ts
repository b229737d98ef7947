// Statements on screen and in files.

import { decimalFromMinor } from '../../kernel/index.ts';
import type { FileColumn } from '../list/file.ts';
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

export const statementColumns: readonly FileColumn<Statement>[] = [
  { title: { en: 'From', pl: 'Od' }, cell: ({ from }) => from.toString() },
  { title: { en: 'To', pl: 'Do' }, cell: ({ to }) => to.toString() },
  { title: { en: 'Opening balance', pl: 'Saldo początkowe' }, cell: ({ openingMinor }) => ({ minor: openingMinor }) },
  { title: { en: 'Payments', pl: 'Płatności' }, cell: (one) => ({ minor: partsOf(one).payments }) },
  { title: { en: 'Payment fees', pl: 'Opłaty za płatności' }, cell: (one) => ({ minor: partsOf(one).paymentFees }) },
  { title: { en: 'Refunds', pl: 'Zwroty' }, cell: (one) => ({ minor: partsOf(one).refunds }) },
  { title: { en: 'Refund fees', pl: 'Opłaty za zwroty' }, cell: (one) => ({ minor: partsOf(one).refundFees }) },
  {
    title: { en: 'Refunds returned', pl: 'Zwroty cofnięte' },
    cell: (one) => ({ minor: partsOf(one).refundsReturned }),
  },
  { title: { en: 'Commissions', pl: 'Prowizje' }, cell: (one) => ({ minor: partsOf(one).commissions }) },
  { title: { en: 'Other', pl: 'Inne' }, cell: (one) => ({ minor: partsOf(one).other }) },
  { title: { en: 'Closing balance', pl: 'Saldo końcowe' }, cell: ({ closingMinor }) => ({ minor: closingMinor }) },
  { title: { en: 'Number of payments', pl: 'Liczba płatności' }, cell: ({ sums }) => sums.payments },
  { title: { en: 'Number of refunds', pl: 'Liczba zwrotów' }, cell: ({ sums }) => sums.refunds },
];
