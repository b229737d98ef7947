import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { channelIds, useChannelName } from '../../ui/channels/channels.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { GrowingList, type Grown } from '../../ui/list/growing.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { commonText } from '../../ui/words.ts';
import { type Row, TransactionStatus } from './status.tsx';
import { Views } from './views/views.tsx';
import { transactionText } from './words.ts';

const endpoint = 'GET /panel/api/transactions';

/** Declined is shown as a status of its own, although it can still be paid. */
const waitingAfterDecline = { status: 'pending', paymentStatus: 'declined' } as const;

/** As the service reads amounts; people may type a comma. */
const plainAmount = (text: string) => text.replaceAll(/\s/g, '').replace(',', '.');

function useColumns(): readonly Column<Row>[] {
  const t = useText(transactionText);
  const list = useText(listText);
  const format = useFormat();
  const channelName = useChannelName();
  return [
    {
      key: 'title',
      label: list('transaction'),
      lead: true,
      cell: ({ transactionId, title }) => (
        <TextLink to={`/transactions/${transactionId}`} className="mono nowrap" size="sm">
          {title}
        </TextLink>
      ),
    },
    {
      key: 'amount',
      label: list('amount'),
      align: 'end',
      cell: ({ amount, currency }) => format.amount(amount, currency),
    },
    { key: 'status', label: list('status'), cell: (row) => <TransactionStatus of={row} /> },
    {
      key: 'description',
      label: list('description'),
      cell: ({ description }) => <span className="clipped">{description}</span>,
    },
    {
      key: 'payer',
      label: list('payer'),
      cell: ({ payerEmail, payerName }) => <span className="clipped">{payerEmail || payerName}</span>,
    },
    {
      key: 'method',
      label: t('method'),
      cell: ({ channelId }) => (channelId === null ? '' : channelName(channelId)),
    },
    {
      key: 'created',
      label: t('created'),
      cell: ({ createdAt }) => <span className="numeric">{format.dateTime(createdAt)}</span>,
    },
  ];
}

export default function Transactions() {
  const t = useText(transactionText);
  const list = useText(listText);
  const channelName = useChannelName();
  const create = useMay('write') ? <ButtonLink to="/transactions/new">{t('newPayment')}</ButtonLink> : null;
  return (
    <GrowingList
      endpoint={endpoint}
      title={useText(screenText)('transactions')}
      about={t('about')}
      file="GET /panel/api/transactions/export"
      actions={create}
      above={(filters) => <Views filters={filters} />}
      filters={{
        q: { label: t('search'), placeholder: t('searchHint'), wide: true },
        status: {
          label: list('status'),
          options: {
            pending: t('unpaid'),
            paid: t('paid'),
            refund: t('refund'),
            canceled: t('canceled'),
            declined: t('declined'),
          },
          asks: (status) => (status === 'declined' ? waitingAfterDecline : undefined),
        },
        channelId: { label: t('method'), options: Object.fromEntries(channelIds.map((id) => [id, channelName(id)])) },
        from: { label: list('from'), day: true },
        to: { label: list('to'), day: true },
        amountFrom: { label: t('amountFrom'), cleaned: plainAmount },
        amountTo: { label: t('amountTo'), cleaned: plainAmount },
      }}
      rows={({ transactions }) => transactions}
      keyOf={({ transactionId }) => transactionId}
      label={t('list')}
      links
      columns={useColumns()}
      foot={(grown) => <More {...grown} />}
      empty={{
        icon: IconListDetails,
        title: t('empty'),
        children: create ? t('emptyHint') : t('emptyReading'),
        action: (
          <Group gap="md" mt="sm" justify="center">
            {create}
            <Anchor href="/docs/" size="sm">
              {t('docs')}
            </Anchor>
          </Group>
        ),
      }}
    />
  );
}

/** One request looks through a bounded number of transactions, so it says how far that was. */
function More({ count, last: { searchedTo }, isMore, busy, more }: Grown<typeof endpoint>) {
  const t = useText(transactionText);
  const common = useText(commonText);
  const format = useFormat();
  return (
    <Group justify="space-between" p="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {t('shown', { count })}
        {searchedTo ? ` · ${t('searchedTo', { date: format.dateTime(searchedTo) })}` : ''}
      </Text>
      {isMore ? (
        <Button variant="default" loading={busy} onClick={more}>
          {count > 0 ? common('more') : t('searchFurther')}
        </Button>
      ) : null}
    </Group>
  );
}
