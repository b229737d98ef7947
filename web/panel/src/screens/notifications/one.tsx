import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePathPart } from '../../address.ts';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Body } from '../../ui/body.tsx';
import { useDeliveryFault } from '../../ui/delivery-fault/delivery-fault.ts';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextLink } from '../../ui/link.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note, Status } from '../../ui/status.tsx';
import { DeliveryStatus, isToBeRead, type Notification, subjectPath } from './delivery-status.tsx';
import { notificationText } from './words.ts';

type Delivery = Answer<'GET /events/{eventId}/deliveries'>['deliveries'][number];

/** While its next try is due. */
const refreshMilliseconds = 3_000;

export default function OneNotification() {
  const eventId = usePathPart('eventId');
  const found = useQuery({
    ...read('GET /panel/api/notifications/{eventId}', { params: { eventId } }),
    refetchInterval: ({ state }) => (state.data?.notification.status === 'pending' ? refreshMilliseconds : false),
  });
  return <Loaded query={found}>{({ notification }) => <Shown notification={notification} />}</Loaded>;
}

interface Props {
  readonly notification: Notification;
}

function Shown({ notification }: Props) {
  const t = useText(notificationText);
  const list = useText(listText);
  const format = useFormat();
  const { eventId, type, status, url, createdAt, nextTryAt, amount, currency, contentType, payload } = notification;
  const resendable = useMay('write') && status !== 'no_address';
  return (
    <Page
      title={`${t('notification')}: ${t(type)}`}
      mark={<DeliveryStatus of={notification} />}
      about={
        <TextLink to="/developers/notifications" size="sm">
          {t('allNotifications')}
        </TextLink>
      }
      actions={resendable ? <Resend eventId={eventId} /> : null}
    >
      {status === 'no_address' ? (
        <Note tone="info">{t(isToBeRead(notification) ? 'toBeReadNote' : 'noAddressNote')}</Note>
      ) : null}
      <Section title={t('notification')}>
        <Facts
          facts={[
            { label: t('url'), value: url },
            { label: t('created'), value: format.exact(createdAt) },
            { label: t('nextTry'), value: nextTryAt ? format.exact(nextTryAt) : '' },
            {
              label: t('subject'),
              value: (
                <TextLink to={subjectPath(notification)} size="sm">
                  {notification.title ?? t(type)}
                </TextLink>
              ),
            },
            {
              label: list('amount'),
              value: amount === null || currency === null ? '' : format.amount(amount, currency),
            },
            { label: 'webhook-id', value: <Id text={eventId} /> },
          ]}
        />
      </Section>
      <Section title={t('sent')} about={contentType}>
        <Body text={payload} />
      </Section>
      {status === 'no_address' ? null : <Deliveries notification={notification} />}
    </Page>
  );
}

function Resend({ eventId }: { readonly eventId: string }) {
  const t = useText(notificationText);
  const notify = useNotify();
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => call('POST /events/{eventId}/resend', { params: { eventId }, body: {} }),
    onSuccess: async () => {
      notify.done(t('resent'));
      await client.invalidateQueries({ predicate: ({ queryKey }) => /notifications|events/.test(String(queryKey[0])) });
    },
    onError: notify.failed,
  });
  return (
    <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
      {t('resend')}
    </Button>
  );
}

function Deliveries({ notification: { eventId, tries } }: Props) {
  const t = useText(notificationText);
  const params = { eventId };
  const query = read('GET /events/{eventId}/deliveries', { params });
  // Asked for again with every try.
  const deliveries = useQuery({ ...query, queryKey: [...query.queryKey, tries] });
  return (
    <Section title={t('deliveries')}>
      <Loaded query={deliveries} lines={3}>
        {(data) =>
          data.deliveries.length > 0 ? (
            <Stack gap="lg">
              {data.deliveries.toReversed().map((delivery) => (
                <OneDelivery key={delivery.number} delivery={delivery} />
              ))}
            </Stack>
          ) : (
            <Text size="sm">{t('noTries')}</Text>
          )
        }
      </Loaded>
    </Section>
  );
}

function OneDelivery({
  delivery: { number, at, status, error, milliseconds, answer },
}: {
  readonly delivery: Delivery;
}) {
  const t = useText(notificationText);
  const format = useFormat();
  const faultOf = useDeliveryFault();
  return (
    <Stack gap="xs" component="article">
      <Facts
        facts={[
          { label: t('number'), value: format.number(number) },
          { label: t('time'), value: format.exact(at) },
          { label: t('took'), value: t('milliseconds', { value: format.number(milliseconds) }) },
          {
            label: t('result'),
            value: (
              <Status tone={error === null ? 'good' : 'bad'}>
                {error === null ? t('accepted') : status === null ? t('noAnswer') : t('httpStatus', { status })}
              </Status>
            ),
          },
          { label: t('why'), value: error && faultOf(error) },
        ]}
      />
      {answer ? <Body text={answer} /> : null}
    </Stack>
  );
}
