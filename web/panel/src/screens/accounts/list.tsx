import { Button } from '@mantine/core';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { FilterBar, SelectFilter, TextFilter } from '../../ui/list/filters.tsx';
import { Older } from '../../ui/list/older.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { CreateAccount } from './create.tsx';
import { accountsText } from './words.ts';

type Row = Answer<'GET /panel/api/operator/accounts'>['accounts'][number];

const filterNames = ['search', 'kind', 'status', 'before'] as const;
const noFilters = { search: '', kind: '', status: '', before: '' };
const kinds = ['merchant', 'partner', 'seller'] as const;
const states = ['active', 'blocked'] as const;

/** The service has one currency. */
const currency = 'PLN';

export default function Accounts() {
  const t = useText(accountsText);
  const list = useText(listText);
  const screen = useText(screenText);
  const [creating, setCreating] = useState(false);
  const [filters, change] = useFilters(filterNames);
  const kind = kinds.find((one) => one === filters.kind);
  const status = states.find((one) => one === filters.status);
  const { search, before } = filters;
  const query = { search, before, ...(kind ? { kind } : {}), ...(status ? { status } : {}) };
  const path = 'GET /panel/api/operator/accounts';
  const found = useQuery({ ...read(path, { query }), placeholderData: keepPreviousData });
  const active = [search, kind, status].filter(Boolean).length;
  const set = (name: keyof typeof noFilters) => (value: string) => change({ [name]: value, before: '' });
  return (
    <Page
      title={screen('accounts')}
      about={t('accountsAbout')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
          {t('create')}
        </Button>
      }
    >
      <FilterBar active={active} clear={() => change(noFilters)}>
        <TextFilter label={t('search')} value={search} change={set('search')} />
        <SelectFilter
          label={t('kind')}
          value={filters.kind}
          change={set('kind')}
          options={kinds.map((value) => ({ value, label: t(value) }))}
        />
        <SelectFilter
          label={list('status')}
          value={filters.status}
          change={set('status')}
          options={states.map((value) => ({ value, label: t(value) }))}
        />
      </FilterBar>
      <div className="card">
        <Loaded query={found}>
          {({ accounts }) => (accounts.length > 0 ? <Rows rows={accounts} /> : <None filtered={active > 0} />)}
        </Loaded>
      </div>
      <Older
        before={before}
        nextBefore={found.data?.nextBefore}
        open={(to) => change({ before: to }, { push: true })}
      />
      {creating ? <CreateAccount onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(accountsText);
  const list = useText(listText);
  const common = useText(commonText);
  const screen = useText(screenText);
  const format = useFormat();
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      label: t('name'),
      lead: true,
      cell: ({ id, name }) => (
        <TextLink to={`/operator/accounts/${id}`} size="sm">
          {name}
        </TextLink>
      ),
    },
    { key: 'number', label: t('number'), cell: ({ merchantNumber }) => merchantNumber },
    { key: 'kind', label: t('kind'), cell: ({ kind }) => t(kind) },
    {
      key: 'status',
      label: list('status'),
      cell: ({ status }) => <Status tone={status === 'active' ? 'good' : 'bad'}>{t(status)}</Status>,
    },
    { key: 'balance', label: t('balance'), align: 'end', cell: ({ balance }) => format.amount(balance, currency) },
    { key: 'email', label: common('email'), cell: ({ email }) => email },
    { key: 'created', label: t('created'), cell: ({ createdAt }) => format.date(createdAt) },
  ];
  return <Table label={screen('accounts')} columns={columns} rows={rows} keyOf={({ id }) => id} links />;
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(accountsText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty icon={IconBuildingStore} title={t('noAccounts')}>
      {t('noAccountsHint')}
    </Empty>
  );
}
