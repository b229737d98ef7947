import { Button } from '@mantine/core';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { CreateAccount } from './create.tsx';
import { accountsText } from './words.ts';

/** The service has one currency. */
const currency = 'PLN';

export default function Accounts() {
  const t = useText(accountsText);
  const list = useText(listText);
  const common = useText(commonText);
  const format = useFormat();
  const [creating, setCreating] = useState(false);
  return (
    <List
      endpoint="GET /panel/api/operator/accounts"
      title={useText(screenText)('accounts')}
      about={t('accountsAbout')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
          {t('create')}
        </Button>
      }
      filters={{
        search: { label: t('search') },
        kind: {
          label: t('kind'),
          options: { merchant: t('merchant'), partner: t('partner'), seller: t('seller') },
        },
        status: { label: list('status'), options: { active: t('active'), blocked: t('blocked') } },
      }}
      rows={({ accounts }) => accounts}
      keyOf={({ id }) => id}
      links
      columns={[
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
        { key: 'created', label: t('created'), nowrap: true, cell: ({ createdAt }) => format.date(createdAt) },
      ]}
      empty={{ icon: IconBuildingStore, title: t('noAccounts'), children: t('noAccountsHint') }}
      below={creating ? <CreateAccount onClose={() => setCreating(false)} /> : null}
    />
  );
}
