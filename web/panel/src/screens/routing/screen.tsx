import { Button, Group, Text } from '@mantine/core';
import { IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { channelIds, methods } from '../../../../../contract/methods.ts';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { useChannelName } from '../../ui/channels/channels.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { routingText } from './words.ts';

const path = 'GET /panel/api/operator/routes';
const everyChannel = 'every';
type Found = Answer<typeof path>;
type Route = Found['routes'][number];
type Acquirer = Found['acquirers'][number];

export default function Routing() {
  const t = useText(routingText);
  const screen = useText(screenText);
  const found = useQuery(read(path));
  return (
    <Page title={screen('routing')} about={t('about')}>
      <Loaded query={found}>
        {({ acquirers, routes }) => (
          <>
            <Acquirers acquirers={acquirers} />
            <Routes acquirers={acquirers} routes={routes} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Acquirers({ acquirers }: Pick<Found, 'acquirers'>) {
  return acquirers.map((acquirer) => <Card key={acquirer.name} acquirer={acquirer} />);
}

const moneyTones = { simulated: 'plain', test: 'info', live: 'good' } as const;
const statementTones = { running: 'info', agreed: 'good', differs: 'bad', incomplete: 'bad' } as const;

function Card({ acquirer }: { readonly acquirer: Acquirer }) {
  const t = useText(routingText);
  const format = useFormat();
  const { name, ledgerName, takesNew, money, account, callbacks, statement } = acquirer;
  const facts: readonly Fact[] = [
    { label: t('account'), value: account ? <span className="mono">{account}</span> : null },
    { label: t('ledgerName'), value: ledgerName === name ? null : ledgerName },
    {
      label: t('lastCallback'),
      value: callbacks.lastAt ? format.dateTime(callbacks.lastAt) : callbacks.expected ? t('never') : null,
    },
    {
      label: t('lastStatement'),
      value: statement ? (
        <Group gap="xs">
          {format.dateTime(statement.to)}
          <Status tone={statementTones[statement.state]}>{t(statement.state)}</Status>
        </Group>
      ) : (
        t('never')
      ),
    },
    ...useBehavior(acquirer),
  ];
  return (
    <Section title={name}>
      <Group gap="xs">
        <Status tone={takesNew ? 'good' : 'plain'}>{t(takesNew ? 'on' : 'off')}</Status>
        <Status tone={moneyTones[money]}>{t(money)}</Status>
      </Group>
      <Facts facts={facts} />
      <Offers acquirer={acquirer} />
    </Section>
  );
}

/** Of the last fifteen minutes. */
function useBehavior({ recent }: Acquirer): readonly Fact[] {
  const t = useText(routingText);
  const format = useFormat();
  if (!recent) return [];
  const { requests, failed, medianMilliseconds, slowMilliseconds } = recent;
  if (medianMilliseconds === null || slowMilliseconds === null)
    return [{ label: t('failures'), value: t('noRequests') }];
  // Nothing takes no time at all.
  const seconds = (milliseconds: number) => format.number(Math.max(1, milliseconds) / 1_000);
  return [
    {
      label: t('failures'),
      value: t('failuresOf', { share: format.percent(failed / requests), requests: format.number(requests) }),
    },
    {
      label: t('latency'),
      value: t('latencyOf', { median: seconds(medianMilliseconds), slow: seconds(slowMilliseconds) }),
    },
  ];
}

type Offer = NonNullable<Acquirer['offers']>[number];

function Offers({ acquirer: { name, offers } }: { readonly acquirer: Acquirer }) {
  const t = useText(routingText);
  const channelName = useChannelName();
  const format = useFormat();
  if (offers === null) return <Text size="sm">{t('offersAll')}</Text>;
  const recurringName = (kind: string) => (kind === 'card' ? t('savedCards') : t('blikModel', { model: kind }));
  const formName = ({ channelId, fields }: Offer) =>
    channelId !== methods.card.id ? t('noForm') : fields === 'vendor' ? name : t('ownForm');
  const recurringShown = ({ recurring, recurringMost, currency }: Offer) => {
    const kinds = recurring.map(recurringName).join(', ') || t('notRecurring');
    return recurringMost === null
      ? kinds
      : t('recurringUpTo', { kinds, amount: format.amount(recurringMost, currency) });
  };
  const columns: readonly Column<Offer>[] = [
    { key: 'channel', label: t('channel'), lead: true, cell: ({ channelId }) => channelName(channelId) },
    { key: 'least', label: t('least'), align: 'end', cell: ({ least, currency }) => format.amount(least, currency) },
    { key: 'most', label: t('most'), align: 'end', cell: ({ most, currency }) => format.amount(most, currency) },
    { key: 'cardForm', label: t('cardForm'), cell: formName },
    {
      key: 'recurring',
      label: t('recurring'),
      cell: recurringShown,
    },
  ];
  return (
    <Table
      label={`${name}: ${t('offers')}`}
      columns={columns}
      rows={offers}
      keyOf={({ channelId, currency, fields, recurring }) => `${channelId} ${currency} ${fields} ${recurring.join()}`}
    />
  );
}

function useRouteColumns(onRemove: (route: Route) => void): readonly Column<Route>[] {
  const t = useText(routingText);
  const channelName = useChannelName();
  return [
    {
      key: 'acquirer',
      label: t('acquirer'),
      lead: true,
      cell: ({ acquirer, status }) => (
        <Group gap="xs">
          {acquirer}
          {status === 'followed' ? null : <Status tone="bad">{t(status)}</Status>}
        </Group>
      ),
    },
    {
      key: 'merchant',
      label: t('merchant'),
      cell: ({ merchantId, merchantName }) => merchantName ?? merchantId ?? t('every'),
    },
    {
      key: 'channel',
      label: t('channel'),
      cell: ({ channelId }) => (channelId === null ? t('every') : channelName(String(channelId))),
    },
    { key: 'currency', label: t('currency'), cell: ({ currency }) => currency ?? t('everyCurrency') },
    { key: 'position', label: t('position'), align: 'end', cell: ({ position }) => String(position) },
    {
      key: 'actions',
      label: t('actions'),
      hideLabel: true,
      cell: (route) => (
        <Group justify="flex-end">
          <Button size="xs" variant="default" onClick={() => onRemove(route)}>
            {t('remove')}
          </Button>
        </Group>
      ),
    },
  ];
}

function Routes({ acquirers, routes }: Pick<Found, 'acquirers' | 'routes'>) {
  const t = useText(routingText);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Route>();
  const columns = useRouteColumns(setRemoving);
  return (
    <Section
      title={t('routes')}
      about={t('routesAbout')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      }
    >
      {routes.length > 0 ? (
        <Table label={t('routes')} columns={columns} rows={routes} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={IconRoute} title={t('noRoutes')}>
          {t('noRoutesHint')}
        </Empty>
      )}
      {adding ? <Add acquirers={acquirers} onClose={() => setAdding(false)} /> : null}
      {removing ? <Remove route={removing} onClose={() => setRemoving(undefined)} /> : null}
    </Section>
  );
}

function useChanged(): (text: 'added' | 'removed') => Promise<void> {
  const t = useText(routingText);
  const notify = useNotify();
  const client = useQueryClient();
  return async (text) => {
    await client.invalidateQueries({ queryKey: read(path).queryKey });
    notify.done(t(text));
  };
}

function Add({ acquirers, onClose }: Pick<Found, 'acquirers'> & { readonly onClose: () => void }) {
  const t = useText(routingText);
  const channelName = useChannelName();
  const changed = useChanged();
  async function send(values: Values): Promise<void> {
    const [merchantId, channel, position] = [
      values('merchantId').trim(),
      values('channelId'),
      values('position').trim(),
    ];
    const body = {
      acquirer: values('acquirer'),
      ...(merchantId !== '' && { merchantId }),
      ...(channel !== everyChannel && { channelId: Number(channel) }),
      ...(position !== '' && { position: Number(position) }),
    };
    await call('POST /panel/api/operator/routes', { body });
    await changed('added');
  }
  return (
    <Confirm
      title={t('add')}
      submit={t('add')}
      onClose={onClose}
      send={send}
      fields={
        <>
          <SelectField name="acquirer" label={t('acquirer')} data={acquirers.map(({ name }) => name)} />
          <TextField name="merchantId" label={t('merchant')} description={t('merchantHint')} />
          <SelectField
            name="channelId"
            label={t('channel')}
            required
            data={[
              // A route for everything is chosen, and not what is left if nobody chooses.
              { value: '', label: t('choose') },
              { value: everyChannel, label: t('every') },
              ...channelIds.map((id) => ({ value: String(id), label: channelName(String(id)) })),
            ]}
          />
          <TextField name="position" label={t('position')} description={t('positionHint')} inputMode="numeric" />
        </>
      }
    />
  );
}

function Remove({ route: { id }, onClose }: { readonly route: Route; readonly onClose: () => void }) {
  const t = useText(routingText);
  const changed = useChanged();
  async function send(): Promise<void> {
    await call('POST /panel/api/operator/routes/{id}/remove', { params: { id } });
    await changed('removed');
  }
  return (
    <Confirm title={t('removeTitle')} submit={t('remove')} danger onClose={onClose} send={send}>
      {t('removeAbout')}
    </Confirm>
  );
}
