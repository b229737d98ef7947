import { Button, Group, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFilters } from '../../address.ts';
import { call, read } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useDeliveryWords } from '../../ui/delivery-fault/delivery-fault.ts';
import { useTell } from '../../ui/failed/failed.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { FilterBar, SelectFilter } from '../../ui/list/filters.tsx';
import { Older } from '../../ui/list/older.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { DeliveryStatus, deliveryStates, type Listed, subjectPath } from './delivery-status.tsx';
import { Health } from './health.tsx';
import { TestButton } from './test.tsx';
import { notificationText } from './words.ts';

const filterNames = ['status', 'before'] as const;

export default function Notifications() {
  const t = useText(notificationText);
  const list = useText(listText);
  const screen = useText(screenText);
  const mayWrite = useMay('write');
  const [{ status, before }, change] = useFilters(filterNames);
  const known = deliveryStates.find((one) => one === status);
  const query = { ...(known ? { status: known } : {}), before };
  const found = useQuery({ ...read('GET /panel/api/notifications', { query }), placeholderData: keepPreviousData });
  return (
    <Page
      title={screen('notifications')}
      about={t('notificationsAbout')}
      actions={
        mayWrite ? (
          <>
            <ResendAll />
            <TestButton />
          </>
        ) : null
      }
    >
      <Health />
      <FilterBar active={status === '' ? 0 : 1} clear={() => change({ status: '', before: '' })}>
        <SelectFilter
          label={list('status')}
          value={status}
          change={(value) => change({ status: value, before: '' })}
          options={deliveryStates.map((value) => ({ value, label: t(value) }))}
        />
      </FilterBar>
      <div className="card">
        <Loaded query={found}>
          {(data) =>
            data.notifications.length > 0 ? <Rows rows={data.notifications} /> : <None filtered={status !== ''} />
          }
        </Loaded>
      </div>
      <Older
        before={before}
        nextBefore={found.data?.nextBefore}
        open={(to) => change({ before: to }, { push: true })}
      />
    </Page>
  );
}

function Rows({ rows }: { readonly rows: readonly Listed[] }) {
  const t = useText(notificationText);
  const list = useText(listText);
  const screen = useText(screenText);
  const format = useFormat();
  const wordsOf = useDeliveryWords();
  const columns: readonly Column<Listed>[] = [
    {
      key: 'created',
      label: t('created'),
      lead: true,
      cell: ({ eventId, createdAt }) => (
        <TextLink to={`/developers/notifications/${eventId}`} size="sm" className="numeric">
          {format.dateTime(createdAt)}
        </TextLink>
      ),
    },
    { key: 'about', label: t('type'), cell: (row) => <About notification={row} /> },
    {
      key: 'amount',
      label: list('amount'),
      align: 'end',
      cell: ({ amount, currency }) => (amount === null || currency === null ? '' : format.amount(amount, currency)),
    },
    {
      key: 'status',
      label: list('status'),
      cell: ({ status, nextTryAt }) => (
        <>
          <DeliveryStatus status={status} />
          {nextTryAt ? <Below>{t('nextTryAt', { time: format.dateTime(nextTryAt) })}</Below> : null}
        </>
      ),
    },
    {
      key: 'url',
      label: t('url'),
      cell: ({ url }) => (url ? <span className="mono clipped">{url}</span> : ''),
    },
    { key: 'tries', label: t('tries'), align: 'end', cell: ({ tries }) => format.number(tries) },
    {
      key: 'last',
      label: t('lastAnswer'),
      cell: ({ lastStatus, lastError }) => (
        <span title={lastError ?? undefined}>
          {[lastStatus, lastError && wordsOf(lastError)].filter((one) => one !== null).join(' · ')}
        </span>
      ),
    },
  ];
  return <Table label={screen('notifications')} columns={columns} rows={rows} keyOf={({ eventId }) => eventId} links />;
}

function Below({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** What it is about, with the transaction. */
function About({ notification }: { readonly notification: Listed }) {
  const t = useText(notificationText);
  const { type, title } = notification;
  if (title === null) return t(type);
  return (
    <>
      <TextLink to={subjectPath(notification)} size="sm" className="mono nowrap">
        {title}
      </TextLink>
      <Below>{t(type)}</Below>
    </>
  );
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(notificationText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty icon={IconBell} title={t('noNotifications')}>
      {t('noNotificationsHint')}
    </Empty>
  );
}

/** Only while there is something to resend. */
function ResendAll() {
  const t = useText(notificationText);
  const tell = useTell();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const health = useQuery(read('GET /panel/api/notifications/endpoints'));
  async function send(): Promise<void> {
    let [count, hasMore] = [0, true];
    while (hasMore) {
      const resent = await call('POST /events/resend', { body: { status: 'exhausted' } });
      count += resent.count;
      hasMore = resent.hasMore;
    }
    await client.invalidateQueries({ queryKey: ['GET /panel/api/notifications'] });
    await client.invalidateQueries({ queryKey: ['GET /panel/api/notifications/endpoints'] });
    tell.done(t('resentAll', { count }));
  }
  if (!health.data?.exhausted && !open) return null;
  return (
    <Group gap={0}>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('resendAll')}
      </Button>
      {open ? (
        <Confirm title={t('resendAllTitle')} submit={t('resendAll')} onClose={() => setOpen(false)} send={send}>
          {t('resendAllHint')}
        </Confirm>
      ) : null}
    </Group>
  );
}
