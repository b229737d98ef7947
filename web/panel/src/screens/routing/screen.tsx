import { Button, Group } from '@mantine/core';
import { IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { channelIds } from '../../../../../contract/methods.ts';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { useChannelName } from '../../ui/channels/channels.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { routingText } from './words.ts';

const path = 'GET /panel/api/operator/routes';
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
  const t = useText(routingText);
  const screen = useText(screenText);
  const columns: readonly Column<Acquirer>[] = [
    { key: 'name', label: t('acquirer'), lead: true, cell: ({ name }) => name },
    { key: 'ledgerName', label: t('ledgerName'), cell: ({ ledgerName }) => ledgerName },
    {
      key: 'state',
      label: t('state'),
      cell: ({ takesNew }) => <Status tone={takesNew ? 'good' : 'plain'}>{t(takesNew ? 'on' : 'off')}</Status>,
    },
  ];
  return (
    <div className="card">
      <Table label={screen('routing')} columns={columns} rows={acquirers} keyOf={({ name }) => name} />
    </div>
  );
}

function Routes({ acquirers, routes }: Pick<Found, 'acquirers' | 'routes'>) {
  const t = useText(routingText);
  const channelName = useChannelName();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Route>();
  const columns: readonly Column<Route>[] = [
    { key: 'acquirer', label: t('acquirer'), lead: true, cell: ({ acquirer }) => acquirer },
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
          <Button size="xs" variant="default" onClick={() => setRemoving(route)}>
            {t('remove')}
          </Button>
        </Group>
      ),
    },
  ];
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
      ...(channel !== '' && { channelId: Number(channel) }),
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
            data={[
              { value: '', label: t('every') },
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
