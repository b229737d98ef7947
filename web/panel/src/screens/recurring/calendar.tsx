// What comes, day by day.

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { FilterBar, SelectFilter } from '../../ui/list/filters.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Note, Status } from '../../ui/status.tsx';
import { ruleWords } from './rules/sentences.ts';
import { recurringText } from './words.ts';

type Calendar = Answer<'GET /panel/api/recurring/calendar'>;
type Recurring = Calendar['recurring'][number];
type Item = Recurring['dates'][number] & { readonly of: Recurring };

const filterNames = ['days', 'after'] as const;
/** With the next charge of a monthly one that was charged today. */
const usual = 32;
const periods = [7, usual, 90, 366];

export default function RecurringCalendar() {
  const t = useText(recurringText);
  const screen = useText(screenText);
  const [{ days: given, after }, change] = useFilters(filterNames);
  const days = periods.find((one) => String(one) === given) ?? usual;
  const query = { days, after };
  const path = 'GET /panel/api/recurring/calendar';
  const calendar = useQuery({ ...read(path, { query }), placeholderData: keepPreviousData });
  const nextAfter = calendar.data?.nextAfter ?? '';
  return (
    <Page title={screen('calendar')} about={t('calendarAbout')}>
      <FilterBar active={days === usual ? 0 : 1} clear={() => change({ days: '', after: '' })}>
        <SelectFilter
          label={t('period')}
          value={String(days)}
          change={(value) => change({ days: value, after: '' })}
          options={periods.map((count) => ({
            value: String(count),
            label: count === usual ? t('aMonth') : t('days', { count }),
          }))}
          all={false}
        />
      </FilterBar>
      {nextAfter ? <Note tone="info">{t('moreCome')}</Note> : null}
      <Loaded query={calendar}>{({ recurring }) => <Days recurring={recurring} />}</Loaded>
      {after || nextAfter ? (
        <Group justify="space-between">
          <Button variant="default" disabled={!after} onClick={() => change({ after: '' }, { push: true })}>
            {t('first')}
          </Button>
          <Button variant="default" disabled={!nextAfter} onClick={() => change({ after: nextAfter }, { push: true })}>
            {t('others')}
          </Button>
        </Group>
      ) : null}
    </Page>
  );
}

function Days({ recurring }: { readonly recurring: readonly Recurring[] }) {
  const t = useText(recurringText);
  const format = useFormat();
  const items: readonly Item[] = recurring.flatMap((of) => of.dates.map((date) => ({ ...date, of })));
  const sorted = items.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const days = [...Map.groupBy(sorted, ({ at }) => format.date(at))];
  if (days.length === 0) {
    return (
      <div className="card">
        <Empty icon={IconCalendar} title={t('nothingInPeriod')}>
          {t('nothingInPeriodHint')}
        </Empty>
      </div>
    );
  }
  return (
    <Stack gap="lg">
      {days.map(([day, ofDay]) => (
        <section key={day} className="card">
          <Title order={2} p="md" pb={0}>
            {day}
          </Title>
          <OneDay day={day} items={ofDay} />
        </section>
      ))}
    </Stack>
  );
}

function OneDay({ day, items }: { readonly day: string; readonly items: readonly Item[] }) {
  const t = useText(recurringText);
  const list = useText(listText);
  const format = useFormat();
  const ruleText = useSentence(ruleWords);
  const columns: readonly Column<Item>[] = [
    {
      key: 'description',
      label: list('description'),
      lead: true,
      cell: ({ of }) => (
        <TextLink to={`/recurring/${of.recurringId}`} size="sm">
          {of.description}
        </TextLink>
      ),
    },
    { key: 'amount', label: list('amount'), align: 'end', cell: ({ of }) => format.amount(of.amount, of.currency) },
    {
      key: 'kind',
      label: t('kind'),
      cell: ({ kind }) => (
        <Status tone={kind === 'charge' ? 'info' : 'wait'}>{t(kind === 'charge' ? 'charge' : 'retryKind')}</Status>
      ),
    },
    { key: 'payer', label: list('payer'), cell: ({ of }) => of.payerEmail },
    {
      key: 'rule',
      label: t('rule'),
      cell: ({ rule, condition }) => (
        <>
          {ruleText(rule)}
          {condition ? (
            <Text size="xs" c="dimmed">
              {ruleText(condition)}
            </Text>
          ) : null}
        </>
      ),
    },
  ];
  return (
    <Table
      label={day}
      columns={columns}
      rows={items}
      keyOf={({ of, iteration, attempt, kind }) => `${of.recurringId} ${iteration} ${attempt} ${kind}`}
      links
    />
  );
}
