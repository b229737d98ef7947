import { Button, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { UserActions } from './actions.tsx';
import { Invite } from './invite.tsx';
import type { User } from './model.ts';
import { usersText } from './words.ts';

function useColumns(): readonly Column<User>[] {
  const t = useText(usersText);
  const common = useText(commonText);
  const format = useFormat();
  const me = useSession().user.id;
  return [
    {
      key: 'user',
      label: t('user'),
      lead: true,
      cell: ({ id, name, email }) => (
        <>
          <Text size="sm" fw={600}>
            {name} {id === me ? <Text span c="dimmed" fw={400}>{`(${t('you')})`}</Text> : null}
          </Text>
          <Text size="xs" c="dimmed" fw={400}>
            {email}
          </Text>
        </>
      ),
    },
    { key: 'role', label: t('role'), cell: ({ role }) => t(role) },
    { key: 'status', label: t('status'), cell: ({ status }) => <UserStatus status={status} /> },
    {
      key: 'second',
      label: t('secondFactor'),
      cell: ({ secondFactor }) => (secondFactor ? common('yes') : common('no')),
    },
    {
      key: 'seen',
      label: t('lastSeen'),
      nowrap: true,
      cell: ({ lastSeenAt }) => (lastSeenAt ? format.dateTime(lastSeenAt) : common('never')),
    },
    {
      key: 'actions',
      label: common('actions'),
      hideLabel: true,
      align: 'end',
      cell: (user) => <UserActions user={user} />,
    },
  ];
}

function UserStatus({ status }: Pick<User, 'status'>) {
  const t = useText(usersText);
  if (status === 'active') return <Status tone="good">{t('statusActive')}</Status>;
  if (status === 'invited') return <Status tone="wait">{t('statusInvited')}</Status>;
  return <Status tone="bad">{t('statusBlocked')}</Status>;
}

export default function Users() {
  const t = useText(usersText);
  const { account } = useSession();
  const [inviting, setInviting] = useState(false);
  return (
    <List
      endpoint="GET /panel/api/users"
      title={useText(screenText)('users')}
      about={t(account ? 'about' : 'aboutOperators')}
      actions={
        <Button leftSection={<IconUserPlus size={16} aria-hidden="true" />} onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      }
      rows={({ users }) => users}
      keyOf={({ id }) => id}
      columns={useColumns()}
      below={inviting ? <Invite onClose={() => setInviting(false)} /> : null}
    />
  );
}
