// Search and commands: Ctrl+K.

import {
  ActionIcon,
  Box,
  Group,
  Modal,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { isUsable } from '../menu/menu.ts';
import { screenText } from '../menu/words.ts';
import { screens } from '../screens.ts';
import { type Command, useFound } from './found.tsx';
import { useSignOut } from './user-menu.tsx';
import { shellText } from './words.ts';

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

export function Palette() {
  const t = useText(shellText);
  const [query, setQuery] = useState('');
  return (
    <Spotlight.Root query={query} onQueryChange={setQuery} shortcut="mod + K" scrollable maxHeight={420}>
      <VisuallyHidden>
        <Modal.Title>{t('commandPalette')}</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        placeholder={t('searchOrJump')}
        aria-label={t('searchOrJump')}
      />
      <Spotlight.ActionsList>
        <Results query={query.trim()} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Rendered only while the palette is open, so nothing is searched otherwise. */
function Results({ query }: { readonly query: string }) {
  const t = useText(shellText);
  const screenName = useText(screenText);
  const isMeant = ({ label }: Command) => label.toLowerCase().includes(query.toLowerCase());
  const groups = [
    { name: screenName('transactions'), commands: useFound(query) },
    { name: t('goTo'), commands: useScreens().filter(isMeant) },
    { name: t('actions'), commands: useCommands().filter(isMeant) },
  ].filter(({ commands }) => commands.length > 0);
  if (groups.length === 0) return <Spotlight.Empty>{t('nothingFound')}</Spotlight.Empty>;
  return groups.map(({ name, commands }) => (
    <Spotlight.ActionsGroup key={name} label={name}>
      {commands.map(({ id, ...command }) => (
        <Spotlight.Action key={id} {...command} />
      ))}
    </Spotlight.ActionsGroup>
  ));
}

function useScreens(): Command[] {
  const screenName = useText(screenText);
  const session = useSession();
  const navigate = useNavigate();
  return screens
    .filter((screen) => screen.load && !screen.path.includes('$') && isUsable(screen, session))
    .map(({ path, name, under, icon, key }) => {
      const Icon = icon ?? screens.find((section) => section.path === under)?.icon;
      return {
        id: path,
        label: screenName(name),
        onClick: () => void navigate({ to: path }),
        leftSection: Icon ? <Icon size={18} stroke={1.75} aria-hidden="true" /> : <NoIcon />,
        rightSection: key ? <kbd>g {key}</kbd> : null,
      };
    });
}

function NoIcon(): ReactNode {
  return <Box w={18} />;
}

function useCommands(): Command[] {
  const t = useText(shellText);
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
  const appearance = (name: 'light' | 'dark', leftSection: ReactNode) => ({
    id: name,
    label: `${t('theme')}: ${t(name)}`,
    onClick: () => setColorScheme(name),
    leftSection,
  });
  return [
    appearance('light', <IconSun {...icon} />),
    appearance('dark', <IconMoon {...icon} />),
    { id: 'sign-out', label: t('signOut'), onClick: () => signOut.mutate(), leftSection: <IconLogout {...icon} /> },
  ];
}
