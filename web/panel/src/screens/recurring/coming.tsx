// The dates that come, each with its rule. The service writes the rules, in English.

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../i18n/format.ts';
import { listText } from '../../i18n/list.ts';
import { recurringText } from '../../i18n/recurring.ts';
import { useText } from '../../i18n/text.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Schedule = Answer<'GET /recurring/{recurringId}/schedule'>;
type Item = Schedule['items'][number];

export function Coming({ recurringId }: { readonly recurringId: string }) {
  const t = useText(recurringText);
  const schedule = useQuery(read('GET /recurring/{recurringId}/schedule', { params: { recurringId } }));
  return (
    <Section title={t('coming')} about={t('comingAbout')}>
      <Loaded query={schedule} lines={3}>
        {({ items, end }) => (
          <>
            {items.length > 0 ? <Dates items={items} /> : null}
            {items.length === 0 ? <Text size="sm">{t('nothingComes')}</Text> : null}
            {end ? (
              <Text size="sm" c="dimmed" lang="en">
                {end}
              </Text>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Dates({ items }: { readonly items: readonly Item[] }) {
  const t = useText(recurringText);
  const list = useText(listText);
  const format = useFormat();
  const columns: readonly Column<Item>[] = [
    { key: 'date', label: list('date'), lead: true, cell: ({ date }) => format.dateTime(date) },
    { key: 'kind', label: t('kind'), cell: ({ kind }) => t(kind === 'charge' ? 'charge' : 'retryKind') },
    { key: 'rule', label: t('rule'), cell: ({ rule }) => <span lang="en">{rule}</span> },
    {
      key: 'condition',
      label: t('condition'),
      cell: ({ condition }) => (condition ? <span lang="en">{condition}</span> : ''),
    },
  ];
  return (
    <Table
      label={t('coming')}
      columns={columns}
      rows={items}
      keyOf={({ kind, iterationCount, iterationAttemptCount }) => `${kind}-${iterationCount}-${iterationAttemptCount}`}
    />
  );
}
