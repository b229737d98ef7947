import { IconArrowBackUp } from '@tabler/icons-react';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { RefundStatus } from './status.tsx';
import { refundText } from './words.ts';

type Row = Answer<'GET /refunds'>['transactions']['list'][number];

function useColumns(): readonly Column<Row>[] {
  const t = useText(refundText);
  const list = useText(listText);
  const format = useFormat();
  return [
    {
      key: 'amount',
      label: list('amount'),
      lead: true,
      cell: ({ refundId, amount, currency }) => (
        <TextLink to={`/refunds/${refundId}`} className="numeric" size="sm" fw={600}>
          {format.amount(amount, currency)}
        </TextLink>
      ),
    },
    { key: 'status', label: list('status'), cell: ({ status }) => <RefundStatus status={status} /> },
    {
      key: 'transaction',
      label: list('transaction'),
      cell: ({ transactionId, transactionTitle }) => (
        <TextLink to={`/transactions/${transactionId}`} className="mono" size="sm">
          {transactionTitle}
        </TextLink>
      ),
    },
    { key: 'schedule', label: t('requested'), nowrap: true, cell: ({ date }) => format.local(date.schedule) },
    {
      key: 'processed',
      label: t('processed'),
      nowrap: true,
      cell: ({ date }) => (date.processed ? format.local(date.processed) : ''),
    },
  ];
}

export default function Refunds() {
  const t = useText(refundText);
  const list = useText(listText);
  return (
    <List
      endpoint="GET /refunds"
      title={useText(screenText)('refunds')}
      about={t('about')}
      numbered
      filters={{
        transactionTitle: { label: t('title') },
        payerEmail: { label: list('payerEmail') },
        context: { label: t('way'), options: { card: t('card'), transactional: t('transactional') } },
        // Days of the address as the moments that the API wants.
        from: { label: list('from'), day: true, asks: (day) => ({ from: `${day} 00:00:00` }) },
        to: { label: list('to'), day: true, asks: (day) => ({ to: `${day} 23:59:59` }) },
      }}
      rows={({ transactions }) => transactions.list}
      keyOf={({ refundId }) => refundId}
      label={t('list')}
      links
      columns={useColumns()}
      empty={{
        icon: IconArrowBackUp,
        title: t('empty'),
        children: t('emptyHint'),
        action: (
          <ButtonLink to="/transactions" search={{ status: 'paid' }} variant="default" mt="sm">
            {t('toTransactions')}
          </ButtonLink>
        ),
      }}
    />
  );
}
