import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconLock, IconLockOpen, IconMail, IconShield, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import type { BodyOf } from '../../api/endpoints.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { useNotifyUndo } from '../../ui/undo.tsx';
import { type Role, roleFrom, rolesFrom, type User } from './model.ts';
import { RoleField } from './roles.tsx';
import { usersText } from './words.ts';

type Dialog = 'role' | 'block' | 'remove';

/** What can be done, and the list that shows it afterwards. */
function useUserActions({ id: userId, role }: User) {
  const t = useText(usersText);
  const queries = useQueryClient();
  const notify = useNotify();
  const notifyUndo = useNotifyUndo();
  const refresh = () => queries.invalidateQueries({ queryKey: read('GET /panel/api/users').queryKey });
  async function finish(action: Promise<unknown>, message: string): Promise<void> {
    await action;
    await refresh();
    notify.done(message);
  }
  const params = { userId };
  async function setRole(to: Role): Promise<void> {
    await call('POST /panel/api/users/{userId}', { params, body: { role: to } });
    await refresh();
  }
  return {
    changeRole: async (to: Role) => {
      await setRole(to);
      notifyUndo(t('changed'), () => setRole(role));
    },
    change: (body: BodyOf<'POST /panel/api/users/{userId}'>) =>
      finish(call('POST /panel/api/users/{userId}', { params, body }), t('changed')),
    inviteAgain: () => finish(call('POST /panel/api/users/{userId}/invitation', { params }), t('invited')),
    remove: () => finish(call('DELETE /panel/api/users/{userId}', { params }), t('removed')),
  };
}

export function UserActions({ user }: { readonly user: User }) {
  const t = useText(usersText);
  const [dialog, setDialog] = useState<Dialog>();
  const actions = useUserActions(user);
  const notify = useNotify();
  const roles = rolesFrom(useSession().user.role);
  const now = useMutation({ mutationFn: (action: () => Promise<void>) => action(), onError: notify.failed });
  const icon = { size: 16, 'aria-hidden': true } as const;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray.7"
            aria-label={t('actionsFor', { name: user.name })}
            loading={now.isPending}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {roles.length > 1 ? (
            <Menu.Item leftSection={<IconShield {...icon} />} onClick={() => setDialog('role')}>
              {t('changeRole')}
            </Menu.Item>
          ) : null}
          {user.status === 'invited' ? (
            <Menu.Item leftSection={<IconMail {...icon} />} onClick={() => now.mutate(actions.inviteAgain)}>
              {t('inviteAgain')}
            </Menu.Item>
          ) : null}
          {user.status === 'blocked' ? (
            <Menu.Item
              leftSection={<IconLockOpen {...icon} />}
              onClick={() => now.mutate(() => actions.change({ blocked: false }))}
            >
              {t('unblock')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock {...icon} />} onClick={() => setDialog('block')}>
              {t('block')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconTrash {...icon} />}
            c="var(--mantine-color-error)"
            onClick={() => setDialog('remove')}
          >
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog ? <Dialogs user={user} dialog={dialog} actions={actions} onClose={() => setDialog(undefined)} /> : null}
    </>
  );
}

interface DialogsProps {
  readonly user: User;
  readonly dialog: Dialog;
  readonly actions: ReturnType<typeof useUserActions>;
  readonly onClose: () => void;
}

function Dialogs({ user, dialog, actions, onClose }: DialogsProps) {
  const t = useText(usersText);
  const { name } = user;
  if (dialog === 'role') {
    return (
      <Confirm
        title={t('changeRoleOf', { name })}
        submit={t('changeRole')}
        send={(values) => actions.changeRole(roleFrom(values('role')))}
        onClose={onClose}
        fields={<RoleField initial={user.role} />}
      />
    );
  }
  if (dialog === 'block') {
    return (
      <Confirm
        title={t('blockTitle', { name })}
        submit={t('block')}
        danger
        send={() => actions.change({ blocked: true })}
        onClose={onClose}
      >
        {t('blockAbout')}
      </Confirm>
    );
  }
  return (
    <Confirm title={t('removeTitle', { name })} submit={t('remove')} danger send={actions.remove} onClose={onClose}>
      {t('removeAbout')}
    </Confirm>
  );
}
