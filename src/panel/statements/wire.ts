// Statements on screen and in files.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import type { FileColumn } from '../../http/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { Statement } from './show.ts';
import { statementFileWords } from './words.ts';

/** Signed sums in the order in which they add up to the closing balance. */
function partsOf({ sums }: Statement) {
  return {
    payments: sums.paymentsMinor,
    paymentFees: sums.paymentFeesMinor,
    refunds: sums.refundsMinor,
    refundFees: sums.refundFeesMinor,
    refundsReturned: sums.returnedMinor + sums.returnedFeesMinor,
    commissions: sums.commissionsMinor,
    disputes: sums.disputesMinor,
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
    disputes: decimalFromMinor(parts.disputes),
    other: decimalFromMinor(parts.other),
    closing: decimalFromMinor(statement.closingMinor),
    paymentCount: statement.sums.payments,
    refundCount: statement.sums.refunds,
  };
}

export function statementColumns(language: PanelLanguage): readonly FileColumn<Statement>[] {
  const words = statementFileWords[language];
  return [
    { title: words.from, cell: ({ from }) => from.toString() },
    { title: words.to, cell: ({ to }) => to.toString() },
    { title: words.opening, cell: ({ openingMinor }) => ({ minor: openingMinor }) },
    { title: words.payments, cell: (one) => ({ minor: partsOf(one).payments }) },
    { title: words.paymentFees, cell: (one) => ({ minor: partsOf(one).paymentFees }) },
    { title: words.refunds, cell: (one) => ({ minor: partsOf(one).refunds }) },
    { title: words.refundFees, cell: (one) => ({ minor: partsOf(one).refundFees }) },
    { title: words.refundsReturned, cell: (one) => ({ minor: partsOf(one).refundsReturned }) },
    { title: words.commissions, cell: (one) => ({ minor: partsOf(one).commissions }) },
    { title: words.disputes, cell: (one) => ({ minor: partsOf(one).disputes }) },
    { title: words.other, cell: (one) => ({ minor: partsOf(one).other }) },
    { title: words.closing, cell: ({ closingMinor }) => ({ minor: closingMinor }) },
    { title: words.paymentCount, cell: ({ sums }) => sums.payments },
    { title: words.refundCount, cell: ({ sums }) => sums.refunds },
  ];
}
