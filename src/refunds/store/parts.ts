// SQL of refunds over several sellers. Owns: refund_part, part_refund_total, line_refund_total. Callers hold the lock of
// the transaction.

import { given, readInteger, readText, type Sql } from '../../database/index.ts';
import type { TransactionId } from '../../kernel/index.ts';
import type { ChosenPart, LineTotal, PartTotal, RefundedLine, RefundPart } from '../model.ts';
import { lineRefundTotalTable, partRefundTotalTable, refundPartTable } from '../table.ts';

/** What was refunded of the parts of a transaction; parts without refunds are missing. */
export function listPartTotals(sql: Sql, transactionId: TransactionId): Promise<PartTotal[]> {
  return sql.many(partRefundTotalTable.read)`
    select total.* from transaction_part as part join part_refund_total as total on total.part_id = part.id
     where part.transaction_id = ${transactionId}`;
}

/** The same for lines. */
export function listLineTotals(sql: Sql, transactionId: TransactionId): Promise<LineTotal[]> {
  return sql.many(lineRefundTotalTable.read)`
    select total.* from transaction_part as part join line_refund_total as total on total.part_id = part.id
     where part.transaction_id = ${transactionId}`;
}

/** The parts of refunds, in a fixed order. */
export function listRefundParts(sql: Sql, refundIds: readonly string[]): Promise<RefundPart[]> {
  return sql.many(refundPartTable.read)`
    select refund_part.* from refund_part join transaction_part on transaction_part.id = refund_part.part_id
     where refund_id = any(${refundIds}::text[]) order by refund_id, transaction_part.number`;
}

/** How many lines refunds have, without reading them. */
export async function listLineCounts(sql: Sql, refundIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.many((row) => [readText(row, 'refund_id'), readInteger(row, 'lines')] as const)`
    select refund_id, sum(json_array_length(lines::json))::integer as lines from refund_part
     where refund_id = any(${refundIds}::text[]) group by 1`;
  return new Map(rows);
}

/** The lines of a part, as stored. Their limits are below those of a double. */
export function encodeLines(lines: readonly RefundedLine[]): string {
  return JSON.stringify(
    lines.map(({ line, quantity, unitPriceMinor, sold }) => {
      return { line, quantity: Number(quantity), unitPriceMinor: Number(unitPriceMinor), sold: Number(sold) };
    }),
  );
}

export function decodeLines(stored: string): RefundedLine[] {
  const lines = JSON.parse(stored) as Record<keyof RefundedLine, number>[];
  return lines.map(({ line, quantity, unitPriceMinor, sold }) => {
    return { line, quantity: BigInt(quantity), unitPriceMinor: BigInt(unitPriceMinor), sold: BigInt(sold) };
  });
}

export interface NewRefundPart {
  readonly row: RefundPart;
  /** Has the limits of its totals. */
  readonly chosen: Pick<ChosenPart, 'part' | 'productsLimitMinor' | 'lines'>;
}

/** Inserts the parts of a refund and adds them to the totals, whose limits the schema checks. */
export async function insertRefundParts(sql: Sql, parts: readonly NewRefundPart[]): Promise<void> {
  const rows = parts.map(({ row }) => row);
  await refundPartTable.copy(sql, rows);
  const totals = parts.map(({ row, chosen: { part, productsLimitMinor } }) => ({
    partId: row.partId,
    amountMinor: part.amountMinor,
    commissionMinor: part.commissionMinor,
    refundedMinor: row.amountMinor,
    commissionReturnedMinor: row.commissionMinor,
    paidLateMinor: 0n,
    productsLimitMinor,
    productsRefundedMinor: row.productsMinor,
  }));
  await sql.run`
    insert into part_refund_total (${partRefundTotalTable.names})
    select ${partRefundTotalTable.names} from ${given(totals, partRefundTotalTable.types())}
    on conflict (part_id) do update
       set refunded_minor = part_refund_total.refunded_minor + excluded.refunded_minor,
           commission_returned_minor = part_refund_total.commission_returned_minor + excluded.commission_returned_minor,
           products_refunded_minor = part_refund_total.products_refunded_minor + excluded.products_refunded_minor`;
  const lines = parts.flatMap(({ row: { partId }, chosen }) =>
    chosen.lines.map(({ line, quantity, unitPriceMinor, sold, soldPriceMinor }) => ({
      partId,
      line,
      quantity: sold,
      refunded: quantity,
      unitPriceMinor: soldPriceMinor,
      refundedValue: quantity * unitPriceMinor,
    })),
  );
  if (lines.length === 0) return;
  await sql.run`
    insert into line_refund_total (part_id, line, quantity, refunded, unit_price_minor, refunded_value)
    select part_id, line, min(quantity), sum(refunded)::bigint, min(unit_price_minor), sum(refunded_value)
      from ${given(lines, lineRefundTotalTable.types())}
     group by 1, 2
    on conflict (part_id, line) do update
       set refunded = line_refund_total.refunded + excluded.refunded,
           refunded_value = line_refund_total.refunded_value + excluded.refunded_value`;
}

function linesOf(rows: readonly RefundPart[]): (RefundedLine & { readonly partId: string })[] {
  return rows.flatMap(({ partId, lines }) => decodeLines(lines).map((line) => ({ ...line, partId })));
}

/** Releases what returned refunds took of their parts and lines. */
export async function updatePartsReturned(sql: Sql, rows: readonly RefundPart[]): Promise<void> {
  if (rows.length === 0) return;
  const parts = rows.map(({ partId, amountMinor, commissionMinor, productsMinor }) => ({
    partId,
    amountMinor,
    commissionMinor,
    productsMinor,
  }));
  const columns = refundPartTable.types('partId', 'amountMinor', 'commissionMinor', 'productsMinor');
  await sql.run`
    update part_refund_total as total
       set refunded_minor = total.refunded_minor - given.amount,
           commission_returned_minor = total.commission_returned_minor - given.commission,
           products_refunded_minor = total.products_refunded_minor - given.products
      from (select part_id, sum(amount_minor)::bigint as amount, sum(commission_minor)::bigint as commission,
                   sum(products_minor)::bigint as products
              from ${given(parts, columns)}
             group by 1) as given
     where total.part_id = given.part_id`;
  const lines = linesOf(rows).map(({ partId, line, quantity, unitPriceMinor }) => ({
    partId,
    line,
    refunded: quantity,
    refundedValue: quantity * unitPriceMinor,
  }));
  if (lines.length === 0) return;
  await sql.run`
    update line_refund_total as total
       set refunded = total.refunded - given.refunded, refunded_value = total.refunded_value - given.value
      from (select part_id, line, sum(refunded)::bigint as refunded, sum(refunded_value) as value
              from ${given(lines, lineRefundTotalTable.types('partId', 'line', 'refunded', 'refundedValue'))}
             group by 1, 2) as given
     where total.part_id = given.part_id and total.line = given.line`;
}

/** The bank paid them out although it had declined: these parts cannot be refunded again, until that comes back (`sign`). */
export async function updatePartsPaidLate(sql: Sql, rows: readonly RefundPart[], sign: 1n | -1n): Promise<void> {
  if (rows.length === 0) return;
  const parts = rows.map(({ partId, amountMinor }) => ({ partId, amountMinor: sign * amountMinor }));
  await sql.run`
    update part_refund_total as total set paid_late_minor = total.paid_late_minor + given.amount
      from (select part_id, sum(amount_minor)::bigint as amount
              from ${given(parts, partRefundTotalTable.types('partId', 'amountMinor'))}
             group by 1) as given
     where total.part_id = given.part_id`;
}
