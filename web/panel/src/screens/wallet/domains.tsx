import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextField, type Values } from '../../ui/form.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Note, Status } from '../../ui/status.tsx';
import { useNotifyUndo } from '../../ui/undo.tsx';
import { domainCheckWords } from './domain-check/sentences.ts';
import { walletText } from './words.ts';

type Domain = Answer<'GET /wallet/domains'>['domains'][number];
type Checked = Answer<'POST /panel/api/wallet/domains/{domainName}/check'>;

export function Domains() {
  const t = useText(walletText);
  const mayWrite = useMay('write');
  const found = useQuery(read('GET /wallet/domains'));
  const [adding, setAdding] = useState(false);
  return (
    <Section
      title={t('domains')}
      about={t('domainsAbout')}
      actions={mayWrite ? <Button onClick={() => setAdding(true)}>{t('addDomain')}</Button> : null}
    >
      <Text size="sm">
        <Anchor href="/wallet/domain-association" download inherit underline="always">
          {t('file')}
        </Anchor>
        . {t('fileHint')}
      </Text>
      <Loaded query={found} lines={3}>
        {({ domains }) =>
          domains.length > 0 ? (
            <Rows rows={domains} mayWrite={mayWrite} />
          ) : (
            <Empty icon={IconWorld} title={t('noDomains')}>
              {t('noDomainsHint')}
            </Empty>
          )
        }
      </Loaded>
      {adding ? <Add onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

function Rows({ rows, mayWrite }: { readonly rows: readonly Domain[]; readonly mayWrite: boolean }) {
  const t = useText(walletText);
  const format = useFormat();
  const columns: readonly Column<Domain>[] = [
    { key: 'name', label: t('domain'), lead: true, cell: ({ domainName }) => domainName },
    { key: 'created', label: t('added'), nowrap: true, cell: ({ createdAt }) => format.date(createdAt) },
    ...(mayWrite
      ? [
          {
            key: 'actions',
            label: t('actions'),
            hideLabel: true,
            cell: ({ domainName }: Domain) => <Actions domainName={domainName} />,
          },
        ]
      : []),
  ];
  return <Table label={t('domains')} columns={columns} rows={rows} keyOf={({ domainName }) => domainName} />;
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['GET /wallet/domains'] });
}

function Actions({ domainName }: { readonly domainName: string }) {
  const t = useText(walletText);
  const notify = useNotify();
  const notifyUndo = useNotifyUndo();
  const refresh = useRefresh();
  const [removing, setRemoving] = useState(false);
  const params = { domainName };
  const check = useMutation({
    mutationFn: () => call('POST /panel/api/wallet/domains/{domainName}/check', { params }),
    onError: notify.failed,
  });
  async function remove(): Promise<void> {
    await call('DELETE /wallet/domains/{domainName}', { params });
    await refresh();
    notifyUndo(t('removed', { domain: domainName }), async () => {
      await call('POST /wallet/domains', { body: { domainName } });
      await refresh();
    });
  }
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        {t('check')}
      </Button>
      <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
        {t('remove')}
      </Button>
      {check.data ? <CheckResult checked={check.data} onClose={check.reset} /> : null}
      {removing ? (
        <Confirm
          title={t('removeTitle', { domain: domainName })}
          submit={t('remove')}
          danger
          onClose={() => setRemoving(false)}
          send={remove}
        >
          {t('removeHint')}
        </Confirm>
      ) : null}
    </Group>
  );
}

/** Every rule by name. */
function CheckResult({ checked, onClose }: { readonly checked: Checked; readonly onClose: () => void }) {
  const t = useText(walletText);
  const sentence = useSentence(domainCheckWords);
  const columns: readonly Column<Checked['rules'][number]>[] = [
    { key: 'rule', label: t('rule'), lead: true, cell: ({ rule }) => t(rule) },
    {
      key: 'result',
      label: t('result'),
      cell: ({ passed }) => <Status tone={passed ? 'good' : 'bad'}>{t(passed ? 'met' : 'notMet')}</Status>,
    },
    { key: 'detail', label: t('detail'), cell: ({ result }) => sentence(result) },
  ];
  return (
    <Dialog title={t('checkOf', { domain: checked.domainName })} onClose={onClose} size="lg">
      <Stack gap="md">
        <Note tone={checked.passed ? 'good' : 'bad'}>{t(checked.passed ? 'passed' : 'notPassed')}</Note>
        <Table label={t('rule')} columns={columns} rows={checked.rules} keyOf={({ rule }) => rule} />
      </Stack>
    </Dialog>
  );
}

function Add({ onClose }: { readonly onClose: () => void }) {
  const t = useText(walletText);
  const notify = useNotify();
  const refresh = useRefresh();
  async function send(values: Values): Promise<void> {
    await call('POST /wallet/domains', { body: { domainName: values('domainName').trim() } });
    await refresh();
    notify.done(t('domainAdded'));
  }
  return (
    <Confirm
      title={t('addDomain')}
      submit={t('addDomain')}
      onClose={onClose}
      send={send}
      fields={
        <TextField
          name="domainName"
          label={t('domain')}
          description={t('domainHint')}
          autoCapitalize="off"
          required
          withAsterisk={false}
          data-autofocus
        />
      }
    />
  );
}
