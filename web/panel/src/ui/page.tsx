// The frame of every screen: its title, in the window and as the heading that gets the focus, and its actions.

import { Box, Flex, Group, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** Beside the title: a status. */
  readonly mark?: ReactNode;
  /** At the end of the title's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The first screen keeps the focus where the browser puts it; later ones begin at their title. */
let isLater = false;

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Grosz`;
  }, [title]);
}

export function Page({ title, about, mark, actions, children }: PageProps) {
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is a new screen, even in the same component
  useEffect(() => {
    if (isLater) heading.current?.focus({ preventScroll: true });
    isLater = true;
  }, [pathname]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0}>
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1} className="page-title">
              {title}
            </Title>
            {mark}
          </Group>
          {about ? (
            <Text c="dimmed" size="sm" mt={4} maw="44rem" component="div">
              {about}
            </Text>
          ) : null}
        </Box>
        {actions ? <Group gap="xs">{actions}</Group> : null}
      </Group>
      {children}
    </Stack>
  );
}

/** A part of a screen with a heading of its own. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card">
      <Stack gap="md" p={{ base: 'md', sm: 'lg' }}>
        <Flex justify="space-between" align="flex-start" gap="sm" direction={{ base: 'column', sm: 'row' }}>
          <Box miw={0}>
            <Title order={2}>{title}</Title>
            {about ? (
              <Text c="dimmed" size="sm" mt={2} maw="40rem" component="div">
                {about}
              </Text>
            ) : null}
          </Box>
          {actions ? <Box flex="none">{actions}</Box> : null}
        </Flex>
        {children}
      </Stack>
    </section>
  );
}
