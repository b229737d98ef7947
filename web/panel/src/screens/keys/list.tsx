import { Button, Group } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { Status } from '../../ui/status.tsx';
import { type Key, KeyDialogs, type KeyQuestion } from './dialogs.tsx';
import { Secrets } from './secrets.tsx';
import { keyText } from './words.ts';

export default function Keys() {
  const t = useText(keyText);
  const list = useText(listText);
  const format = useFormat();
  const [question, setQuestion] = useState<KeyQuestion>();
  return (
    <List
      endpoint="GET /panel/api/keys"
      title={useText(screenText)('keys')}
      about={t('about')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setQuestion({ kind: 'create' })}>
          {t('create')}
        </Button>
      }
      rows={({ keys }) => keys}
      keyOf={({ clientId }) => clientId}
      label={t('list')}
      columns={[
        { key: 'name', label: t('name'), lead: true, cell: ({ name }) => name },
        { key: 'clientId', label: t('clientId'), cell: ({ clientId }) => <span className="mono">{clientId}</span> },
        { key: 'kind', label: t('kind'), cell: ({ kind }) => t(kind) },
        { key: 'created', label: t('created'), nowrap: true, cell: ({ createdAt }) => format.date(createdAt) },
        { key: 'status', label: list('status'), cell: (one) => <KeyStatus one={one} /> },
        {
          key: 'actions',
          label: t('actions'),
          hideLabel: true,
          cell: (one) => (one.revokedAt === null ? <Actions one={one} ask={setQuestion} /> : null),
        },
      ]}
      empty={{ icon: IconKey, title: t('empty'), children: t('emptyHint') }}
      below={
        <>
          <Secrets />
          <KeyDialogs question={question} ask={setQuestion} />
        </>
      }
    />
  );
}

function KeyStatus({ one: { revokedAt, secrets } }: { readonly one: Key }) {
  const t = useText(keyText);
  if (revokedAt !== null) return <Status tone="plain">{t('revoked')}</Status>;
  return secrets > 1 ? <Status tone="wait">{t('twoSecrets')}</Status> : <Status tone="good">{t('active')}</Status>;
}

function Actions({ one, ask }: { readonly one: Key; readonly ask: (question: KeyQuestion) => void }) {
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
