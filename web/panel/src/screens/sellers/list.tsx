import { Button } from '@mantine/core';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callWith } from '../../api/client.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import type { Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { commonText } from '../../ui/words.ts';
import { SellerFields, sellerOf } from './form.tsx';
import { SellerStatus } from './status.tsx';
import { sellerText } from './words.ts';

export default function Sellers() {
  const t = useText(sellerText);
  const list = useText(listText);
  const common = useText(commonText);
  const format = useFormat();
  return (
    <List
      endpoint="GET /accounts"
      title={useText(screenText)('sellers')}
      about={t('about')}
      actions={useMay('write') ? <Add /> : null}
      numbered
      filters={{ status: { label: list('status'), options: { active: t('active'), blocked: t('blocked') } } }}
      rows={({ list: rows }) => rows}
      keyOf={({ id }) => id}
      label={t('list')}
      links
      columns={[
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
        { key: 'since', label: t('since'), nowrap: true, cell: ({ date }) => format.date(date.create) },
      ]}
      empty={{ icon: IconBuildingStore, title: t('empty'), children: t('emptyHint') }}
    />
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
  const notify = useNotify();
  const client = useQueryClient();
  const keyOf = useKeys();
  async function send(values: Values): Promise<void> {
    const body = sellerOf(values, t('notNumber'));
    const { name } = await callWith({ idempotencyKey: keyOf(body) }, 'POST /accounts', { body });
    await client.invalidateQueries({ queryKey: ['GET /accounts'] });
    notify.done(t('added', { name }));
  }
  return <Confirm title={t('add')} submit={t('add')} onClose={onClose} send={send} fields={<SellerFields />} />;
}
