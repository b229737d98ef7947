import { NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Export } from '../../ui/list/export.tsx';
import { DayFilter, FilterBar } from '../../ui/list/filters.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { type Balance, BalanceNow, useBalance } from '../ledger/balance.tsx';
import { StatementTable, type Step } from './table.tsx';
import { statementText } from './words.ts';

const filterNames = ['by', 'from', 'to'] as const;
type Filters = Record<(typeof filterNames)[number], string>;

const daysShown = 30;
const dayMs = 86_400_000;

/** Where the list begins until something is chosen: thirty days back, or at the month of a year ago. */
function startOf(today: string, by: Step): string {
  if (by === 'month') return `${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`;
  return new Date(Date.parse(`${today}T00:00:00Z`) - (daysShown - 1) * dayMs).toISOString().slice(0, 10);
}

/** Today is the service's: the sandbox has a clock of its own. */
function useQueryOf({ by, from, to }: Filters, { at }: Balance) {
  const { timeZone } = useFormat();
  // Sweden writes dates as the API does.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
  const step: Step = by === 'month' ? 'month' : 'day';
  return { by: step, from: from || startOf(to || today, step), to: to || today };
}

export default function StatementScreen() {
  const balance = useBalance();
  return <Loaded query={balance}>{(data) => <Shown balance={data} />}</Loaded>;
}

function Shown({ balance }: { readonly balance: Balance }) {
  const t = useText(statementText);
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const query = useQueryOf(filters, balance);
  const statements = useQuery({ ...read('GET /panel/api/statements', { query }), placeholderData: keepPreviousData });
  return (
    <Page
      title={screen('statements')}
      about={t('statementsAbout')}
      actions={<Export name="GET /panel/api/statements/export" query={query} />}
    >
      <BalanceNow />
      <StatementFilters query={query} active={[filters.from, filters.to].filter(Boolean).length} change={change} />
      <div className="card">
        <Loaded query={statements}>
          {(data) => (
            <>
              <Text size="xs" c="dimmed" px="sm" pt="sm">
                {t('inCurrency', { currency: data.currency })}
              </Text>
              <StatementTable statements={data} by={query.by} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

interface StatementFiltersProps {
  readonly query: ReturnType<typeof useQueryOf>;
  readonly active: number;
  readonly change: (changes: Partial<Filters>) => void;
}

function StatementFilters({ query, active, change }: StatementFiltersProps) {
  const t = useText(statementText);
  const list = useText(listText);
  return (
    <FilterBar active={active} clear={() => change({ from: '', to: '' })}>
      <NativeSelect
        className="list-filter"
        label={t('by')}
        value={query.by}
        onChange={(event) => change({ by: event.currentTarget.value })}
        data={[
          { value: 'day', label: t('day') },
          { value: 'month', label: t('month') },
        ]}
      />
      <DayFilter label={list('from')} value={query.from} change={(from) => change({ from })} />
      <DayFilter label={list('to')} value={query.to} change={(to) => change({ to })} />
    </FilterBar>
  );
}
