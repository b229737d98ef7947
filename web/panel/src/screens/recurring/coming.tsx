// The dates that come, each with its rule.

import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import { ruleWords } from './rules/sentences.ts';
import { recurringText } from './words.ts';

const path = 'GET /panel/api/recurring/{recurringId}/coming';
type Item = Answer<typeof path>['items'][number];

const datesAtFirst = 6;
const datesAtMost = 60;

export function Coming({ recurringId }: { readonly recurringId: string }) {
  const t = useText(recurringText);
  const common = useText(commonText);
  const ruleText = useSentence(ruleWords);
  const [limit, setLimit] = useState(datesAtFirst);
  const schedule = useQuery({
    ...read(path, { params: { recurringId }, query: { limit } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={t('coming')} about={t('comingAbout')}>
      <Loaded query={schedule} lines={3}>
        {({ items, end, passed }) => (
          <>
            <Passed dates={passed} />
            {items.length > 0 ? <Dates items={items} /> : null}
            {items.length === limit && limit < datesAtMost ? (
              <Button variant="default" onClick={() => setLimit(datesAtMost)} className="fit">
                {common('more')}
              </Button>
            ) : null}
            {items.length === 0 ? <Text size="sm">{t('nothingComes')}</Text> : null}
            {end ? (
              <Text size="sm" c="dimmed">
                {ruleText(end)}
              </Text>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Dates that a restore passed over, among the latest. */
function Passed({ dates }: { readonly dates: readonly string[] }) {
  const t = useText(recurringText);
  const format = useFormat();
  if (dates.length === 0) return null;
  return <Text size="sm">{t('passed', { dates: dates.map(format.date).join(', ') })}</Text>;
}

function Dates({ items }: { readonly items: readonly Item[] }) {
  const t = useText(recurringText);
  const ruleText = useSentence(ruleWords);
  const list = useText(listText);
  const format = useFormat();
  const columns: readonly Column<Item>[] = [
    { key: 'date', label: list('date'), lead: true, nowrap: true, cell: ({ at }) => format.dateTime(at) },
    { key: 'kind', label: t('kind'), cell: ({ kind }) => t(kind === 'charge' ? 'charge' : 'retryKind') },
    { key: 'rule', label: t('rule'), cell: ({ rule }) => ruleText(rule) },
    {
      key: 'condition',
      label: t('condition'),
      cell: ({ condition }) => (condition ? ruleText(condition) : ''),
    },
  ];
  return (
    <Table
      label={t('coming')}
      columns={columns}
      rows={items}
      keyOf={({ kind, iteration, attempt }) => `${kind}-${iteration}-${attempt}`}
    />
  );
}
