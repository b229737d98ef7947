// The frame around every screen.

import { AppShell, Box, Burger, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { Status } from '../ui/status.tsx';
import { AccountSwitch } from './account-switch.tsx';
import { Banners } from './banners.tsx';
import { Brand } from './brand.tsx';
import { useLive } from './live.ts';
import { Navigation } from './navigation.tsx';
import { Palette, PaletteButton } from './palette.tsx';
import { SectionTabs } from './section-tabs.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';
import { shellText } from './words.ts';

export function Shell() {
  const t = useText(shellText);
  const { mode } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useLive();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen closes the menu of phones
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <UnstyledButton component="a" href="#main" className="skip-link">
        {t('skip')}
      </UnstyledButton>
      <AppShell.Header>
        <Group h="100%" px={{ base: 'sm', md: 'md' }} justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={opened ? t('closeMenu') : t('openMenu')}
              aria-expanded={opened}
            />
            <Brand />
            {mode === 'sandbox' ? (
              <Box visibleFrom="xs">
                <Status tone="wait">{t('sandbox')}</Status>
              </Box>
            ) : null}
          </Group>
          <Group gap="xs" wrap="nowrap" miw={0}>
            <PaletteButton />
            <AccountSwitch />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('navigation')}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw="80rem" mx="auto">
          <Banners />
          <SectionTabs />
          <Outlet />
        </Box>
      </AppShell.Main>
      <Palette />
      <Shortcuts />
    </AppShell>
  );
}
