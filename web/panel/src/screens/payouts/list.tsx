import { Text } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Status } from '../../ui/status.tsx';
import { NextPayout } from '../ledger/balance.tsx';
import { Ask } from './ask.tsx';
import { type Payout, toneOf } from './tone.ts';
import { payoutsText } from './words.ts';

function useColumns(): readonly Column<Payout>[] {
  const t = useText(payoutsText);
  const list = useText(listText);
  const format = useFormat();
  return [
    {
      key: 'made',
      label: t('made'),
      lead: true,
      nowrap: true,
      cell: ({ payoutId, date }) => (
        <TextLink to={`/money/payouts/${payoutId}`} size="sm" fw={600}>
          {format.local(date.creation)}
        </TextLink>
      ),
    },
    {
      key: 'status',
      label: t('status'),
      cell: (payout) => <Status tone={toneOf(payout)}>{t(payout.status)}</Status>,
    },
    { key: 'to', label: t('to'), cell: ({ bankAccount }) => t('toHint', bankAccount) },
    { key: 'why', label: t('why'), cell: ({ onDemand }) => t(onDemand ? 'onDemand' : 'bySchedule') },
    {
      key: 'amount',
      label: list('amount'),
      align: 'end',
      cell: ({ amount, currency }) => format.amount(amount, currency),
    },
  ];
}

/** When the next one comes. */
function Next() {
  const { data } = useQuery(read('GET /balance'));
  return data ? (
    <Text size="sm">
      <NextPayout next={data.nextPayout} currency={data.balance.currency} />
    </Text>
  ) : null;
}

export default function Payouts() {
  const t = useText(payoutsText);
  return (
    <List
      endpoint="GET /payouts"
      title={useText(screenText)('payouts')}
      about={t('about')}
      actions={<Ask />}
      above={<Next />}
      numbered
      filters={{
        status: {
          label: t('status'),
          options: {
            created: t('created'),
            approved: t('approved'),
            sent: t('sent'),
            paid: t('paid'),
            returned: t('returned'),
            failed: t('failed'),
            canceled: t('canceled'),
          },
        },
      }}
      rows={({ payouts }) => payouts}
      keyOf={({ payoutId }) => payoutId}
      links
      columns={useColumns()}
      empty={{ icon: IconBuildingBank, title: t('empty'), children: t('emptyHint') }}
    />
  );
}
