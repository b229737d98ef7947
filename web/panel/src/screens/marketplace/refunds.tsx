import { Text } from '@mantine/core';
import { useCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Section } from '../../ui/page.tsx';
import { RefundStatus } from '../refunds/status.tsx';
import { refundText } from '../refunds/words.ts';
import { useSellerNames } from './names.ts';
import type { MarketTransaction } from './status.tsx';
import { marketText } from './words.ts';

type Row = MarketTransaction['refunds'][number];

export function Refunds({ transaction }: { readonly transaction: MarketTransaction }) {
  const t = useText(marketText);
  const { refunds } = transaction;
  return (
    <Section title={t('refunds')}>
      {refunds.length > 0 ? (
        <RefundTable transaction={transaction} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('noRefunds')}
        </Text>
      )}
    </Section>
  );
}

function RefundTable({
  transaction: { transactionId, refunds, currency },
}: {
  readonly transaction: MarketTransaction;
}) {
  const t = useText(marketText);
  const list = useText(listText);
  const refund = useText(refundText);
  const format = useFormat();
  const cents = useCents();
  const nameOf = useSellerNames(transactionId);
  const columns: readonly Column<Row>[] = [
    {
      key: 'amount',
      label: list('amount'),
      lead: true,
      cell: ({ refundId, amount }) => (
        <TextLink to={`/refunds/${refundId}`} className="numeric" size="sm" fw={600}>
          {cents(amount, currency)}
        </TextLink>
      ),
    },
    { key: 'status', label: list('status'), cell: ({ status }) => <RefundStatus status={status} /> },
    {
      key: 'sellers',
      label: t('seller'),
      cell: ({ childTransactions }) => (
        <ul className="plain-list">
          {childTransactions.map(({ id, merchantId, amount }) => (
            <li key={id}>
              {nameOf(merchantId)}: <span className="numeric">{cents(amount, currency)}</span>
            </li>
          ))}
        </ul>
      ),
    },
    { key: 'fee', label: t('fee'), align: 'end', cell: ({ fee }) => cents(fee, currency) },
    { key: 'date', label: refund('requested'), nowrap: true, cell: ({ date }) => format.local(date.schedule) },
  ];
  return <Table label={t('refunds')} columns={columns} rows={refunds} keyOf={({ refundId }) => refundId} links />;
}
