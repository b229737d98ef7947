import { Button, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commandLine } from '../../../../../contract/codes/actors.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useKnown, useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { agentName } from '../../ui/agent.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Json } from '../../ui/json.tsx';
import { List } from '../../ui/list/list.tsx';
import { Status } from '../../ui/status.tsx';
import { actionText } from './actions/words.ts';
import { auditText } from './words.ts';

type Entry = Answer<'GET /panel/api/audit'>['entries'][number];

export default function Audit() {
  const t = useText(auditText);
  const format = useFormat();
  const actionName = useActionName();
  const whoOf = useWho();
  const [shown, setShown] = useState<Entry>();
  const users = useQuery(read('GET /panel/api/users'));
  const people = users.data?.users.map(({ id, name, email }) => [id, `${name} (${email})`]) ?? [];
  const actions = Object.keys(actionText.en).map((action) => [action, actionName(action)]);
  const icon = IconHistory;
  const none = { icon, title: t('none'), children: t('noneAbout') };
  return (
    <List
      endpoint="GET /panel/api/audit"
      title={useText(screenText)('audit')}
      about={t('about')}
      filters={{
        userId: { label: t('user'), options: Object.fromEntries(people), all: t('everybody'), open: true, roomy: true },
        action: {
          label: t('action'),
          options: Object.fromEntries(actions),
          all: t('everything'),
          open: true,
          roomy: true,
        },
      }}
      clearable={false}
      older={{ always: true, newest: t('newest'), older: t('older') }}
      rows={({ entries }) => entries}
      keyOf={({ position }) => String(position)}
      label={t('what')}
      columns={[
        { key: 'what', label: t('what'), lead: true, cell: ({ action }) => actionName(action) },
        { key: 'who', label: t('who'), cell: ({ email }) => whoOf(email) },
        { key: 'when', label: t('when'), cell: ({ at }) => <span className="numeric">{format.dateTime(at)}</span> },
        { key: 'from', label: t('from'), cell: ({ address }) => <span className="mono">{address}</span> },
        { key: 'outcome', label: t('outcome'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
        {
          key: 'details',
          label: t('details'),
          hideLabel: true,
          align: 'end',
          cell: (entry) => (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => setShown(entry)}
              aria-label={t('showDetails', { position: entry.position })}
            >
              {t('details')}
            </Button>
          ),
        },
      ]}
      empty={none}
      unmatched={(hasMore) => (hasMore ? { icon, title: t('noneYet'), children: t('noneYetAbout') } : none)}
      below={shown ? <Details entry={shown} onClose={() => setShown(undefined)} /> : null}
    />
  );
}

function useWho(): (email: string) => string {
  const t = useText(auditText);
  return (email) => (email === commandLine ? t('commandLine') : email);
}

function useActionName(): (action: string) => string {
  const known = useKnown(actionText);
  return (action) => known(action) ?? action;
}

function Outcome({ outcome }: Pick<Entry, 'outcome'>) {
  const t = useText(auditText);
  if (outcome === 'ok') return <Status tone="good">{t('ok')}</Status>;
  if (outcome === null) return <Status tone="wait">{t('running')}</Status>;
  return (
    <span title={outcome}>
      <Status tone="bad">{t('refused')}</Status>
    </span>
  );
}

function Details({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const t = useText(auditText);
  const format = useFormat();
  const actionName = useActionName();
  const whoOf = useWho();
  return (
    <Dialog onClose={onClose} title={actionName(entry.action)}>
      <Stack gap="sm">
        <Fact name={t('who')}>{whoOf(entry.email)}</Fact>
        <Fact name={t('when')}>{format.exact(entry.at)}</Fact>
        <Fact name={t('from')}>{entry.address}</Fact>
        <Fact name={t('device')}>
          <span title={entry.userAgent}>{agentName(entry.userAgent)}</span>
        </Fact>
        <Fact name={t('request')}>
          <span className="mono">{entry.target}</span>
        </Fact>
        <Fact name={t('outcome')}>
          <Outcome outcome={entry.outcome} />{' '}
          {entry.outcome === 'ok' ? null : <span className="mono">{entry.outcome}</span>}
        </Fact>
        <Fact name={t('asked')}>
          <Json value={entry.details} />
        </Fact>
      </Stack>
    </Dialog>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}
