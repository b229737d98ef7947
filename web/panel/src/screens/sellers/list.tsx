import { Button } from '@mantine/core';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFilters } from '../../address.ts';
import { callWith, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useTell } from '../../ui/failed/failed.tsx';
import type { Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { FilterBar, SelectFilter } from '../../ui/list/filters.tsx';
import { Pages } from '../../ui/list/pages.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import { SellerFields, sellerOf } from './form.tsx';
import { SellerStatus } from './status.tsx';
import { sellerText } from './words.ts';

type Row = Answer<'GET /accounts'>['list'][number];
const filterNames = ['status', 'page'] as const;

export default function Sellers() {
  const t = useText(sellerText);
  const screen = useText(screenText);
  const list = useText(listText);
  const [{ status, page }, change] = useFilters(filterNames);
  const known = (['active', 'blocked'] as const).find((one) => one === status);
  const query = { ...(known ? { status: known } : {}), page: Number(page) || 1 };
  const sellers = useQuery({ ...read('GET /accounts', { query }), placeholderData: keepPreviousData });
  return (
    <Page title={screen('sellers')} about={t('about')} actions={useMay('write') ? <Add /> : null}>
      <FilterBar active={status === '' ? 0 : 1} clear={() => change({ status: '', page: '' })}>
        <SelectFilter
          label={list('status')}
          value={status}
          change={(value) => change({ status: value, page: '' })}
          options={[
            { value: 'active', label: t('active') },
            { value: 'blocked', label: t('blocked') },
          ]}
        />
      </FilterBar>
      <div className="card">
        <Loaded query={sellers}>
          {(data) => (
            <>
              {data.list.length > 0 ? <Rows rows={data.list} /> : <None filtered={status !== ''} />}
              {data.total > 0 ? <Pages {...data} open={(to) => change({ page: String(to) }, { push: true })} /> : null}
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(sellerText);
  const list = useText(listText);
  const common = useText(commonText);
  const format = useFormat();
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      label: t('name'),
      lead: true,
      cell: ({ id, name }) => (
        <TextLink to={`/marketplace/sellers/${id}`} size="sm">
          {name}
        </TextLink>
      ),
    },
    { key: 'balance', label: t('balance'), align: 'end', cell: (row) => format.amount(row.balance, row.currency) },
    { key: 'status', label: list('status'), cell: ({ status }) => <SellerStatus status={status} /> },
    { key: 'email', label: common('email'), cell: ({ email }) => email },
    { key: 'since', label: t('since'), cell: ({ date }) => format.date(date.create) },
  ];
  return <Table label={t('list')} columns={columns} rows={rows} keyOf={({ id }) => id} links />;
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(sellerText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty icon={IconBuildingStore} title={t('empty')}>
      {t('emptyHint')}
    </Empty>
  );
}

function Add() {
  const t = useText(sellerText);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {t('add')}
      </Button>
      {open ? <AddDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText(sellerText);
  const tell = useTell();
  const client = useQueryClient();
  const keyOf = useKeys();
  async function send(values: Values): Promise<void> {
    const body = sellerOf(values, t('notNumber'));
    const { name } = await callWith({ idempotencyKey: keyOf(body) }, 'POST /accounts', { body });
    await client.invalidateQueries({ queryKey: ['GET /accounts'] });
    tell.done(t('added', { name }));
  }
  return <Confirm title={t('add')} submit={t('add')} onClose={onClose} send={send} fields={<SellerFields />} />;
}
