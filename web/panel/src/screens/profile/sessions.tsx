import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { agentName } from '../../ui/agent.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { profileText } from './words.ts';

type OneSession = Answer<'GET /panel/api/me/sessions'>['sessions'][number];

const list = read('GET /panel/api/me/sessions');

function useEnding<Given>(end: (given: Given) => Promise<unknown>) {
  const t = useText(profileText);
  const queries = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: end,
    onSuccess: () => notify.done(t('ended')),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: list.queryKey }),
  });
}

function useColumns(end: (id: string) => void): readonly Column<OneSession>[] {
  const t = useText(profileText);
  const common = useText(commonText);
  const format = useFormat();
  return [
    {
      key: 'device',
      label: t('device'),
      lead: true,
      cell: ({ userAgent }) => <span title={userAgent}>{agentName(userAgent)}</span>,
    },
    { key: 'address', label: t('address'), cell: ({ address }) => <span className="mono">{address}</span> },
    { key: 'signedIn', label: t('signedIn'), nowrap: true, cell: ({ createdAt }) => format.dateTime(createdAt) },
    { key: 'seen', label: t('lastSeen'), nowrap: true, cell: ({ lastSeenAt }) => format.dateTime(lastSeenAt) },
    {
      key: 'end',
      label: common('actions'),
      hideLabel: true,
      align: 'end',
      cell: ({ id, current, userAgent }) =>
        current ? (
          <Status tone="good">{t('thisOne')}</Status>
        ) : (
          <Button
            size="xs"
            variant="default"
            onClick={() => end(id)}
            aria-label={`${t('end')}: ${agentName(userAgent)}`}
          >
            {t('end')}
          </Button>
        ),
    },
  ];
}

export function Sessions() {
  const t = useText(profileText);
  const sessions = useQuery(list);
  const endOne = useEnding((sessionId: string) =>
    call('DELETE /panel/api/me/sessions/{sessionId}', { params: { sessionId } }),
  );
  const endOthers = useEnding(() => call('POST /panel/api/me/sessions/end-others'));
  const columns = useColumns((id) => endOne.mutate(id));
  const others = (sessions.data?.sessions.length ?? 0) > 1;
  return (
    <Section
      title={t('sessions')}
      about={t('sessionsAbout')}
      actions={
        others ? (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
            {t('endOthers')}
          </Button>
        ) : null
      }
    >
      <Loaded query={sessions} lines={3}>
        {(data) => <Table label={t('sessions')} rows={data.sessions} keyOf={({ id }) => id} columns={columns} />}
      </Loaded>
    </Section>
  );
}
