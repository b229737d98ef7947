import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useKnown, useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { agentName } from '../../ui/agent.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Json } from '../../ui/json.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { deedText } from './deeds/words.ts';
import { auditText } from './words.ts';

type Entry = Answer<'GET /panel/api/audit'>['entries'][number];

const filterNames = ['userId', 'action', 'before'] as const;

export default function Audit() {
  const t = useText(auditText);
  const screenName = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const { userId, action, before } = filters;
  const query = {
    ...(userId ? { userId } : {}),
    ...(action ? { action } : {}),
    ...(/^\d+$/.test(before) ? { before: Number(before) } : {}),
  };
  const audit = useQuery({ ...read('GET /panel/api/audit', { query }), placeholderData: keepPreviousData });
  return (
    <Page title={screenName('audit')} about={t('about')}>
      <Filters userId={userId} action={action} change={change} />
      <div className="card">
        <Loaded query={audit}>{(data) => <Entries entries={data.entries} hasMore={data.nextBefore !== null} />}</Loaded>
      </div>
      <Group justify="space-between">
        <Button variant="default" disabled={!before} onClick={() => change({ before: '' }, { push: true })}>
          {t('newest')}
        </Button>
        <Button
          variant="default"
          disabled={!audit.data?.nextBefore}
          onClick={() => change({ before: String(audit.data?.nextBefore ?? '') }, { push: true })}
        >
          {t('older')}
        </Button>
      </Group>
    </Page>
  );
}

interface FiltersProps {
  readonly userId: string;
  readonly action: string;
  readonly change: (changes: { userId?: string; action?: string; before?: string }) => void;
}

function Filters({ userId, action, change }: FiltersProps) {
  const t = useText(auditText);
  const deedName = useDeedName();
  const users = useQuery(read('GET /panel/api/users'));
  const people = users.data?.users.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? [];
  const deeds = Object.keys(deedText.en).map((value) => ({ value, label: deedName(value) }));
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label={t('user')}
        value={userId}
        onChange={(event) => change({ userId: event.currentTarget.value, before: '' })}
        data={[{ value: '', label: t('everybody') }, ...people]}
        className="filter"
      />
      <NativeSelect
        label={t('action')}
        value={action}
        onChange={(event) => change({ action: event.currentTarget.value, before: '' })}
        data={[{ value: '', label: t('everything') }, ...deeds]}
        className="filter"
      />
    </Group>
  );
}

function useDeedName(): (action: string) => string {
  const known = useKnown(deedText);
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

function Entries({ entries, hasMore }: { readonly entries: readonly Entry[]; readonly hasMore: boolean }) {
  const t = useText(auditText);
  const format = useFormat();
  const deedName = useDeedName();
  const [shown, setShown] = useState<Entry>();
  if (entries.length === 0) {
    return (
      <Empty icon={IconHistory} title={t(hasMore ? 'noneYet' : 'none')}>
        {t(hasMore ? 'noneYetAbout' : 'noneAbout')}
      </Empty>
    );
  }
  const columns: readonly Column<Entry>[] = [
    { key: 'what', label: t('what'), lead: true, cell: ({ action }) => deedName(action) },
    { key: 'who', label: t('who'), cell: ({ email }) => email },
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
  ];
  return (
    <>
      <Table label={t('what')} rows={entries} keyOf={({ position }) => String(position)} columns={columns} />
      {shown ? <Details entry={shown} onClose={() => setShown(undefined)} /> : null}
    </>
  );
}

function Details({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const t = useText(auditText);
  const format = useFormat();
  const deedName = useDeedName();
  return (
    <Dialog onClose={onClose} title={deedName(entry.action)}>
      <Stack gap="sm">
        <Fact name={t('who')}>{entry.email}</Fact>
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
