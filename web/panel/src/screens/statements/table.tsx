import { Text } from '@mantine/core';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { type Column, Table } from '../../ui/list/table.tsx';
import { statementText } from './words.ts';

type Statements = Answer<'GET /panel/api/statements'>;
export type Step = 'day' | 'month';
type Row = Statements['rows'][number];
type Figure = keyof Omit<Row, 'from' | 'to' | 'paymentCount' | 'refundCount'>;

/** In the order in which they add up. */
const always: readonly Figure[] = ['opening', 'payments', 'paymentFees', 'refunds', 'refundFees'];
const sometimes: readonly Figure[] = ['refundsReturned', 'commissions', 'disputes', 'other'];

interface StatementTableProps {
  readonly statements: Statements;
  readonly by: Step;
}

/** Whether nothing happened: the balance at the end is that of the beginning. */
function isQuiet(row: Row): boolean {
  const figures = [...always.filter((figure) => figure !== 'opening'), ...sometimes];
  return row.paymentCount === 0 && row.refundCount === 0 && figures.every((figure) => row[figure] === 0);
}

/** The newest first, below the total. Columns without any amount and rows in which nothing happened are left out. */
export function StatementTable({ statements: { rows: all, total }, by }: StatementTableProps) {
  const rows = all.filter((row) => !isQuiet(row));
  const count = all.length - rows.length;
  const t = useText(statementText);
  const screen = useText(screenText);
  const { locale, local } = useFormat();
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' });
  const nameOf = ({ from }: Row) => (by === 'month' ? month.format(new Date(`${from}T00:00:00Z`)) : local(from));
  const used = sometimes.filter((figure) => rows.some((row) => row[figure] !== 0));
  const columns: readonly Column<Row>[] = [
    {
      key: 'day',
      label: t(by),
      lead: true,
      nowrap: true,
      cell: (row) => (row === total ? <strong>{t('total')}</strong> : nameOf(row)),
    },
    ...[...always, ...used, 'closing' as const].map((figure) => ({
      key: figure,
      label: t(figure === 'opening' ? 'openingBalance' : figure),
      align: 'end' as const,
      cell: (row: Row) => (row === total ? <strong>{amount.format(row[figure])}</strong> : amount.format(row[figure])),
    })),
  ];
  const keyOf = (row: Row) => (row === total ? 'total' : row.from);
  return (
    <>
      <Table dense label={screen('statements')} columns={columns} rows={[total, ...rows.toReversed()]} keyOf={keyOf} />
      {count > 0 ? (
        <Text size="sm" c="dimmed" p="sm">
          {t(by === 'month' ? 'quietMonths' : 'quietDays', { count })}
        </Text>
      ) : null}
    </>
  );
}
