// Filters that somebody keeps under a name, each for themselves.

import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { IconBookmarkPlus, IconDots } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../../api/client.ts';
import type { Answer } from '../../../api/endpoints.ts';
import { useText } from '../../../language/text.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { useNotify } from '../../../ui/failed/failed.tsx';
import { TextField, type Values } from '../../../ui/form.tsx';
import { ButtonLink } from '../../../ui/link.tsx';
import { useNotifyUndo } from '../../../ui/undo.tsx';
import { viewText } from './words.ts';

type View = Answer<'GET /panel/api/views'>['views'][number];

const screen = 'transactions';
const query = { screen };

type Filters = Readonly<Record<string, string>>;

/** The filters as in the address, in one order, so that equal ones are equal. */
function textOf(names: readonly string[], filters: Filters): string {
  const given = names.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return new URLSearchParams(given).toString();
}

const searchOf = (view: View) => Object.fromEntries(new URLSearchParams(view.query));

/** `filters`: all that the list has, by name. */
export function Views({ filters }: { readonly filters: Filters }) {
  const t = useText(viewText);
  const { data } = useQuery(read('GET /panel/api/views', { query }));
  const [saving, setSaving] = useState(false);
  const names = Object.keys(filters);
  const current = textOf(names, filters);
  const views = data?.views ?? [];
  const shown = views.find((view) => textOf(names, searchOf(view)) === current);
  const isNew = data !== undefined && current !== '' && !shown;
  if (views.length === 0 && !isNew) return null;
  return (
    <Group component="nav" gap="xs" aria-label={t('views')}>
      <Text size="sm" c="dimmed" aria-hidden="true">
        {t('views')}:
      </Text>
      {views.map((view) => (
        <One key={view.viewId} view={view} isShown={view === shown} />
      ))}
      {isNew ? (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconBookmarkPlus size={16} aria-hidden="true" />}
          onClick={() => setSaving(true)}
        >
          {t('save')}
        </Button>
      ) : null}
      {saving ? <Save filters={current} onClose={() => setSaving(false)} /> : null}
    </Group>
  );
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['GET /panel/api/views'] });
}

/** What can be changed of a view is offered when it is on screen. */
function One({ view, isShown }: { readonly view: View; readonly isShown: boolean }) {
  return (
    <Group gap={2} wrap="nowrap" maw="100%">
      <ButtonLink
        to="/transactions"
        search={searchOf(view)}
        size="xs"
        variant={isShown ? 'light' : 'default'}
        className="view"
      >
        {view.name}
      </ButtonLink>
      {isShown ? <Change view={view} /> : null}
    </Group>
  );
}

function Change({ view }: { readonly view: View }) {
  const t = useText(viewText);
  const notify = useNotify();
  const notifyUndo = useNotifyUndo();
  const refresh = useRefresh();
  const [renaming, setRenaming] = useState(false);
  const { viewId, name } = view;
  async function remove(): Promise<void> {
    await call('DELETE /panel/api/views/{viewId}', { params: { viewId } });
    await refresh();
    notifyUndo(t('deleted', { name }), async () => {
      await call('POST /panel/api/views', { body: { screen, name, query: view.query } });
      await refresh();
    });
  }
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon variant="subtle" size="sm" aria-label={t('change', { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRenaming(true)}>{t('rename')}</Menu.Item>
          <Menu.Item onClick={() => void remove().catch(notify.failed)}>{t('delete')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renaming ? <Rename view={view} onClose={() => setRenaming(false)} /> : null}
    </>
  );
}

function NameField({ name = '' }: { readonly name?: string }) {
  const t = useText(viewText);
  return (
    <TextField
      name="name"
      label={t('name')}
      defaultValue={name}
      maxLength={60}
      autoComplete="off"
      required
      withAsterisk={false}
      data-autofocus
    />
  );
}

function Save({ filters, onClose }: { readonly filters: string; readonly onClose: () => void }) {
  const t = useText(viewText);
  const notify = useNotify();
  const refresh = useRefresh();
  async function send(values: Values): Promise<void> {
    const name = values('name').trim();
    await call('POST /panel/api/views', { body: { screen, name, query: filters } });
    await refresh();
    notify.done(t('saved', { name }));
  }
  return (
    <Confirm title={t('save')} submit={t('save')} onClose={onClose} send={send} fields={<NameField />}>
      {t('saveHint')}
    </Confirm>
  );
}

/** The new name first: if the rest fails, there are two of them rather than none. */
function Rename({ view, onClose }: { readonly view: View; readonly onClose: () => void }) {
  const t = useText(viewText);
  const refresh = useRefresh();
  const { viewId } = view;
  async function send(values: Values): Promise<void> {
    const name = values('name').trim();
    if (name === view.name) return;
    await call('POST /panel/api/views', { body: { screen, name, query: view.query } });
    await call('DELETE /panel/api/views/{viewId}', { params: { viewId } });
    await refresh();
  }
  return (
    <Confirm
      title={t('rename')}
      submit={t('rename')}
      onClose={onClose}
      send={send}
      fields={<NameField name={view.name} />}
    />
  );
}
