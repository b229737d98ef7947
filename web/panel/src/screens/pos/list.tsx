import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextField, type Values } from '../../ui/form.tsx';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Status } from '../../ui/status.tsx';
import { useNotifyUndo } from '../../ui/undo.tsx';
import { commonText } from '../../ui/words.ts';
import { posText } from './words.ts';

type Pos = Answer<'GET /panel/api/pos'>['pos'][number];
/** The one that is changed, or a new one. */
type Edited = Pos | 'new' | undefined;

export default function PointsOfSale() {
  const t = useText(posText);
  const list = useText(listText);
  const format = useFormat();
  const isOwner = useMay('accountOwner');
  const [edited, setEdited] = useState<Edited>();
  const actions: Column<Pos> = {
    key: 'actions',
    label: t('actions'),
    hideLabel: true,
    cell: (pos) => <Actions pos={pos} edit={() => setEdited(pos)} />,
  };
  return (
    <List
      endpoint="GET /panel/api/pos"
      title={useText(screenText)('pos')}
      about={t('posAbout')}
      actions={
        isOwner ? (
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setEdited('new')}>
            {t('addPos')}
          </Button>
        ) : null
      }
      rows={({ pos }) => pos}
      keyOf={({ id }) => id}
      columns={[
        { key: 'name', label: t('name'), lead: true, cell: ({ name }) => name },
        { key: 'status', label: list('status'), cell: (pos) => <PosStatus pos={pos} /> },
        { key: 'url', label: t('url'), cell: ({ url }) => url },
        { key: 'notification', label: t('notificationUrl'), cell: ({ notificationUrl }) => notificationUrl },
        { key: 'created', label: t('created'), nowrap: true, cell: ({ createdAt }) => format.date(createdAt) },
        { key: 'id', label: list('id'), cell: ({ id }) => <Id text={id} /> },
        ...(isOwner ? [actions] : []),
      ]}
      below={edited ? <Edit pos={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} /> : null}
    />
  );
}

function PosStatus({ pos: { main, active, verified } }: { readonly pos: Pos }) {
  const t = useText(posText);
  return (
    <Group gap={4}>
      {main ? <Status tone="info">{t('main')}</Status> : null}
      <Status tone={active ? 'good' : 'plain'}>{t(active ? 'posActive' : 'posOff')}</Status>
      {verified ? null : <Status tone="wait">{t('unverified')}</Status>}
    </Group>
  );
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['GET /panel/api/pos'] });
}

function Actions({ pos, edit }: { readonly pos: Pos; readonly edit: () => void }) {
  const t = useText(posText);
  const notify = useNotify();
  const notifyUndo = useNotifyUndo();
  const refresh = useRefresh();
  const { id: posId, name, active, main } = pos;
  async function set(to: boolean): Promise<void> {
    await call('POST /panel/api/pos/{posId}', { params: { posId }, body: { active: to } });
    await refresh();
  }
  const turn = useMutation({
    mutationFn: () => set(!active),
    onSuccess: () => notifyUndo(t(active ? 'switchedOff' : 'switchedOn', { name }), () => set(active)),
    onError: notify.failed,
  });
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" onClick={edit} aria-label={`${t('change')}: ${name}`}>
        {t('change')}
      </Button>
      {main ? null : (
        <Button size="xs" variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
          {active ? t('switchOff') : t('switchOn')}
        </Button>
      )}
    </Group>
  );
}

interface EditProps {
  readonly pos: Pos | undefined;
  readonly onClose: () => void;
}

function Edit({ pos, onClose }: EditProps) {
  const t = useText(posText);
  const common = useText(commonText);
  const notify = useNotify();
  const refresh = useRefresh();
  async function send(values: Values): Promise<void> {
    const body = {
      name: values('name').trim(),
      url: values('url').trim(),
      notificationUrl: values('notificationUrl').trim() || null,
    };
    if (pos) await call('POST /panel/api/pos/{posId}', { params: { posId: pos.id }, body });
    else await call('POST /panel/api/pos', { body });
    await refresh();
    const isCleared = Boolean(pos?.notificationUrl) && body.notificationUrl === null;
    notify.done(t(isCleared ? 'addressCleared' : pos ? 'saved' : 'posAdded'));
  }
  return (
    <Confirm
      title={pos ? `${t('change')}: ${pos.name}` : t('addPos')}
      submit={pos ? common('save') : t('addPos')}
      onClose={onClose}
      send={send}
      fields={
        <>
          <TextField name="name" label={t('name')} defaultValue={pos?.name} required withAsterisk={false} />
          <TextField
            name="url"
            type="url"
            label={t('url')}
            description={t('newUrlHint')}
            defaultValue={pos?.url}
            required
            withAsterisk={false}
          />
          <TextField
            name="notificationUrl"
            type="url"
            label={t('notificationUrl')}
            description={t('notificationUrlHint')}
            defaultValue={pos?.notificationUrl ?? ''}
          />
        </>
      }
    />
  );
}
