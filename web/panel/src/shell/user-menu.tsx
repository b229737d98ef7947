import { Menu, Stack, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { screenText } from '../menu/words.ts';
import { useNotify } from '../ui/failed/failed.tsx';
import { showShortcuts } from './shortcuts.tsx';
import { shellText } from './words.ts';

/** Loads the sign-in page anew: nothing of the session stays in memory. */
export function useSignOut() {
  const notify = useNotify();
  return useMutation({
    mutationFn: () => call('POST /panel/api/sign-out'),
    onSuccess: () => location.assign('/panel/sign-in'),
    onError: notify.failed,
  });
}

function initials(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  return `${[...first][0] ?? ''}${[...(others.at(-1) ?? '')][0] ?? ''}`.toUpperCase();
}

export function UserMenu() {
  const t = useText(shellText);
  const screenName = useText(screenText);
  const { user } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{t('userMenu', { name: user.name })}</VisuallyHidden>
          <span className="avatar" aria-hidden="true">
            {initials(user.name)}
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={0} px="sm" py={6} role="none">
          <Text size="sm" fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email}
          </Text>
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate({ to: '/profile' })}>
          {screenName('profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={showShortcuts}>
          {t('shortcuts')}
        </Menu.Item>
        <Menu.Divider />
        <Appearance />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes = ['auto', 'light', 'dark'] as const;

function Appearance() {
  const t = useText(shellText);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: string) => setColorScheme(schemes.find((scheme) => scheme === value) ?? 'auto');
  return (
    <>
      <Menu.Label>{t('theme')}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={choose}>
        {schemes.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick={false}>
            {t(scheme)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
