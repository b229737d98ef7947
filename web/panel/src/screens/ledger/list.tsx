import { Button, Group } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer, QueryOf } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { Export } from '../../ui/list/export.tsx';
import { DayFilter, FilterBar, SelectFilter } from '../../ui/list/filters.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { BalanceNow, useBalance } from './balance.tsx';
import { ledgerText } from './words.ts';

type Move = Answer<'GET /panel/api/ledger'>['moves'][number];

const filterNames = ['kind', 'from', 'to', 'before'] as const;
type Filters = Record<(typeof filterNames)[number], string>;
const noFilters = { kind: '', from: '', to: '', before: '' };
const kinds: readonly Move['kind'][] = ['payment', 'refund', 'refund_returned', 'opening', 'other'];

/** What the list and the file have in common. */
function shownOf({ kind, from, to }: Filters): QueryOf<'GET /panel/api/ledger/export'> {
  const known = kinds.find((one) => one === kind);
  return { ...(known ? { kind: known } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

export default function Ledger() {
  const t = useText(ledgerText);
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const { before } = filters;
  const { format: _, ...shown } = shownOf(filters);
  const query = { ...shown, ...(before ? { before } : {}) };
  const list = useQuery({ ...read('GET /panel/api/ledger', { query }), placeholderData: keepPreviousData });
  const active = [filters.kind, filters.from, filters.to].filter(Boolean).length;
  return (
    <Page
      title={screen('ledger')}
      about={t('ledgerAbout')}
      actions={<Export name="GET /panel/api/ledger/export" query={shown} />}
    >
      <BalanceNow />
      <LedgerFilters filters={filters} active={active} change={change} />
      <div className="card">
        <Loaded query={list}>
          {({ moves, nextBefore }) => (
            <>
              {moves.length > 0 ? <Moves moves={moves} /> : <None filtered={active > 0 || before !== ''} />}
              <Leaf before={before} next={nextBefore} open={(place) => change({ before: place }, { push: true })} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

interface LedgerFiltersProps {
  readonly filters: Filters;
  readonly active: number;
  readonly change: (changes: Partial<Filters>) => void;
}

function LedgerFilters({ filters, active, change }: LedgerFiltersProps) {
  const t = useText(ledgerText);
  const list = useText(listText);
  const set = (name: keyof Filters) => (value: string) => change({ [name]: value, before: '' });
  return (
    <FilterBar active={active} clear={() => change(noFilters)}>
      <SelectFilter
        label={t('kind')}
        value={filters.kind}
        change={set('kind')}
        options={kinds.map((value) => ({ value, label: t(value) }))}
      />
      <DayFilter label={list('from')} value={filters.from} change={set('from')} />
      <DayFilter label={list('to')} value={filters.to} change={set('to')} />
    </FilterBar>
  );
}

function useColumns(moves: readonly Move[]): readonly Column<Move>[] {
  const t = useText(ledgerText);
  const list = useText(listText);
  const format = useFormat();
  const currency = useBalance().data?.currency ?? 'PLN';
  const figure = (key: 'amount' | 'fee' | 'commission' | 'other' | 'net', label: string): Column<Move> => ({
    key,
    label,
    align: 'end',
    cell: (move) => (move[key] === 0 && key !== 'net' ? '' : format.amount(move[key], currency)),
  });
  const some = (key: 'commission' | 'other') => moves.some((move) => move[key] !== 0);
  return [
    { key: 'at', label: t('time'), lead: true, cell: ({ at }) => format.dateTime(at) },
    { key: 'kind', label: t('kind'), cell: ({ kind }) => t(kind) },
    { key: 'transaction', label: list('transaction'), cell: (move) => <Transaction move={move} /> },
    figure('amount', list('amount')),
    figure('fee', t('fee')),
    ...(some('commission') ? [figure('commission', t('commission'))] : []),
    ...(some('other') ? [figure('other', t('other'))] : []),
    figure('net', t('net')),
  ];
}

function Moves({ moves }: { readonly moves: readonly Move[] }) {
  const screen = useText(screenText);
  const columns = useColumns(moves);
  return (
    <div className="wide">
      <Table label={screen('ledger')} columns={columns} rows={moves} keyOf={({ journalId }) => journalId} />
    </div>
  );
}

function Transaction({ move: { transactionId, title, hiddenDescription } }: { readonly move: Move }) {
  if (transactionId === null) return null;
  return (
    <>
      <TextLink to={`/transactions/${transactionId}`} className="mono" size="sm">
        {title ?? transactionId}
      </TextLink>
      {hiddenDescription ? <div className="tile-about">{hiddenDescription}</div> : null}
    </>
  );
}

interface LeafProps {
  readonly before: string;
  readonly next: string | null;
  readonly open: (before: string) => void;
}

function Leaf({ before, next, open }: LeafProps) {
  const t = useText(ledgerText);
  const list = useText(listText);
  if (!before && next === null) return null;
  return (
    <Group component="nav" aria-label={list('pages')} justify="flex-end" p="sm" gap="xs">
      <Button size="xs" variant="default" disabled={!before} onClick={() => open('')}>
        {t('newest')}
      </Button>
      <Button size="xs" variant="default" disabled={next === null} onClick={() => open(next ?? '')}>
        {t('older')}
      </Button>
    </Group>
  );
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(ledgerText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty
      icon={IconCoins}
      title={t('ledgerEmpty')}
      action={
        <ButtonLink to="/transactions" variant="default" mt="sm">
          {t('toTransactions')}
        </ButtonLink>
      }
    >
      {t('ledgerEmptyHint')}
    </Empty>
  );
}
