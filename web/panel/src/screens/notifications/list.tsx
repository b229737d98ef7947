import { Button, Group, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call, read } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useDeliveryWords } from '../../ui/delivery-fault/delivery-fault.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { DeliveryStatus, type Listed, subjectPath } from './delivery-status.tsx';
import { Health } from './health.tsx';
import { TestButton } from './test.tsx';
import { notificationText } from './words.ts';

function useColumns(): readonly Column<Listed>[] {
  const t = useText(notificationText);
  const list = useText(listText);
  const format = useFormat();
  const wordsOf = useDeliveryWords();
  return [
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
      cell: (row) => (
        <>
          <DeliveryStatus of={row} />
          {row.nextTryAt ? <Below>{t('nextTryAt', { time: format.dateTime(row.nextTryAt) })}</Below> : null}
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
}

export default function Notifications() {
  const t = useText(notificationText);
  const list = useText(listText);
  return (
    <List
      endpoint="GET /panel/api/notifications"
      title={useText(screenText)('notifications')}
      about={t('notificationsAbout')}
      actions={useMay('write') ? <Sending /> : null}
      above={<Health />}
      filters={{
        status: {
          label: list('status'),
          options: {
            pending: t('pending'),
            delivered: t('delivered'),
            exhausted: t('exhausted'),
            no_address: t('notSent'),
          },
        },
      }}
      rows={({ notifications }) => notifications}
      keyOf={({ eventId }) => eventId}
      links
      columns={useColumns()}
      empty={{ icon: IconBell, title: t('noNotifications'), children: t('noNotificationsHint') }}
    />
  );
}

function Sending() {
  return (
    <>
      <ResendAll />
      <TestButton />
    </>
  );
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

/** Only while there is something to resend. */
function ResendAll() {
  const t = useText(notificationText);
  const notify = useNotify();
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
    notify.done(t('resentAll', { count }));
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
