// Search and commands: Ctrl+K.

import { ActionIcon, Box, Group, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { screenText } from '../i18n/screens.ts';
import { shellText } from '../i18n/shell.ts';
import { useText } from '../i18n/text.ts';
import { isUsable } from '../menu.ts';
import { screens } from '../screens.ts';
import { useSignOut } from './user-menu.tsx';

export function PaletteButton() {
  const t = useText(shellText);
  return (
    <>
      <UnstyledButton className="palette-button" onClick={spotlight.open} visibleFrom="sm">
        <Group gap="xs" wrap="nowrap">
          <IconSearch size={15} aria-hidden="true" />
          <Text size="sm" c="dimmed" flex={1} truncate>
            {t('searchOrJump')}
          </Text>
          <kbd>Ctrl K</kbd>
        </Group>
      </UnstyledButton>
      <Box hiddenFrom="sm">
        <ActionIcon variant="default" size="lg" aria-label={t('search')} onClick={spotlight.open}>
          <IconSearch size={18} stroke={1.75} />
        </ActionIcon>
      </Box>
    </>
  );
}

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

export function Palette() {
  const t = useText(shellText);
  const screenName = useText(screenText);
  const [query, setQuery] = useState('');
  const groups = [
    { group: screenName('transactions'), actions: useFound(query.trim()) },
    { group: t('goTo'), actions: useScreens() },
    { group: t('actions'), actions: useCommands() },
  ] satisfies SpotlightActionGroupData[];
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      nothingFound={t('nothingFound')}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden="true" />,
        placeholder: t('searchOrJump'),
        'aria-label': t('searchOrJump'),
      }}
    />
  );
}

/** A transaction by its id, or the list of those that have the text anywhere. */
function useFound(query: string): SpotlightActionData[] {
  const t = useText(shellText);
  const navigate = useNavigate();
  const session = useSession();
  if (query.length < 3 || session.account === null) return [];
  const open = () =>
    ulid.test(query)
      ? navigate({ to: `/transactions/${query.toUpperCase()}` })
      : navigate({ to: '/transactions', search: { search: query } as never });
  const label = t('findTransactions', { query });
  return [{ id: 'find', label, onClick: () => void open(), leftSection: <IconSearch size={18} aria-hidden="true" /> }];
}

function useScreens(): SpotlightActionData[] {
  const screenName = useText(screenText);
  const session = useSession();
  const navigate = useNavigate();
  return screens
    .filter((screen) => screen.load && !screen.path.includes('$') && isUsable(screen, session))
    .map(({ path, name, icon: Icon, key }) => ({
      id: path,
      label: screenName(name),
      onClick: () => void navigate({ to: path }),
      ...(Icon ? { leftSection: <Icon size={18} stroke={1.75} aria-hidden="true" /> } : {}),
      ...(key ? { rightSection: <kbd>g {key}</kbd> } : {}),
    }));
}

function useCommands(): SpotlightActionData[] {
  const t = useText(shellText);
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
  return [
    {
      id: 'light',
      label: `${t('theme')}: ${t('light')}`,
      onClick: () => setColorScheme('light'),
      leftSection: <IconSun {...icon} />,
    },
    {
      id: 'dark',
      label: `${t('theme')}: ${t('dark')}`,
      onClick: () => setColorScheme('dark'),
      leftSection: <IconMoon {...icon} />,
    },
    { id: 'sign-out', label: t('signOut'), onClick: () => signOut.mutate(), leftSection: <IconLogout {...icon} /> },
  ];
}
