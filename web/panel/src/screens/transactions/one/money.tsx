import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { TextLink } from '../../../ui/link.tsx';
import { type Column, Table } from '../../../ui/list/table.tsx';
import { listText } from '../../../ui/list/words.ts';
import { Section } from '../../../ui/page.tsx';
import { hasNoMoney, type RefundState, RefundStatus } from '../../refunds/status.tsx';
import type { Detail } from '../status.tsx';
import { oneTransactionText } from './words.ts';

interface Props {
  readonly detail: Detail;
}

/** Nothing if there are none. */
export function Refunds({ detail: { transaction, refunds } }: Props) {
  const t = useText(oneTransactionText);
  const list = useText(listText);
  const format = useFormat();
  const { currency, transactionId, origin } = transaction;
  if (refunds.length === 0) return null;
  const pathOf = (refundId: string) =>
    origin === 'marketplace' ? `/marketplace/transactions/${transactionId}` : `/refunds/${refundId}`;
  const columns: readonly Column<Detail['refunds'][number]>[] = [
    {
      key: 'amount',
      label: list('amount'),
      lead: true,
      cell: ({ refundId, amount }) => (
        <TextLink to={pathOf(refundId)} className="numeric" size="sm" fw={600}>
          {format.amount(amount, currency)}
        </TextLink>
      ),
    },
    { key: 'status', label: list('status'), cell: ({ status }) => <RefundStatus status={status as RefundState} /> },
    {
      key: 'fee',
      label: t('fee'),
      align: 'end',
      // That of a refund whose money came back was given back with it.
      cell: ({ fee, status }) => format.amount(hasNoMoney(status as RefundState) ? 0 : fee, currency),
    },
    { key: 'requested', label: t('requested'), nowrap: true, cell: ({ createdAt }) => format.dateTime(createdAt) },
    { key: 'ended', label: t('ended'), nowrap: true, cell: ({ endedAt }) => (endedAt ? format.dateTime(endedAt) : '') },
  ];
  return (
    <Section title={t('refunds')}>
      <Table label={t('refunds')} columns={columns} rows={refunds} keyOf={({ refundId }) => refundId} links />
    </Section>
  );
}

/** What each seller of a marketplace got; nothing for other transactions. */
export function Parts({ detail: { transaction, parts } }: Props) {
  const t = useText(oneTransactionText);
  const list = useText(listText);
  const format = useFormat();
  if (parts.length === 0) return null;
  const sum = (amount: number) => format.amount(amount, transaction.currency);
  const columns: readonly Column<Detail['parts'][number]>[] = [
    { key: 'seller', label: t('seller'), lead: true, cell: ({ sellerName }) => sellerName },
    { key: 'description', label: list('description'), cell: ({ description }) => description },
    { key: 'amount', label: list('amount'), align: 'end', cell: ({ amount }) => sum(amount) },
    { key: 'fee', label: t('fee'), align: 'end', cell: ({ fee }) => sum(fee) },
    { key: 'commission', label: t('commission'), align: 'end', cell: ({ commission }) => sum(commission) },
    { key: 'refunded', label: t('refunded'), align: 'end', cell: ({ refunded }) => sum(refunded) },
  ];
  return (
    <Section title={t('parts')}>
      <Table label={t('parts')} columns={columns} rows={parts} keyOf={({ childId }) => childId} />
    </Section>
  );
}
