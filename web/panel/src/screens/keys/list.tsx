import { Button, Group } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { KeyDialogs, type KeyQuestion } from './dialogs.tsx';
import { Secrets } from './secrets.tsx';
import { keyText } from './words.ts';

export type Key = Answer<'GET /panel/api/keys'>['keys'][number];

export default function Keys() {
  const t = useText(keyText);
  const screen = useText(screenText);
  const keys = useQuery(read('GET /panel/api/keys'));
  const [question, setQuestion] = useState<KeyQuestion>();
  return (
    <Page
      title={screen('keys')}
      about={t('about')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setQuestion({ kind: 'create' })}>
          {t('create')}
        </Button>
      }
    >
      <div className="card">
        <Loaded query={keys}>
          {(data) =>
            data.keys.length > 0 ? (
              <Rows rows={data.keys} ask={setQuestion} />
            ) : (
              <Empty icon={IconKey} title={t('empty')}>
                {t('emptyHint')}
              </Empty>
            )
          }
        </Loaded>
      </div>
      <Secrets />
      <KeyDialogs question={question} ask={setQuestion} />
    </Page>
  );
}

interface RowsProps {
  readonly rows: readonly Key[];
  readonly ask: (question: KeyQuestion) => void;
}

function Rows({ rows, ask }: RowsProps) {
  const t = useText(keyText);
  const list = useText(listText);
  const format = useFormat();
  const columns: readonly Column<Key>[] = [
    { key: 'name', label: t('name'), lead: true, cell: ({ name }) => name },
    { key: 'clientId', label: t('clientId'), cell: ({ clientId }) => <span className="mono">{clientId}</span> },
    { key: 'kind', label: t('kind'), cell: ({ kind }) => t(kind) },
    { key: 'created', label: t('created'), cell: ({ createdAt }) => format.date(createdAt) },
    { key: 'status', label: list('status'), cell: (one) => <KeyStatus one={one} /> },
    {
      key: 'actions',
      label: t('actions'),
      hideLabel: true,
      cell: (one) => (one.revokedAt === null ? <Actions one={one} ask={ask} /> : null),
    },
  ];
  return <Table label={t('list')} columns={columns} rows={rows} keyOf={({ clientId }) => clientId} />;
}

function KeyStatus({ one: { revokedAt, secrets } }: { readonly one: Key }) {
  const t = useText(keyText);
  if (revokedAt !== null) return <Status tone="plain">{t('revoked')}</Status>;
  return secrets > 1 ? <Status tone="wait">{t('twoSecrets')}</Status> : <Status tone="good">{t('active')}</Status>;
}

function Actions({ one, ask }: { readonly one: Key; readonly ask: RowsProps['ask'] }) {
  const t = useText(keyText);
  return (
    <Group gap="xs" justify="flex-end">
      {one.secrets > 1 ? (
        <Button size="xs" variant="default" onClick={() => ask({ kind: 'drop', key: one })}>
          {t('dropOlder')}
        </Button>
      ) : (
        <Button size="xs" variant="default" onClick={() => ask({ kind: 'rotate', key: one })}>
          {t('rotate')}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => ask({ kind: 'revoke', key: one })}>
        {t('revoke')}
      </Button>
    </Group>
  );
}
