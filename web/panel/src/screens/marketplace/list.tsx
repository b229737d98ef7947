import { IconBuildingStore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import { useCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { StateMark } from './status.tsx';
import { marketText } from './words.ts';

export default function MarketTransactions() {
  const t = useText(marketText);
  const list = useText(listText);
  const format = useFormat();
  const cents = useCents();
  const sellers = useQuery(read('GET /accounts', { query: { limit: 100 } }));
  const sellerNames = Object.fromEntries(sellers.data?.list.map(({ id, name }) => [id, name]) ?? []);
  return (
    <List
      endpoint="GET /marketplace/v1/transaction"
      title={t('list')}
      about={t('about')}
      numbered
      filters={{
        status: {
          label: list('status'),
          options: { pending: t('pending'), paid: t('paid'), refund: t('refund'), canceled: t('canceled') },
        },
        merchantId: { label: t('seller'), options: sellerNames, open: true, asks: (id) => ({ merchantId: [id] }) },
        hiddenDescription: { label: t('reference') },
        // Days of the address as the moments that the API wants.
        from: { label: list('from'), day: true, asks: (day) => ({ from: `${day} 00:00:00` }) },
        to: { label: list('to'), day: true, asks: (day) => ({ to: `${day} 23:59:59` }) },
      }}
      rows={({ list: rows }) => rows}
      keyOf={({ transactionId }) => transactionId}
      links
      columns={[
        {
          key: 'title',
          label: list('transaction'),
          lead: true,
          cell: ({ transactionId, title }) => (
            <TextLink to={`/marketplace/transactions/${transactionId}`} className="mono" size="sm">
              {title}
            </TextLink>
          ),
        },
        { key: 'amount', label: list('amount'), align: 'end', cell: ({ amount, currency }) => cents(amount, currency) },
        { key: 'status', label: list('status'), cell: ({ status }) => <StateMark status={status} /> },
        { key: 'children', label: t('children'), align: 'end', cell: ({ children }) => format.number(children) },
        { key: 'description', label: list('description'), cell: ({ description }) => description },
        { key: 'payer', label: list('payer'), cell: ({ billingAddress }) => billingAddress.email },
        { key: 'date', label: t('created'), nowrap: true, cell: ({ date }) => format.local(date.creation) },
      ]}
      empty={{ icon: IconBuildingStore, title: t('empty'), children: t('emptyHint') }}
    />
  );
}
