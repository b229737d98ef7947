import { Anchor } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { HttpStatus } from './http-status.tsx';
import { requestText } from './words.ts';

export default function Requests() {
  const t = useText(requestText);
  const list = useText(listText);
  const format = useFormat();
  return (
    <List
      endpoint="GET /panel/api/requests"
      title={useText(screenText)('requests')}
      about={t('requestsAbout')}
      filters={{
        status: { label: list('status'), options: { success: t('success'), error: t('error') } },
        endpoint: { label: t('endpoint'), placeholder: 'E1' },
        requestId: { label: t('requestId') },
      }}
      rows={({ requests }) => requests}
      keyOf={({ id }) => id}
      links
      columns={[
        {
          key: 'path',
          label: t('request'),
          lead: true,
          cell: ({ id, method, path }) => (
            <TextLink to={`/developers/requests/${id}`} className="mono" size="sm">
              {method} {path}
            </TextLink>
          ),
        },
        { key: 'status', label: list('status'), cell: ({ status }) => <HttpStatus status={status} /> },
        { key: 'endpoint', label: t('endpoint'), cell: ({ endpoint }) => endpoint },
        { key: 'time', label: t('time'), nowrap: true, cell: ({ at }) => format.dateTime(at) },
        {
          key: 'took',
          label: t('took'),
          align: 'end',
          cell: ({ milliseconds }) => t('milliseconds', { value: format.number(milliseconds) }),
        },
        { key: 'ignored', label: t('ignored'), cell: ({ ignoredFields }) => ignoredFields },
      ]}
      empty={{
        icon: IconCode,
        title: t('noRequests'),
        children: t('noRequestsHint'),
        action: (
          <Anchor href="/docs" target="_blank" size="sm">
            {t('reference')}
          </Anchor>
        ),
      }}
    />
  );
}
