import { Stack, Text, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

export interface EmptyProps {
  readonly icon?: ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;
  readonly title: string;
  /** What the next step is. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Instead of an empty list: why it is empty, and what to do next. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      {Icon ? (
        <Text c="dimmed" component="span" aria-hidden="true" lh={0}>
          <Icon size={36} stroke={1.25} />
        </Text>
      ) : null}
      <Title order={2} size="h3">
        {title}
      </Title>
      {children ? (
        <Text c="dimmed" size="sm" maw="30rem" component="div">
          {children}
        </Text>
      ) : null}
      {action}
    </Stack>
  );
}
